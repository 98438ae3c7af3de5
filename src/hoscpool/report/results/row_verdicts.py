"""Which reading of the features, and which μ, reproduce each row of Table 1: tables and sentences from the records."""

from __future__ import annotations

import math
from collections.abc import Callable

from hoscpool.datasets import dataset_info
from hoscpool.experiments import MU_VALUES, NOTHING, Results, find_experiment, measured_text, published
from hoscpool.experiments.tables import TRAINED, Attempt, Summary, attempts, best_attempt, choose_mu, paper_rows
from hoscpool.support.text_tables import Grid

AS_IT_IS = "as in Table 1"
BY_LABELS = "(uses the classes)"
_NUMBERS = ("none", "one", "two", "three", "all")


def _title(method: str) -> str:
    return find_experiment("clustering").title(method)


def verdict_grid(results: Results) -> Grid:
    """One row a graph of Table 1: the reading and the μ that come nearest to it."""
    columns = ("graph", "nearest reading", "μ", *map(_title, TRAINED), "near", "seeds")
    return Grid("Table 1 under its nearest reading: measured (published)", columns, [
        _verdict(dataset, best_attempt(attempts(results, dataset))) for dataset in paper_rows()
    ])  # fmt: skip


def _verdict(dataset: str, best: Attempt | None) -> tuple[str, ...]:
    label = dataset_info(dataset).label
    if best is None:
        return (label, "not run", *[NOTHING] * (3 + len(TRAINED)))
    numbers = (f"{best.scores[method].mean:.3f} ({best.printed[method]:.3f})" for method in TRAINED)
    near = f"{len(best.near)} of {len(TRAINED)}"
    return (label, reading_text(best.dataset), f"{best.mu:g}", *numbers, near, str(best.seeds))


def reading_text(dataset: str) -> str:
    """A reading in a few words, with a mark if it uses the classes."""
    info = dataset_info(dataset)
    if not info.reading_of:
        return AS_IT_IS
    return info.label.split(", ", 1)[1] + (f" {BY_LABELS}" if info.uses_labels else "")


def verdict_summary(results: Results) -> str:
    """Which rows of Table 1 reproduce as a whole, and which in part."""
    rows: dict[int, list[str]] = {}
    for name in paper_rows():
        if (best := best_attempt(attempts(results, name))) is not None:
            rows.setdefault(len(best.near), []).append(dataset_info(name).label)
    if not rows:
        return "Nothing was run yet."
    parts = [f"{_NUMBERS[number]} on {', '.join(rows[number])}" for number in sorted(rows, reverse=True)]
    whole = "" if len(TRAINED) in rows else "No row reproduces as a whole. "
    return f"**{whole}Of four numbers are near: {'; '.join(parts)}.**"


def verdict_lines(results: Results) -> str:
    """One sentence or two for every row of Table 1, as a list."""
    return "\n".join(f"- **{dataset_info(name).label}.** {_sentences(results, name)}" for name in paper_rows())


def _sentences(results: Results, dataset: str) -> str:
    found = attempts(results, dataset)
    best = best_attempt(found)
    if best is None:
        return "Not run yet."
    open_end = "" if all(attempt.is_complete for attempt in found) else " Not every setting was run yet."
    if len(best.near) == len(TRAINED):
        return f"All four numbers are near {_setting(best)}.{open_end}"
    reached = {method: min(found, key=_distance_by(method)) for method in TRAINED}
    others = [m for m in TRAINED if m not in best.near and m in reached[m].near]
    never = [m for m in TRAINED if m not in reached[m].near]
    parts = [_first(best)]
    parts += [f"{_title(method)} is near {_setting(reached[method])}." for method in others]
    parts += [f"Under no setting: {_names(never)}."] if never else []
    return " ".join(parts) + open_end


def _first(best: Attempt) -> str:
    if not best.near:
        return f"No number is near in the nearest setting, {_setting(best)}."
    return f"Near {_setting(best)}: {_names(best.near)}."


def _distance_by(method: str) -> Callable[[Attempt], float]:
    return lambda attempt: attempt.distance(method) if method in attempt.scores else math.inf


def _setting(attempt: Attempt) -> str:
    """Where an attempt was made, as the end of a sentence."""
    mu = f"with μ = {attempt.mu:g}"
    reading = reading_text(attempt.dataset)
    return mu if reading == AS_IT_IS else f"{mu} and {reading}"


def _names(methods: list[str]) -> str:
    return ", ".join(map(_title, methods))


def mu_grid(results: Results) -> Grid:
    """One row a graph and a method: every μ, the one chosen without classes, and the best of three."""
    values = tuple(MU_VALUES["hosc"])
    columns = ("", "method", "published", *(f"μ = {mu:g}" for mu in values), "chosen without classes", "best of three")
    rows = [_mu_row(results, dataset, method) for dataset in paper_rows() for method in MU_VALUES]
    return Grid("NMI by μ (number of seeds). Best of three: chosen by the classes", columns, rows)


def choice_sentence(results: Results) -> str:
    """How often the choice without classes is the best of three."""
    choices = [choose_mu(results, dataset, method) for dataset in paper_rows() for method in MU_VALUES]
    pairs = [(c.by_mu[c.unseen].mean, max(s.mean for s in c.by_mu.values())) for c in choices if c.unseen is not None]
    best = sum(math.isclose(chosen, highest, abs_tol=1e-9) for chosen, highest in pairs)
    return f"The choice without classes has the best mean in {best} of {len(pairs)} cases."


def _mu_row(results: Results, dataset: str, method: str) -> tuple[str, ...]:
    choice = choose_mu(results, dataset, method)
    printed = published("Table 1", dataset, method, "nmi")
    chosen = (
        NOTHING if mu is None else f"{choice.by_mu[mu].mean:.3f} (μ = {mu:g})"
        for mu in (choice.unseen, choice.by_labels)
    )
    return (
        dataset_info(dataset).label,
        _title(method),
        NOTHING if printed is None else f"{printed.value:.3f}",
        *(_with_seeds(choice.by_mu.get(mu)) for mu in MU_VALUES[method]),
        *chosen,
    )


def _with_seeds(summary: Summary | None) -> str:
    text = measured_text(summary, 3)
    return text if summary is None else f"{text} ({summary.count})"
