from __future__ import annotations

from pathlib import Path

from experiments.made_up import make_record
from hoscpool.experiments import Results, Store
from hoscpool.report.results.row_verdicts import (
    choice_sentence,
    mu_grid,
    reading_text,
    verdict_grid,
    verdict_lines,
    verdict_summary,
)


def make_results(folder: Path, scores: dict[tuple[str, str], float]) -> Results:
    store = Store(folder)
    for (dataset, method), score in scores.items():
        store.append(make_record("clustering", dataset, method, 0, {"nmi": score, "hard_objective": 0.0}))
    return Results(folder)


ROW = {("syn1-r95", "mincut"): 0.01, ("syn1-r95", "hp-1-mu-0"): 0.06, ("syn1-r95", "hp-2-mu-0"): 0.96}


def line(results: Results, graph: str) -> str:
    return next(text for text in verdict_lines(results).splitlines() if text.startswith(f"- **{graph}.**"))


def test_a_row_that_reproduces_names_its_reading_and_that_it_saw_the_classes(tmp_path: Path) -> None:
    results = make_results(tmp_path, {**ROW, ("syn1-r95", "hosc-mu-0"): 0.97})
    expected = "All four numbers are near with μ = 0 and r = .95 (uses the classes). Not every setting was run yet."
    assert line(results, "Syn1") == f"- **Syn1.** {expected}"
    assert line(results, "Cora") == "- **Cora.** Not run yet."
    rows = {row[0]: row[1:] for row in verdict_grid(results).rows}
    assert rows["Syn1"][:3] == ("r = .95 (uses the classes)", "0", "0.010 (0.043)")
    assert rows["Syn1"][-2:] == ("4 of 4", "1")
    assert set(rows["Cora"][1:]) == {"–"}


def test_a_row_that_does_not_reproduce_says_what_is_near_where(tmp_path: Path) -> None:
    others = {("syn1", name): 0.98 for name in ("mincut", "hp-1", "hp-2", "hosc")}
    text = line(make_results(tmp_path, {**ROW, ("syn1-r95", "hosc-mu-0"): 0.8, **others}), "Syn1")
    assert "**Syn1.** Near with μ = 0 and r = .95 (uses the classes): MinCut" in text
    assert "HoscPool is near with μ = 0.1." in text
    none = line(make_results(tmp_path / "b", {**ROW, ("syn1-r95", "hosc-mu-0"): 0.8}), "Syn1")
    assert " Under no setting: HoscPool." in none


def test_rows_are_counted_by_how_much_of_them_is_near(tmp_path: Path) -> None:
    assert verdict_summary(Results(tmp_path)) == "Nothing was run yet."
    cora = {("cora", name): 0.4 for name in ("mincut", "hp-1", "hp-2", "hosc")}
    part = make_results(tmp_path / "a", {**cora, **ROW, ("syn1-r95", "hosc-mu-0"): 0.5})
    assert (
        verdict_summary(part)
        == "**No row reproduces as a whole. Of four numbers are near: three on Syn1; two on Cora.**"
    )
    whole = make_results(tmp_path / "b", {**ROW, ("syn1-r95", "hosc-mu-0"): 0.97})
    assert verdict_summary(whole) == "**Of four numbers are near: all on Syn1.**"


def test_every_mu_of_every_row(tmp_path: Path) -> None:
    scores = {("cora", "hosc-mu-0"): 0.1, ("cora", "hosc"): 0.2, ("cora", "hosc-mu-1"): 0.3}
    results = make_results(tmp_path, scores)
    rows = {row[:2]: row[2:] for row in mu_grid(results).rows}
    assert choice_sentence(results) == "The choice without classes has the best mean in 0 of 1 cases."
    assert rows["Cora", "HoscPool"][:4] == ("0.502", "0.100 (1)", "0.200 (1)", "0.300 (1)")
    assert rows["Cora", "HoscPool"][4:] == ("0.100 (μ = 0)", "0.300 (μ = 1)")
    assert rows["Cora", "HP-1"] == ("0.435", "not run", "not run", "not run", "–", "–")
    assert len(rows) == 12 * 3


def test_readings_in_words() -> None:
    assert reading_text("karate") == "as in Table 1"
    assert reading_text("karate-stats") == "statistics"
    assert reading_text("karate-label") == "label-correlated (uses the classes)"
