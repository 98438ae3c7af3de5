"""`fit`: an estimator's fit by all processes that torchrun started."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar

from hoscpool.classify import GraphClassifier, GraphSet, collate
from hoscpool.cluster import HoscClustering
from hoscpool.distributed.blocks import BlockGraph, is_blocks, open_blocks
from hoscpool.distributed.training.block_training import fit_blocks
from hoscpool.distributed.training.launch import join
from hoscpool.distributed.training.rank_work import Leader, follow
from hoscpool.distributed.training.ranks import RankError, Ranks, Released
from hoscpool.graph import as_graph
from hoscpool.training import working_with

Model = TypeVar("Model", HoscClustering, GraphClassifier)


def fit(
    model: Model,
    data: Any,
    y: Any = None,
    *,
    validation: Any = None,
    features: Any = None,
    timeout: float | None = None,
) -> Model:
    """Fit an estimator with all processes that torchrun started. The result is that of one process, within rounding.

    Every process calls this with the same model. Rank 0 reads, counts motifs, finds the starts and decides. Networks
    are trained by all ranks, and features are smoothed by all: each has some nodes, their rows of every matrix and of
    the features, and a halo of one hop. A graph classifier is trained by DistributedDataParallel. Without torchrun this
    is ``model.fit``.

    Args:
        model: A `HoscClustering` or a `GraphClassifier`. With a ``checkpoint`` the same call continues after a failure,
            on any number of ranks.
        data: The graph, or the graphs of a classifier. On ranks above 0 a graph may be ``None``: they get their part
            from rank 0. If it is given, it must be the same. Graphs of a classifier are needed on every rank.
            A graph in blocks (`open_blocks`, or the path of its folder) is read by every rank: each takes its rows, and
            no rank ever has the whole graph. This works with ``preset="paper"``.
        y: The classes of the graphs, as in `GraphClassifier.fit`.
        validation: Validation graphs, as in `GraphClassifier.fit`.
        features: Features of the nodes, as `as_graph` takes them; for a graph in blocks an array, or the path of a .npy
            file, of which every rank reads its rows.
        timeout: Seconds after which a rank that does not answer counts as lost. Default: the environment variable
            ``HOSCPOOL_RANK_TIMEOUT``, or 300. The first call of a process decides.

    Returns:
        The fitted model, the same on every rank.

    Raises:
        ValueError: The ranks were started with different data or parameters.
        RankError: Another rank ended or does not answer.
    """
    ranks = join(timeout)
    if isinstance(model, HoscClustering) and (isinstance(data, BlockGraph) or is_blocks(data)):
        return _fit_blocks(model, data if isinstance(data, BlockGraph) else open_blocks(data), ranks, features)
    work: Callable[[], Any]
    sets: list[GraphSet] = []
    if isinstance(model, GraphClassifier):
        sets = [collate(data)] + ([] if validation is None else [collate(validation, "validation")])
        marks = [part.fingerprint() for part in sets]
        work = partial(model.fit, sets[0], y, validation=sets[1] if validation is not None else None)
    else:
        graph = None if data is None and ranks is not None and not ranks.leads else as_graph(data, features=features)
        marks = [] if graph is None or ranks is None else [graph.fingerprint]
        work = partial(model.fit, graph)
    if ranks is None:
        work()
        return model
    check_alike(ranks, {"parameters": describe(model), **({"data": "".join(marks)} if marks else {})})
    if ranks.leads:
        with leading(ranks, model.checkpoint):
            work()
    else:
        follow(ranks, *sets)
    return _shared(model, ranks)


def _fit_blocks(model: HoscClustering, graph: BlockGraph, ranks: Ranks | None, features: Any) -> HoscClustering:
    if ranks is None:
        raise ValueError("data: a graph in blocks is trained by several ranks; start this script with torchrun")
    check_alike(ranks, {"parameters": describe(model), "data": graph.key})
    try:
        return _shared(fit_blocks(model, graph, ranks, features), ranks)
    except Released as word:
        raise RankError(f"ranks: rank 0 stopped: {word}") from None
    except RankError as error:
        raise with_folder(error, model.checkpoint) from None


def _shared(model: Model, ranks: Ranks) -> Model:
    """The model as the leader has it. The graph itself is not sent, but its fingerprint is."""
    if ranks.leads and isinstance(model, HoscClustering):
        model.fingerprint_ = model.fingerprint_
    state = ranks.share({name: value for name, value in vars(model).items() if name != "graph_"})
    for name, value in state.items():
        setattr(model, name, value)
    return model


def with_folder(error: RankError, folder: Any) -> RankError:
    """The same error, with the place of the unfinished work."""
    saved = "" if folder is None else f"; unfinished work is in {folder}, any number of ranks can continue it"
    return RankError(f"{error}{saved}")


@contextmanager
def leading(ranks: Ranks, checkpoint: Any = None) -> Iterator[None]:
    """Inside the block, fits of this process are fits of all ranks. At its end the others are free.

    Args:
        ranks: The processes. This one is rank 0.
        checkpoint: Folder of unfinished runs, or ``None``.

    Raises:
        RankError: Another rank is lost. The message says where the unfinished work is.
    """
    try:
        with working_with(Leader(ranks)):
            yield
    except RankError as error:
        ranks.tell()
        raise with_folder(error, checkpoint) from None
    except BaseException as error:
        with suppress(RankError):
            ranks.tell()
            ranks.release(str(error) or type(error).__name__)
        raise
    ranks.release()


def check_alike(ranks: Ranks, said: Mapping[str, str], problem: str = "") -> None:
    """Compare what the ranks were started with. A rank that does not say something is not asked for it.

    Args:
        ranks: The processes. All of them call this.
        said: What must be alike, by name.
        problem: Why this rank cannot take part.

    Raises:
        ValueError: A rank says something else than rank 0, or has a problem. All ranks raise it.
    """
    own = {name: blake2b(text.encode(), digest_size=16).hexdigest() for name, text in said.items()}
    found = ranks.gather((own, problem))
    for rank, (other, trouble) in enumerate(found):
        if trouble:
            raise ValueError(f"ranks: rank {rank} cannot take part: {trouble}")
        for name, digest in found[0][0].items():
            if other.get(name, digest) != digest:
                raise ValueError(f"ranks: rank {rank} has other {name} than rank 0; start all with the same {name}")


def describe(model: Model) -> str:
    """The parameters of an estimator as a text that is the same in every process."""
    given = model.get_params(deep=False)
    return repr({name: getattr(value, "__qualname__", value) for name, value in given.items()})
