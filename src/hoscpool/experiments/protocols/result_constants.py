"""Values that define a clustering besides the parameters of its estimator. They are part of the hash of a cell.

The names are part of every committed record. They never change, even if modules, constants and fields in the code are
renamed. The values are read from the code, so another value makes another cell. A new constant or field that changes
results gets a line here, under any new name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.cluster import Settings


def preset_values(settings: Settings) -> dict[str, Any]:
    """The settings of the training: those of the preset, replaced by the given parameters."""
    closed = {} if settings.refine is True else {"refine": settings.refine, "restarts": settings.restarts}
    return closed | {
        "message_passing": settings.message_passing,
        "starts": list(settings.starts),
        "warm_epochs": settings.warm_epochs,
        "hidden": settings.hidden,
        "max_epochs": settings.max_epochs,
        "learning_rate": settings.learning_rate,
        "n_init": settings.n_init,
        "consensus": settings.consensus,
        "feature_weight": settings.feature_weight,
        "schedule": settings.schedule,
        "patience": settings.patience,
        "decay_patience": settings.decay_patience,
        "clip": settings.clip,
    }


def constants(preset: str) -> dict[str, float]:
    """Constants in the code that a preset uses and that are not parameters.

    If the code of a constant is deleted and results stay the same, its line keeps the last value as a number.
    """
    from hoscpool.training import loop

    always = {"training.DECAY": loop.DECAY}
    return always if preset == "paper" else always | _robust_constants()  # paper: no warm start, one run, raw features


def _robust_constants() -> dict[str, float]:
    from hoscpool.cluster import closed_form, run
    from hoscpool.cluster import sparse_features as sparse_table
    from hoscpool.cluster.choosing import consensus
    from hoscpool.cluster.views import blend, edge_metric, embedding, feature_signal, restarts, similarity, starts
    from hoscpool.cluster.views import feature_map as features

    return {
        "training.WARM_RATE": run.WARM_RATE,
        "consensus.DEVIATIONS": consensus.DEVIATIONS,
        "features.COMPONENTS": features.COMPONENTS,
        "features.COUNTS": features.COUNTS,
        "embedding._BAG_OF_WORDS": embedding._BAG_OF_WORDS,
        "similarity.EXACT": similarity.EXACT,
        "similarity.CELL": similarity.CELL,
        "similarity.EDGES": similarity.EDGES,
        "similarity.SHUFFLES": similarity.SHUFFLES,
        "similarity.DEVIATIONS": similarity.DEVIATIONS,
        "starts.DENSE": sparse_table.DENSE,
        "starts.COMPONENTS": starts.COMPONENTS,
        "features.SVD_ITERATIONS": features.SVD_ITERATIONS,
        "features.SVD_OVERSAMPLES": features.SVD_OVERSAMPLES,
        "metric.RIDGE": edge_metric.RIDGE,
        "metric.NEGLIGIBLE": edge_metric.NEGLIGIBLE,
        "signal.EDGES": feature_signal.EDGES,
        "signal.SHUFFLES": feature_signal.SHUFFLES,
        "signal.DEVIATIONS": feature_signal.DEVIATIONS,
        "blend.TRUSTED": blend.TRUSTED,
        "blend.LARGEST_SHARE": blend.LARGEST_SHARE,
        "blend.NODES": blend.NODES,
        "restarts.SHORT": restarts.SHORT,
        "restarts.FINALISTS": restarts.FINALISTS,
        "restarts.VARIANCE": restarts.VARIANCE,
        "restarts.WIDTH": restarts.WIDTH,
        "restarts.SAMPLE": restarts.SAMPLE,
        "closed_form.TIED": closed_form.TIED,
        "closed_form.REFINED": closed_form.REFINED,
    }


def search_constants() -> dict[str, Any]:
    """Constants of the multilevel search."""
    from hoscpool.cluster.engine import coarsening, multilevel, problem

    return {
        "TARGET": coarsening.TARGET,
        "PER_CLUSTER": coarsening.PER_CLUSTER,
        "RESOLUTION": coarsening.RESOLUTION,
        "SHARE": coarsening.SHARE,
        "SWEEPS": coarsening.SWEEPS,
        "CRUMB": problem.CRUMB,
        "RISING": multilevel.RISING,
    }


def constants_of_links() -> dict[str, Any]:
    """Constants of the block model with which the robust preset ends where links alone decide."""
    from hoscpool.cluster import block_model

    return {f"search.{name}": value for name, value in search_constants().items()} | {
        "block_model.SWEEPS": block_model.SWEEPS,
        "block_model.MOVED": block_model.MOVED,
        "block_model.PSEUDO": block_model.PSEUDO,
        "block_model.COPIES": block_model.COPIES,
        "block_model.DEVIATIONS": block_model.DEVIATIONS,
    }
