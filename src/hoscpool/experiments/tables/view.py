"""What a table is made of: published beside measured, one place at a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from hoscpool.experiments.tables.published import Published, note
from hoscpool.experiments.tables.summaries import Summary
from hoscpool.experiments.targets import title

NOT_RUN = "not run"
DIFFERS, AGREES = "≠", "="


@dataclass(frozen=True)
class Comparison:
    """One number of a table.

    Attributes:
        dataset: The dataset of the cells that it is made of.
        method: Their method.
        column: Title of its column, mostly that of the method.
        published: What the paper prints, if it has the number.
        measured: What was measured, if it was.
        digits: Digits after the point.
        failures: Seeds that ended in an error.
        printed_digits: Digits that the paper prints, where those are others.
    """

    dataset: str
    method: str
    column: str
    published: Published | None
    measured: Summary | None
    digits: int = 3
    failures: int = 0
    printed_digits: int | None = None

    @property
    def paper_digits(self) -> int:
        """Digits after the point of the published number."""
        return self.digits if self.printed_digits is None else self.printed_digits

    @property
    def row(self) -> str:
        """Title of its row."""
        return title(self.dataset)

    @property
    def was_run(self) -> bool:
        """Whether there is a record, be it of a failure."""
        return self.measured is not None or self.failures > 0

    @property
    def difference(self) -> float | None:
        """Measured minus published."""
        return None if self.published is None or self.measured is None else self.measured.mean - self.published.value

    @property
    def margin(self) -> float | None:
        """Half of the 95 % interval of the difference; ``None`` where there is none."""
        if self.published is None or self.measured is None:
            return None
        return self.measured.margin_to(self.published, self.paper_digits)

    @property
    def differs(self) -> bool | None:
        """Whether that interval excludes 0; ``None`` where that cannot be said."""
        if self.difference is None or self.margin is None:
            return None
        return abs(self.difference) > self.margin

    @property
    def mark(self) -> str:
        """The same as a sign."""
        return {True: DIFFERS, False: AGREES, None: ""}[self.differs]


@dataclass(frozen=True)
class View:
    """A table of the paper run again.

    Attributes:
        name: Such as ``"table1"``.
        title: A line that says what it shows.
        place: Where it stands in the paper; empty for one that the paper has not.
        comparisons: Its numbers, row by row.
    """

    name: str
    title: str
    place: str
    comparisons: list[Comparison]

    @property
    def note(self) -> str:
        """What to know to read it."""
        return note(self.name)

    def only(self, cells: Collection[tuple[str, str]]) -> View:
        """What was run of some datasets with some methods."""
        return replace(self, comparisons=[c for c in self.comparisons if (c.dataset, c.method) in cells and c.was_run])

    @property
    def rows(self) -> list[str]:
        """Titles of the rows in their order."""
        return list(dict.fromkeys(comparison.row for comparison in self.comparisons))

    @property
    def columns(self) -> list[str]:
        """Titles of the columns in their order."""
        return list(dict.fromkeys(comparison.column for comparison in self.comparisons))

    def at(self, row: str, column: str) -> Comparison | None:
        """The number at a place."""
        found = (c for c in self.comparisons if (c.row, c.column) == (row, column))
        return next(found, None)
