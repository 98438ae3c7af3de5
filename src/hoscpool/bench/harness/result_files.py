"""Benchmark results as files: JSON records, and sections of a Markdown page."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hoscpool.bench.harness.cases import CaseResult, Outcome
from hoscpool.bench.harness.measure import Settings
from hoscpool.bench.harness.result_tables import case_grid, disturbance, ratio_grids
from hoscpool.support.files import write_text
from hoscpool.support.machine import machine_summary, versions
from hoscpool.support.text_tables import Grid, to_markdown


def to_records(result: CaseResult) -> list[dict[str, Any]]:
    """The records of one case. A case without data gives one record that says so."""
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
        "measures": outcome.measures,
        "ratio": result.ratio(outcome),
        "target": {name: value for name, value in asdict(outcome.contender.target).items() if value is not None},
        "reached": result.is_reached(outcome),
    }


TITLE = "# Benchmarks\n\nWritten by `hoscpool bench NAME -o FILE`. A section is replaced when its suite runs again.\n"
SUFFIXES = (".md", ".json")
IMAGES = "images"
"""The folder of pictures beside a page."""


def check_output(path: Path) -> Path:
    """The path, if results can be written there.

    Raises:
        ValueError: The extension is unknown.
        FileNotFoundError: The folder does not exist.
    """
    if path.suffix not in SUFFIXES:
        raise ValueError(f"--output: expected a file name ending in {' or '.join(SUFFIXES)} (got {str(path)!r})")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"--output: the folder {str(path.parent)!r} does not exist")
    return path


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write everything that was measured."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def write_section(path: Path, name: str, body: str) -> None:
    """Put a section into a Markdown page and replace its previous version. A new page gets a title."""
    page = path.read_text(encoding="utf-8") if path.exists() else TITLE
    write_text(path, with_section(page, name, body))


def with_section(page: str, name: str, body: str) -> str:
    r"""The page with the section between its two markers, or at the end if there are none.

    Raises:
        ValueError: The page has only one of the two markers.

    Examples:
        >>> with_section("# Page\n", "toy", "new")
        '# Page\n\n<!-- bench:toy:start -->\n\nnew\n\n<!-- bench:toy:end -->\n'
    """
    start, end = f"<!-- bench:{name}:start -->", f"<!-- bench:{name}:end -->"
    section = f"{start}\n\n{body.strip()}\n\n{end}"
    before, found_start, rest = page.partition(start)
    _, found_end, after = rest.partition(end)
    if not found_start and end not in page:
        return f"{page.rstrip()}\n\n{section}\n"
    if not found_end:
        raise ValueError(
            f"expected both {start} and {end}, in this order; repair the page, or remove the one that is there"
        )
    return f"{before}{section}{after}"


BASICS = ("hoscpool", "numba", "numpy", "scipy")
HOW = """\
Every contender runs in its own process with the stated number of threads. After a warm-up the processes take turns
(ours, the first peer, the second, …, ours, …), and the best run counts. Converting the input to a peer's own structure
is not timed. All of our own set-up is timed. Answers are compared in the same run, and the table shows a peer that
disagrees. *Ratio*: a peer's time divided by ours. *Memory*: peak beyond the input, in the warm-up. *CPU*: processor
time divided by wall-clock time."""


@dataclass(frozen=True)
class SuiteRun:
    """A finished suite.

    Attributes:
        name: Its name.
        method: What it compares.
        settings: How it was measured.
        results: The results.
        closing: Tables about all results.
        pictures: SVG pictures by title. They are written beside a page.
    """

    name: str
    method: str
    settings: Settings
    results: Sequence[CaseResult]
    closing: Sequence[Grid] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write everything to a ``.json`` file, or a section to a ``.md`` file."""
        if path.suffix == ".json":
            write_json(path, self.to_json())
        else:
            for title, picture in self._drawn().items():
                (path.parent / IMAGES).mkdir(exist_ok=True)
                write_text(path.parent / self._image(title), picture)
            write_section(path, self.name, self.to_markdown())

    def _drawn(self) -> dict[str, str]:
        return {title: picture for title, picture in self.pictures.items() if picture}

    def _image(self, title: str) -> str:
        """Where the picture of a title stands, seen from the page."""
        return f"{IMAGES}/bench-{self.name}-{title.lower().replace(' ', '-')}.svg"

    def to_json(self) -> dict[str, Any]:
        """All records, with machine and versions."""
        records = [record for result in self.results for record in to_records(result)]
        about = {"suite": self.name, "date": _today(), "machine": machine_summary(), "versions": self._versions()}
        return {**about, "settings": asdict(self.settings), "records": records}

    def to_markdown(self) -> str:
        """The method, the machine, the ratios, and all details."""
        parts = [
            f"## `hoscpool bench {self.name}`",
            self.method,
            HOW,
            f"{self._circumstances()} {disturbance(self.results)}",
            "### Ratios",
            "First: its time. Others: how many times slower they are. ✓ reaches the target, ✗ does not.",
            *(to_markdown(grid) for grid in ratio_grids(self.results)),
            *(to_markdown(grid) for grid in self.closing),
            *(f"![{title}]({self._image(title)})" for title in self._drawn()),
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
