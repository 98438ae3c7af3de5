"""Results for keeping: a section of the markdown page, or JSON."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hoscpool.bench.document import write_json, write_section
from hoscpool.bench.harness import Settings
from hoscpool.bench.machine import machine_summary, versions
from hoscpool.bench.model import CaseResult
from hoscpool.bench.records import to_records
from hoscpool.bench.tables import case_grid, disturbance, ratio_grids, to_markdown

BASICS = ("hoscpool", "numba", "numpy", "scipy")
HOW = """\
Every contender runs in a process of its own, held to the stated number of threads. After a warm-up the processes take
turns (ours, the first peer, the second, …, ours, …), and the best run counts. The conversion of the input to a peer's
own structure is not timed; all of our own set-up is. Answers are compared in the same run: a peer that disagrees is
shown as such. *Ratio*: a peer's time divided by ours. *Memory*: peak beyond the input, in the warm-up. *CPU*: processor
time divided by wall-clock time."""


@dataclass(frozen=True)
class SuiteRun:
    """A suite that has run: its name, what it compares, how it was measured, and the results."""

    name: str
    method: str
    settings: Settings
    results: Sequence[CaseResult]

    def write(self, path: Path) -> None:
        """Write everything to a ``.json`` file, or a section to a ``.md`` file."""
        if path.suffix == ".json":
            write_json(path, self.to_json())
        else:
            write_section(path, self.name, self.to_markdown())

    def to_json(self) -> dict[str, Any]:
        """All records, and on what they were measured."""
        records = [record for result in self.results for record in to_records(result)]
        about = {"suite": self.name, "date": _today(), "machine": machine_summary(), "versions": self._versions()}
        return {**about, "settings": asdict(self.settings), "records": records}

    def to_markdown(self) -> str:
        """How it was measured, on what, the ratios, and all details."""
        parts = [
            f"## `hoscpool bench {self.name}`",
            self.method,
            HOW,
            f"{self._circumstances()} {disturbance(self.results)}",
            "### Ratios",
            "HoscPool: its time. Others: how many times slower they are; ✓ reaches the target, ✗ does not.",
            *(to_markdown(grid) for grid in ratio_grids(self.results)),
            "### Details",
            *(to_markdown(case_grid(result)) for result in self.results),
        ]
        return "\n\n".join(part.strip() for part in parts)

    def _circumstances(self) -> str:
        machine = machine_summary()
        computer = f"{machine['processor']}, {machine['cores']} cores, {machine['memory']}, {machine['system']}"
        packages = ", ".join(f"{package} {version}" for package, version in self._versions().items())
        runs = f"Best of up to {self.settings.repeats} runs, {self.settings.budget:g} s for every contender."
        return f"Measured {_today()} on {computer}. {runs} Versions: {packages}."

    def _versions(self) -> dict[str, str]:
        peers = (contender.package for result in self.results for contender in result.case.contenders)
        return versions([*BASICS, *filter(None, peers)])


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()
