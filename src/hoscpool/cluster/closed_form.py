"""Clusters without training: k-means on the blend of features and structure, and the linear map that reproduces it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch.nn.functional import one_hot

from hoscpool.cluster.assignment_net import CentroidHead, LabelHead
from hoscpool.cluster.choosing.consensus import best_of, representative
from hoscpool.cluster.run import ClusteringProgress
from hoscpool.cluster.views.restarts import Restart, kmeans_restarts
from hoscpool.support.progress import waiting

if TYPE_CHECKING:
    from hoscpool.cluster.fit import Result
    from hoscpool.cluster.objective import Objective
    from hoscpool.cluster.presets import Settings
    from hoscpool.cluster.views.starts import Source

BLEND = "blend"
"""Name of the start."""
TIED = 1e-4
"""Restarts whose spread is above the smallest one by at most this share are tied."""
REFINED = 0.1
"""With this share of structure in the view or more, the objective is minimised from there."""


def needs_no_training(source: Source, objective: Objective, settings: Settings, sizes: Sequence[int]) -> bool:
    """Whether the clusters of a fit come in closed form.

    They do where features say enough: there, minimising the cuts moves hardly any node, or moves it away from its
    features. They do not if the caller gave a setting of the training, for the losses of other pools, and for two
    layers.
    """
    if settings.refine or len(sizes) > 1 or not objective.cuts_motifs:
        return False
    if source.available(settings.starts) != (BLEND,):
        return False
    return settings.refine is False or source.blend.share < REFINED


class ClosedForm:
    """All restarts of a fit; takes the place of a `Fitter`.

    Args:
        source: Computes the view.
        objective: The objective that the results are reported with.
        settings: ``restarts`` and ``consensus``.
        n_clusters: K.
        verbose: Whether to say what is under way.
        n_jobs: Restarts at a time.
    """

    def __init__(
        self, source: Source, objective: Objective, settings: Settings, n_clusters: int, verbose: int, n_jobs: int
    ) -> None:
        self.source, self.objective, self.settings, self.n_clusters = source, objective, settings, n_clusters
        self.verbose, self.n_jobs = verbose, n_jobs

    def run_all(self, seeds: Sequence[int]) -> tuple[Result, list[Result], bool]:
        """Do all restarts. Returns the one to keep, those that were completed, and whether Ctrl-C came (never)."""
        with waiting(self.verbose, "smoothing features"):
            table = self.source.blend.table
        with waiting(self.verbose, "clustering nodes"):
            found = kmeans_restarts(table, self.n_clusters, self.settings.restarts, seeds[0], self.n_jobs)
        x = torch.from_numpy(table)
        results = [self._result(number, restart, x) for number, restart in enumerate(found)]
        if not self.settings.consensus:
            return self._carried(best_of(results), x), results, False
        limit = (1 + TIED) * found[0].spread
        tied = [result for result, restart in zip(results, found, strict=True) if restart.spread <= limit]
        return self._carried(replace(representative(tied), equals=len(tied)), x), results, False

    def _result(self, number: int, restart: Restart, x: torch.Tensor) -> Result:
        from hoscpool.cluster.fit import Result

        head = CentroidHead.of(restart.centres, restart.spread)
        memberships = head(x)[-1]
        labels = memberships.argmax(dim=1)
        progress = ClusteringProgress(best=float(self.objective.total(self.objective.losses(memberships))))
        hard = self.objective.hard(labels, self.n_clusters)
        only = one_hot(labels, self.n_clusters).to(torch.int8)  # a quarter of the memory: there are ten restarts
        return Result(BLEND, self.source.blend.feature_map, head, [only], progress, hard, number=number)

    def _carried(self, kept: Result, x: torch.Tensor) -> Result:
        """The result with its memberships and a network that can be used on other graphs, see `portable_head`."""
        assert kept.network is not None  # set by `_result`
        levels: list[torch.Tensor] = kept.network(x)
        return replace(kept, levels=levels, network=portable_head(self.source, kept))


def portable_head(source: Source, kept: Result) -> torch.nn.Module | None:
    """The network of a result from the blend; a map of the features alone if structure has a share in the view.

    Spectral coordinates mean nothing on another graph.
    """
    if not source.blend.share:
        return kept.network
    labels = kept.levels[-1].argmax(dim=1).numpy()
    return LabelHead.fit(source.blend.smooth, labels, kept.levels[-1].shape[1])
