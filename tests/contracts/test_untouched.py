"""No call changes what the process shares: random states, threads, the default type, warnings, environment."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import joblib
import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.base import clone
from threadpoolctl import threadpool_info
from torch_geometric.data import Data

import hoscpool as hp
from hoscpool import metrics

GRAPH = nx.planted_partition_graph(3, 10, 0.8, 0.1, seed=0)
EDGES = torch.tensor(list(GRAPH.edges)).T


@cache
def _pool() -> hp.nn.HoscPool:
    """Made once: its parameters are drawn from torch's generator, as those of every module."""
    return hp.nn.HoscPool(4, 2)


def _fail() -> None:
    with pytest.raises(ValueError, match="n_clusters"):
        fit(n_clusters=0)


def fit(n_clusters: int = 3, **settings: Any) -> hp.HoscClustering:
    x = np.random.default_rng(0).standard_normal((30, 3)) if "preset" in settings else None
    return hp.HoscClustering(n_clusters, random_state=0, **settings).fit(x, graph=GRAPH)


def _graphs() -> list[Data]:
    both = torch.cat([EDGES, EDGES.flip(0)], 1)
    return [Data(x=torch.full((30, 2), float(i % 2)), edge_index=both, y=torch.tensor([i % 2])) for i in range(12)]


CALLS: dict[str, Callable[[], object]] = {
    "network": lambda: fit(solver="network", max_epochs=3, n_init=1),
    "multilevel": lambda: fit(solver="multilevel"),
    "paper": lambda: fit(preset="paper", max_epochs=3),
    "spectral": lambda: hp.MotifSpectralClustering(3, random_state=0).fit(GRAPH),
    "motifs": lambda: hp.motif_adjacency(GRAPH, "clique4"),
    "metrics": lambda: metrics.motif_conductance(GRAPH, [i // 10 for i in range(30)]),
    "pool": lambda: _pool()(torch.ones(30, 4), torch.cat([EDGES, EDGES.flip(0)], 1)).loss.backward(),
    "classifier": lambda: hp.GraphClassifier(random_state=0, max_epochs=1, hidden=4, n_pools=1).fit(_graphs()),
    "failure": lambda: _fail(),
}


def shared_state() -> dict[str, Any]:
    return {
        "torch seed": torch.random.get_rng_state().tolist(),
        "numpy seed": str(np.random.get_state()),  # noqa: NPY002
        "torch threads": torch.get_num_threads(),
        "other threads": sorted((pool["filepath"], pool["num_threads"]) for pool in threadpool_info()),
        "type": torch.get_default_dtype(),
        "gradients": torch.is_grad_enabled(),
        "warnings": list(warnings.filters),
        "show": warnings.showwarning,
        "errors": np.geterr(),
        "environment": dict(os.environ),
        "folder": os.getcwd(),  # noqa: PTH109
    }


@pytest.mark.parametrize("name", CALLS)
def test_nothing_that_is_shared_changes(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        CALLS[name]()  # the first call imports modules, and PyG sets things up
        before = shared_state()
        CALLS[name]()
        after = shared_state()
    assert {key for key, value in before.items() if after[key] != value} == set()


def assignments(seed: int) -> bytes:
    model = hp.HoscClustering(3, random_state=seed, solver="network", max_epochs=3, n_init=1, starts="spectral")
    return np.asarray(model.fit(GRAPH).assignment_).tobytes()


def test_fits_in_threads_are_those_of_one_thread_and_give_the_threads_back() -> None:
    alone = [assignments(seed) for seed in range(6)]
    before = shared_state()
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(assignments, range(6))) == alone
    after = shared_state()
    assert {key for key, value in before.items() if after[key] != value} == set()


def test_fits_under_joblib_are_the_same() -> None:
    alone = [assignments(seed) for seed in range(2)]
    assert joblib.Parallel(n_jobs=2, prefer="threads")(joblib.delayed(assignments)(seed) for seed in range(2)) == alone


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fits_after_fork_are_the_same() -> None:
    """A child of a process in which torch had several threads waits forever when it uses several itself."""
    code = """
import os, hashlib, signal
import networkx as nx, hoscpool as hp, torch
from torch_geometric.data import Data
torch.set_num_threads(2)
graph = nx.planted_partition_graph(3, 10, 0.8, 0.1, seed=0)
edges = torch.tensor(list(graph.edges)).T
edges = torch.cat([edges, edges.flip(0)], 1)
graphs = [Data(x=torch.full((30, 2), float(i % 2)), edge_index=edges, y=torch.tensor([i % 2])) for i in range(12)]
def fit():
    model = hp.HoscClustering(3, random_state=0, solver="network", max_epochs=3, n_init=1).fit(graph)
    classifier = hp.GraphClassifier("hosc", max_epochs=2, hidden=4, random_state=0).fit(graphs)
    used = [classifier.predict_proba(graphs), classifier.diagnose(graphs), classifier.assignments(graphs[0])]
    return hashlib.sha256(model.assignment_.tobytes() + used[0].tobytes()).hexdigest()
(torch.ones(2_000_000) * 2).sum()
here = fit()
read, write = os.pipe()
child = os.fork()
if not child:
    signal.alarm(120)
    os.write(write, fit().encode())
    os._exit(0)
os.close(write)
assert os.read(read, 100).decode() == here
os.waitpid(child, 0)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False, timeout=300, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("name", ["network", "multilevel", "spectral"])
def test_estimators_pickle_copy_and_clone(name: str) -> None:
    model: Any = CALLS[name]()
    for found in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(found.labels_, model.labels_)
        assert found.get_params() == model.get_params()
    again = clone(model).fit(GRAPH) if name == "spectral" else clone(model).fit(graph=GRAPH)
    np.testing.assert_array_equal(again.labels_, model.labels_)


@pytest.mark.slow
def test_labels_do_not_depend_on_the_number_of_threads() -> None:
    """9,000 nodes: more than those from which fits used to take several threads."""
    code = """
import hashlib, warnings
import numpy as np, hoscpool as hp, scipy.sparse as sp
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
group = np.arange(9000) % 4
ends = rng.integers(9000, size=(2, 60000))
keep = (group[ends[0]] == group[ends[1]]) | (rng.random(60000) < 0.1)
graph = hp.as_graph(sp.coo_array((np.ones(keep.sum()), tuple(ends[:, keep])), shape=(9000, 9000)), directed=False)
x = rng.standard_normal((9000, 6)) + group[:, None]
digest = hashlib.sha256()
for settings in ({"preset": "paper", "max_epochs": 8}, {"solver": "multilevel"}):
    model = hp.HoscClustering(4, random_state=0, **settings).fit(x, graph=graph)
    digest.update(model.labels_.tobytes() + model.assignment_.tobytes())
print(digest.hexdigest())
"""
    found = set()
    for threads in ("1", "2", "3"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1


@pytest.mark.slow
def test_no_nan_after_many_epochs_at_a_high_rate() -> None:
    graph = nx.disjoint_union(nx.complete_graph(4), nx.empty_graph(3))
    x = np.random.default_rng(0).standard_normal((len(graph), 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = hp.HoscClustering(
            2, random_state=0, preset="paper", max_epochs=10_000, patience=10_000, learning_rate=10.0
        ).fit(x, graph=graph)
    assert np.isfinite(model.history_["loss"]).all()
    assert np.isfinite(model.assignment_).all()
