"""Results as plain records, one for every contender of every case, for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hoscpool.bench.model import CaseResult, Outcome


def to_records(result: CaseResult) -> list[dict[str, Any]]:
    """The records of one case; a case without data gives one record that says so."""
    case = {"task": result.case.task, "on": result.case.on, **result.facts}
    if not result.outcomes:
        return [{**case, "contender": None, "status": "no data", "note": result.note}]
    return [{**case, **_record(result, outcome)} for outcome in result.outcomes]


def _record(result: CaseResult, outcome: Outcome) -> dict[str, Any]:
    best = outcome.best
    return {
        "contender": outcome.contender.name,
        "threads": outcome.contender.threads,
        "status": outcome.status,
        "note": outcome.note,
        "compared": outcome.contender.compared,
        "remark": outcome.contender.remark,
        "seconds": best.seconds if best else None,
        "cpu_seconds": best.cpu_seconds if best else None,
        "runs": [run.seconds for run in outcome.runs],
        "memory": outcome.memory,
        "ratio": result.ratio(outcome),
        "target": {name: value for name, value in asdict(outcome.contender.target).items() if value is not None},
        "reached": result.is_reached(outcome),
    }
