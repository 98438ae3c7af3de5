"""Motifs on blocks: the matrices of the graph in memory, bit by bit, in any number of ranges and by any worker."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from block_cases import GRAPHS, assert_same_matrix, graph_named
from hoscpool.distributed import BlockGraph, build_blocks, count_record, countable, open_blocks
from hoscpool.distributed.blocks import INTERPRETER
from hoscpool.distributed.counting import block_motifs
from hoscpool.distributed.counting.count_files import CountFiles
from hoscpool.distributed.counting.count_kinds import COUNT_KINDS
from hoscpool.distributed.counting.task_steps import Done, Job, count_task
from hoscpool.support.errors import MemoryEstimateError

PLAIN = ["edge", "wedge", "triangle", "cycle4", "clique4"]


def test_the_motifs_that_are_counted() -> None:
    assert countable(False) == PLAIN
    assert countable(True) == ["edge", "wedge", "triangle", "clique4"]


@pytest.mark.parametrize(("name", "num_ranges"), [*product(GRAPHS, [2, 5]), *product(["hub"], range(1, 9))])
def test_equal_to_memory_bit_by_bit(name: str, num_ranges: int, tmp_path: Path) -> None:
    graph = graph_named(name)
    blocks = build_blocks(graph, tmp_path / "blocks", num_ranges=num_ranges)
    for induced in (False, True):
        for motif in countable(induced):
            expected = hp.motif_adjacency(graph, motif, on_edges=True, induced=induced)
            found = hp.motif_adjacency(blocks, motif, on_edges=True, induced=induced)
            assert_same_matrix(found.to_matrix(), expected)
            assert found.count_instances() == hp.motif_count(graph, motif, induced=induced)
            assert found.count_entries() == expected.nnz


def test_the_compiled_kernels_of_large_graphs_agree(tmp_path: Path) -> None:
    graph = hp.as_graph(nx.barabasi_albert_graph(2_000, 12, seed=3))
    blocks = build_blocks(graph, tmp_path / "blocks", num_ranges=4)
    for motif in PLAIN:
        matrix = hp.motif_adjacency(blocks, motif, on_edges=True).to_matrix()
        assert_same_matrix(matrix, hp.motif_adjacency(graph, motif, on_edges=True))


def test_the_parts_are_the_matrix(tmp_path: Path) -> None:
    graph = graph_named("hub")
    matrix = hp.motif_adjacency(graph, "triangle").toarray()
    seen = np.zeros_like(matrix)
    for rows, cols, counts in hp.motif_adjacency(build_blocks(graph, tmp_path / "b", num_ranges=3), "triangle"):
        seen[rows, cols] += counts
        seen[cols, rows] += counts
    np.testing.assert_array_equal(seen, matrix)


def test_processes_count_the_same(tmp_path: Path) -> None:
    graph = graph_named("grown")
    blocks = build_blocks(graph, tmp_path / "blocks", num_ranges=3)
    found = hp.motif_adjacency(blocks, "clique4", n_threads=2, memory="1 GB")
    assert_same_matrix(found.to_matrix(), hp.motif_adjacency(graph, "clique4"))


def test_a_finished_count_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = build_blocks(graph_named("random"), tmp_path / "blocks", num_ranges=2)
    first = hp.motif_adjacency(blocks, "triangle").to_matrix()
    monkeypatch.setattr(block_motifs, "run_here", None)
    assert_same_matrix(hp.motif_adjacency(open_blocks(tmp_path / "blocks"), "triangle").to_matrix(), first)
    hp.motif_adjacency(blocks, "wedge", on_edges=True)  # made of degrees and triangles
    assert sorted(path.name for path in (tmp_path / "blocks" / "counts").iterdir()) == [".t.lock", "t"]


class StopError(Exception):
    """The end of a run."""


@pytest.fixture
def half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BlockGraph:
    """Blocks on which counting of triangles ended after seven of twenty tasks."""
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks", num_ranges=4)

    def few(step: Any, job: Any, steps: Any) -> Any:
        yield from (step(job, one) for one in steps[:7])
        raise StopError

    with monkeypatch.context() as patch:
        patch.setattr(block_motifs, "run_here", few)
        with pytest.raises(StopError):
            hp.motif_adjacency(blocks, "triangle")
    return blocks


def test_finished_tasks_are_kept(half: BlockGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    files, counted = CountFiles(half, COUNT_KINDS["t"], 4), []
    assert not files.is_complete()
    assert len(list((files.unfinished / "tasks").iterdir())) == 7

    def noted(job: Job, task: Any) -> Done:
        counted.append(task)
        return count_task(job, task)

    monkeypatch.setattr(block_motifs, "count_task", noted)
    expected = hp.motif_adjacency(graph_named("grown"), "triangle")
    assert_same_matrix(hp.motif_adjacency(half, "triangle").to_matrix(), expected)
    assert len(counted) == 13
    assert not files.unfinished.exists()


def test_a_damaged_partial_count_is_found(half: BlockGraph) -> None:
    files = CountFiles(half, COUNT_KINDS["t"], 4)
    damaged = next((files.unfinished / "tasks").iterdir())
    content = bytearray(damaged.read_bytes())
    content[len(content) // 3] ^= 0xFF
    damaged.write_bytes(content)
    with pytest.raises(ValueError, match="was damaged and is removed; run the same again"):
        hp.motif_adjacency(half, "triangle")
    assert not files.is_complete()
    expected = hp.motif_adjacency(graph_named("grown"), "triangle")
    assert_same_matrix(hp.motif_adjacency(half, "triangle").to_matrix(), expected)


def test_counts_of_other_blocks_are_not_taken(half: BlockGraph, tmp_path: Path) -> None:
    other = build_blocks(graph_named("hub"), tmp_path / "other", num_ranges=4)
    (half.folder / "counts").rename(other.folder / "counts")
    assert_same_matrix(
        hp.motif_adjacency(other, "triangle").to_matrix(), hp.motif_adjacency(graph_named("hub"), "triangle")
    )


def test_two_processes_do_not_count_the_same_at_once(tmp_path: Path) -> None:
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks")
    with CountFiles(blocks, COUNT_KINDS["t"]).begin():
        with pytest.raises(BlockingIOError, match="another process counts triangles in this folder; wait for it"):
            hp.motif_adjacency(blocks, "triangle")
        hp.motif_adjacency(blocks, "clique4")


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "mkdir", refuse)  # an administrator may write everywhere
    with pytest.raises(PermissionError, match=r"counts are written into the folder of the blocks.*copy the folder"):
        hp.motif_adjacency(blocks, "triangle")


def test_the_record_of_a_count(tmp_path: Path) -> None:
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks", num_ranges=3)
    hp.motif_adjacency(blocks, "triangle")
    record = count_record(blocks, "t")
    assert (record["groups"], record["tasks"]) == (3, 10)
    assert record["seconds"] > 0
    assert record["memory"] > 50e6


def test_a_damaged_sum_is_found(tmp_path: Path) -> None:
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks", num_ranges=2)
    found = hp.motif_adjacency(blocks, "triangle")
    path = tmp_path / "blocks" / "counts" / "t" / "0-1.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\xff")
    with pytest.raises(ValueError, match=r"0-1\.npy: is damaged; remove the folder .*t, and count again"):
        found.to_matrix()


def test_altered_blocks_are_not_counted(tmp_path: Path) -> None:
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks", num_ranges=2)
    path = tmp_path / "blocks" / "block-0-1.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(ValueError, match=r"block-0-1\.npy: was altered since it was built; build the blocks again"):
        hp.motif_adjacency(blocks, "triangle")


def test_too_little_memory_for_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks", num_ranges=2)
    needed = INTERPRETER + COUNT_KINDS["t"].needed(blocks, 2)
    with pytest.raises(
        MemoryEstimateError, match=r"a task that counts triangles on these blocks needs .* build the blocks"
    ):
        hp.motif_adjacency(blocks, "triangle", memory=needed - 1)
    hp.motif_adjacency(blocks, "triangle", memory=needed)
    monkeypatch.setattr(block_motifs, "available_memory", lambda: 1000)
    with pytest.raises(MemoryEstimateError, match="to each of fewer workers"):
        hp.motif_adjacency(blocks, "clique4")


def test_ranges_are_put_together_as_far_as_memory_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_named("grown")
    blocks = build_blocks(graph, tmp_path / "blocks", num_ranges=9)
    for kind in (COUNT_KINDS["t"], COUNT_KINDS["k"]):
        monkeypatch.setitem(COUNT_KINDS, kind.name, replace(kind, least=1))
    needed = [COUNT_KINDS["t"].needed(blocks, number) for number in range(1, 10)]
    assert needed == sorted(needed, reverse=True)
    assert [COUNT_KINDS["t"].num_groups(blocks, room) for room in (needed[0], needed[3], 1)] == [1, 4, 9]
    for room in (needed[0], needed[1], needed[4]):
        for motif in ("triangle", "clique4"):
            found = hp.motif_adjacency(blocks, motif, memory=INTERPRETER + 3 * room)
            assert_same_matrix(found.to_matrix(), hp.motif_adjacency(graph, motif))
        shutil.rmtree(tmp_path / "blocks" / "counts")


def test_an_interrupted_count_keeps_its_groups(half: BlockGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COUNT_KINDS, "t", replace(COUNT_KINDS["t"], least=1))
    counted = []

    def noted(job: Job, task: Any) -> Done:
        counted.append(task)
        return count_task(job, task)

    monkeypatch.setattr(block_motifs, "count_task", noted)
    hp.motif_adjacency(half, "triangle")
    assert len(counted) == 13


WRONG: dict[str, tuple[tuple[str, ...], dict[str, Any], str]] = {
    "a motif without counts on blocks": (
        ("star4",),
        {"on_edges": True},
        "star4 is not counted on blocks; counted are edge",
    ),
    "an induced one": (("cycle4",), {"induced": True, "on_edges": True}, "induced cycle4 is not counted on blocks"),
    "a directed one": (("M1",), {}, "M1 is not counted on blocks"),
    "pairs apart": (("wedge",), {}, "on_edges: wedge also counts pairs that are not joined.*on_edges=True"),
    "weights": (("triangle",), {"weights": "mean"}, "weights, as_torch: a graph in blocks has counts only"),
    "a tensor": (("triangle",), {"as_torch": True}, "weights, as_torch: a graph in blocks has counts only"),
    "no size": (("triangle",), {"memory": "much"}, "memory: expected a size in bytes"),
    "too small": (("triangle",), {"memory": INTERPRETER}, "memory: expected more than 300 MB"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_question(case: str, tmp_path: Path) -> None:
    motifs, options, message = WRONG[case]
    blocks = build_blocks(graph_named("star"), tmp_path / "blocks")
    with pytest.raises(ValueError, match=message):
        hp.motif_adjacency(blocks, *motifs, **options)


def test_options_of_blocks_need_blocks() -> None:
    with pytest.raises(ValueError, match="scheduler, memory: expected a graph in blocks"):
        hp.motif_adjacency(graph_named("star"), memory="2 GB")


def test_a_matrix_that_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = hp.motif_adjacency(build_blocks(graph_named("grown"), tmp_path / "blocks"), "triangle")
    monkeypatch.setattr("hoscpool.support.machine.available_memory", lambda: 1000)
    with pytest.raises(MemoryEstimateError, match=r"the matrix of triangle with .* iterate over the result instead"):
        found.to_matrix()
