"""A table of the paper with its published and measured numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from hoscpool.datasets import dataset_info
from hoscpool.experiments.paper_tables import PAPER_TABLES, Number, PaperTable
from hoscpool.experiments.tables.published import Published, published
from hoscpool.experiments.tables.summaries import Results, Summary

NOT_RUN = "not run"
DIFFERS, AGREES = "≠", "="


@dataclass(frozen=True)
class Comparison:
    """One number of a table.

    Attributes:
        dataset: The dataset of its cells.
        method: The method of its cells.
        column: Title of its column, mostly the title of the method.
        published: The published number, if there is one.
        measured: The measured number, if there is one.
        digits: Digits after the point.
        failures: Number of seeds that ended in an error.
        printed_digits: Digits that the paper prints, if it prints another number of them.
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
        return dataset_info(self.dataset).label

    @property
    def was_run(self) -> bool:
        """Whether there is a record, of a success or a failure."""
        return self.measured is not None or self.failures > 0

    @property
    def difference(self) -> float | None:
        """Measured minus published."""
        return None if self.published is None or self.measured is None else self.measured.mean - self.published.value

    @property
    def margin(self) -> float | None:
        """Half of the 95 % interval of the difference; ``None`` if there is none."""
        if self.published is None or self.measured is None:
            return None
        return self.measured.margin_to(self.published, self.paper_digits)

    @property
    def differs(self) -> bool | None:
        """Whether that interval excludes 0; ``None`` without an interval."""
        if self.difference is None or self.margin is None:
            return None
        return abs(self.difference) > self.margin

    @property
    def mark(self) -> str:
        """The sign ≠ or = for `differs`, or an empty text."""
        return {True: DIFFERS, False: AGREES, None: ""}[self.differs]


@dataclass(frozen=True)
class View:
    """A table of the paper run again.

    Attributes:
        table: The table.
        comparisons: Its numbers, row by row.
    """

    table: PaperTable
    comparisons: list[Comparison]

    @property
    def title(self) -> str:
        """A line that says what it shows, with a capital letter."""
        return self.table.title[0].upper() + self.table.title[1:]

    def only(self, cells: Collection[tuple[str, str]]) -> View:
        """The part of the table with these datasets and methods that were run."""
        return replace(self, comparisons=[c for c in self.comparisons if (c.dataset, c.method) in cells and c.was_run])

    @property
    def known(self) -> View:
        """The part of the table that was run or published."""
        return replace(self, comparisons=[c for c in self.comparisons if c.was_run or c.published is not None])

    @property
    def has_published(self) -> bool:
        """Whether the paper has any of its numbers."""
        return any(comparison.published is not None for comparison in self.comparisons)

    @property
    def rows(self) -> list[str]:
        """Titles of the rows in order."""
        return list(dict.fromkeys(comparison.row for comparison in self.comparisons))

    @property
    def columns(self) -> list[str]:
        """Titles of the columns in order."""
        return list(dict.fromkeys(comparison.column for comparison in self.comparisons))

    def at(self, row: str, column: str) -> Comparison | None:
        """The number in a row and a column."""
        found = (c for c in self.comparisons if (c.row, c.column) == (row, column))
        return next(found, None)


def make_view(name: str, results: Results) -> View:
    """One table from the records.

    Raises:
        ValueError: There is no table of that name.
    """
    table = PAPER_TABLES.find(name)
    return View(table, list(_compare(table, results)))


def make_views(results: Results) -> list[View]:
    """All tables in order, without the figures."""
    return [make_view(name, results) for name, table in PAPER_TABLES.items() if table.numbers]


def _compare(table: PaperTable, results: Results) -> Iterator[Comparison]:
    for dataset in results.datasets(table):
        for method in results.methods(table):
            for number in table.numbers:
                if number.method in ("", method) and (found := _number(table, number, dataset, method, results)):
                    yield found


def _number(table: PaperTable, number: Number, dataset: str, method: str, results: Results) -> Comparison | None:
    """One number. ``None`` for a property that the dataset does not have: no paper value and no finished cell."""
    place, printed = table.place or table.beside, dataset_info(dataset).reading_of or dataset
    there = published(place, printed, "" if number.method else table.printed_as.get(method, method), number.metric)
    here = results.summary(table.experiment, dataset, method, number.measured)
    if number.method and not (there or here) and results.finished(table.experiment, dataset, method):
        return None
    return Comparison(
        dataset,
        method,
        number.title.format(method=table.method_title(method)),
        there,
        here,
        number.digits,
        len(results.failed(table.experiment, dataset, method)),
        number.printed_digits,
    )
