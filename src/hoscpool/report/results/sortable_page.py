"""The page of measured results: sections that can be reached from the top, tables that sort, figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from hoscpool.report.page import Page

_STYLE = """<style>
nav.contents { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1rem 0; }
nav.contents a { color: #3b6fb6; text-decoration: none; padding: .2rem 0; }
body { max-width: 1400px; }
table.sortable th { padding: 0; white-space: normal; vertical-align: bottom; }
table.sortable td { padding: .3rem .6rem; }
table.sortable th button { all: unset; box-sizing: border-box; cursor: pointer; padding: .3rem .6rem; width: 100%; }
table.sortable th button:focus-visible { outline: 2px solid #3b6fb6; }
table.sortable th button::after { content: '\\00a0↕'; color: #b9c2cd; }
table.sortable th[aria-sort=ascending] button::after { content: '\\00a0↑'; color: #1d2733; }
table.sortable th[aria-sort=descending] button::after { content: '\\00a0↓'; color: #1d2733; }
td.differs { background: #fdecea; } td.agrees { background: #e8f4ec; } td.absent { color: #8a97a8; }
details { margin: .5rem 0 1rem; } summary { cursor: pointer; color: #3b6fb6; padding: .3rem 0; }
@media (max-width: 40rem) {
  body { padding: .8rem; font-size: 15px; } th, td, table.sortable th button { padding: .25rem .5rem; }
  th:first-child, td:first-child { position: sticky; left: 0; background: #fff; }
  th, td:first-child { white-space: normal; min-width: 4.2rem; } td:first-child { max-width: 7.5rem; }
}
@media print {
  nav.contents { display: none; } .scroll { overflow: visible; } table { font-size: 8pt; } th, td { padding: 2px 4px; }
  table.sortable th button { padding: 2px 4px; } table.sortable th button::after { content: ''; }
  tr, .figure { break-inside: avoid; } h2 { break-after: avoid; }
}
</style>"""

# Numbers sort by their first number, "not run" and dashes come last, equal rows stay in their order.
_SORT = """
const numberOf = (text) => {
  const found = text.replace(/,/g, '').replace(/−/g, '-').match(/^[-+]?\\d*\\.?\\d+/);
  return found ? parseFloat(found[0]) : null;
};
const compare = (a, b) => {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x !== null ? -1 : 1;
  return a.localeCompare(b);
};
for (const table of document.querySelectorAll('table.sortable')) {
  table.querySelectorAll('th').forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
    const down = head.getAttribute('aria-sort') === 'ascending';
    table.querySelectorAll('th').forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const text = (row) => row.cells[column].textContent;
    const rows = [...table.tBodies[0].rows];
    const there = rows.filter((row) => numberOf(text(row)) !== null || !/^(–|not run.*|failed.*|)$/.test(text(row)));
    const absent = rows.filter((row) => !there.includes(row));
    there.sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
    table.tBodies[0].append(...there, ...absent);
  }));
}
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((part) => part.open = true));
"""


class SortablePage(Page):
    """A page with a list of its sections, sortable tables, and parts that unfold.

    Args:
        title: Title of the window and first heading.
        sections: Titles of the sections to come, for the list at the top.
    """

    def __init__(self, title: str, sections: Sequence[str]) -> None:
        super().__init__(title)
        links = "".join(f"<a href='#{anchor(name)}'>{escape(name)}</a>" for name in sections)
        self._parts += [_STYLE, f"<nav class='contents' aria-label='Contents'>{links}</nav>"]

    def heading(self, text: str) -> None:
        """Begin a section that the list at the top leads to."""
        self._parts.append(f"<h2 id='{anchor(text)}'>{escape(text)}</h2>")

    def sortable(self, columns: Sequence[str], rows: Sequence[Sequence[str]], summary: str | None = None) -> None:
        """Add a table whose rows sort by a click on a column; with a summary it is folded away under it."""
        head = "".join(
            f"<th scope='col'><button type='button'>{escape(name) or '&nbsp;'}</button></th>" for name in columns
        )
        body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
        parts = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        table = f"<div class='scroll'><table class='sortable'>{parts}</table></div>"
        folded = f"<details><summary>{escape(summary)}</summary>{table}</details>" if summary else table
        self._parts.append(folded)

    def finish(self) -> None:
        """Add what makes the tables sort; call it last."""
        self.script(_SORT)


def anchor(text: str) -> str:
    """The name of a section in links.

    Examples:
        >>> anchor("Table 1: NMI")
        'table-1-nmi'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _cell(text: str) -> str:
    kind = (
        "differs" if "≠" in text else "agrees" if text.endswith("=") else "absent" if text.startswith("not run") else ""
    )
    return f"<td class='{kind}'>{escape(text)}</td>" if kind else f"<td>{escape(text)}</td>"
