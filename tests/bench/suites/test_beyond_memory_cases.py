from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from hoscpool.bench.graphs.streamed import edge_parts, write_edges
from hoscpool.bench.harness.cases import Target
from hoscpool.bench.suites import beyond_memory_cases as cases

pytest.importorskip("pyarrow")


def test_targets_and_order() -> None:
    found = list(cases.beyond_memory_cases(["62m", "250m"]))
    assert [case.title for case in found] == [
        "build blocks, 62,000,000 edges, 1GB a worker",
        "count on blocks, 62,000,000 edges, 1GB a worker",
        "build blocks, 250,000,000 edges, 2GB a worker",
        "count on blocks, 250,000,000 edges, 2GB a worker",
    ]
    assert found[1].contenders[1].target == Target(ratio=0.25)
    assert len(found[3].contenders) == 1
    for case in found:
        for contender in case.contenders:
            assert pickle.loads(pickle.dumps(contender)).name == contender.name


def test_a_graph_that_is_kept_is_not_generated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cases.SIZES, "100k", 20_000)
    source = cases.write_graph("100k", tmp_path)
    assert cases.facts_of(source)["rows"] > 19_000
    monkeypatch.setattr(cases, "edge_parts", None)
    cases.write_graph.cache_clear()
    assert cases.write_graph("100k", tmp_path) == source
    cases.write_graph.cache_clear()


@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_blocks_and_memory_give_the_same_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_edges(tmp_path / "g.parquet", edge_parts(20_000))
    source = cases.EdgeFile(tmp_path / "g.parquet", tmp_path / "blocks", "1GB")
    building, (on_blocks, in_memory) = cases.building_case("1m"), cases.counting_case("1m").contenders
    measures = cases.ranges_and_memory(source, building.contenders[0].answer(source, cases.build(source)))
    assert measures["ranges"] == 1
    ours = on_blocks.answer(source, on_blocks.run(on_blocks.prepare(source)))
    theirs = in_memory.answer(source, in_memory.run(in_memory.prepare(source)))
    assert cases.same_counts(ours, theirs) is None
    assert cases.same_counts(ours, [*theirs[:2], theirs[2] + 1, 0]) is not None
    assert cases.memory_of_worker(source, ours)["MB of a worker"] > 50
    monkeypatch.setattr(cases, "CALL", "raise ValueError('no memory')")
    with pytest.raises(RuntimeError, match="ValueError: no memory"):
        on_blocks.run(source)
