"""The functions of the backend against those of NetworkX, and NetworkX's own tests run on the backend."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from hoscpool.science import networkx_backend as backend

UNDIRECTED = [name for name in backend.FUNCTIONS if name != "triadic_census"]
GRAPHS = {
    "karate": nx.karate_club_graph(),
    "random": nx.gnp_random_graph(40, 0.2, seed=1),
    "large": nx.powerlaw_cluster_graph(600, 12, 0.5, seed=0),
    "names": nx.relabel_nodes(nx.lollipop_graph(4, 3), dict(enumerate("gfedcba"))),
    "two parts": nx.disjoint_union(nx.complete_graph(4), nx.empty_graph(2)),
    "edgeless": nx.empty_graph(3),
    "empty": nx.Graph(),
}


@pytest.mark.parametrize("name", UNDIRECTED)
@pytest.mark.parametrize("graph", GRAPHS)
def test_same_as_networkx(name: str, graph: str) -> None:
    original = GRAPHS[graph]
    converted = backend.convert_from_nx(original)
    ours, theirs = getattr(backend, name), getattr(nx, name)
    if name == "average_clustering" and not len(original):
        with pytest.raises(ZeroDivisionError):
            ours(converted)
        return
    assert ours(converted) == pytest.approx(theirs(original)) if name != "generalized_degree" else True
    if name == "generalized_degree":
        assert ours(converted) == theirs(original)
    if name != "transitivity" and len(original) > 2:
        some = list(original)[:2]
        assert ours(converted, some) == pytest.approx(theirs(original, some)) if name != "generalized_degree" else True
        if name != "average_clustering":
            assert ours(converted, some[0]) == theirs(original, some[0])
            assert list(ours(converted)) == list(theirs(original))


@pytest.mark.parametrize("density", [0, 0.05, 0.3, 0.9])
def test_triadic_census(density: float) -> None:
    for seed in range(3):
        graph = nx.gnp_random_graph(15 + seed, density, seed=seed, directed=True)
        assert backend.triadic_census(backend.convert_from_nx(graph)) == nx.triadic_census(graph)


def test_what_is_left_to_networkx() -> None:
    loop = nx.Graph([(0, 0), (0, 1)])
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("triangles", (nx.MultiGraph(),), {}),
        ("triangles", (nx.DiGraph(),), {}),
        ("triadic_census", (nx.Graph(),), {}),
        ("triadic_census", (nx.DiGraph(), [0]), {}),
        ("clustering", (nx.Graph(),), {"weight": "weight"}),
        ("clustering", (nx.Graph(), None, "weight"), {}),
        ("square_clustering", (loop,), {}),
    ]
    for name, args, kwargs in calls:
        assert "not supported" in str(backend.can_run(name, args, kwargs)) or "supported" in str(
            backend.can_run(name, args, kwargs)
        )
        assert backend.can_run(name, args, kwargs) is not True
    assert backend.can_run("triangles", (), {"G": GRAPHS["karate"]}) is True
    assert backend.should_run("triangles", (GRAPHS["karate"],), {}) is not True
    assert backend.should_run("triangles", (GRAPHS["large"],), {}) is True


def test_there_and_back() -> None:
    for graph in (GRAPHS["names"], nx.DiGraph([(2, 1), (1, 3)])):
        back = backend.convert_to_nx(backend.convert_from_nx(graph))
        assert nx.utils.graphs_equal(back, graph)
    assert backend.convert_to_nx(3) == 3


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """An environment in which NetworkX finds the backend, also where the package was installed before it had one."""
    found = [point for point in entry_points(group="networkx.backends") if point.name == "hoscpool"]
    path = [str(Path(backend.__file__).parents[2])]
    if not found:
        info = folder / "hoscpool_backend-0.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hoscpool-backend\nVersion: 0.0\n")
        module = backend.__name__
        (info / "entry_points.txt").write_text(
            f"[networkx.backends]\nhoscpool = {module}\n\n[networkx.backend_info]\nhoscpool = {module}:get_info\n"
        )
        path.append(str(folder))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), **variables}


def test_networkx_finds_it(tmp_path: Path) -> None:
    code = (
        "import networkx as nx; G = nx.karate_club_graph();"
        "assert nx.triangles(G, backend='hoscpool') == nx.triangles(G);"
        "cache = getattr(G, '__networkx_cache__', {'backends': ['hoscpool']});"  # NetworkX 3.2 has none
        "assert any('hoscpool' in str(key) for key in cache['backends']), 'not cached';"
        "assert nx.transitivity(G, backend='hoscpool') == nx.transitivity(G)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment(tmp_path), cwd=tmp_path)


@pytest.mark.slow
def test_their_own_tests_pass(tmp_path: Path) -> None:
    """NetworkX's tests of these functions, with every call dispatched to the backend."""
    modules = [f"networkx.algorithms.tests.test_{name}" for name in ("cluster", "triads")]
    variables = {"NETWORKX_TEST_BACKEND": "hoscpool", "NETWORKX_FALLBACK_TO_NX": "True"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "--pyargs", *modules],
        capture_output=True, text=True, check=False, env=environment(tmp_path, **variables), cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
