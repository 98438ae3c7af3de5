"""One self-contained HTML page with tables and Plotly figures. Scripts are inside, and every value is escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from hoscpool.support.files import write_text
from hoscpool.support.html_tables import html_table, shown

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2733; background: #fff; }
body { max-width: 1100px; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
p { max-width: 46rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .9rem; text-align: right; border-bottom: 1px solid #dde3ea; white-space: nowrap; }
th:first-child, td:first-child, th.text, td.text { text-align: left; } th { border-bottom: 2px solid #8a97a8; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.figure { min-width: 0; }
@media print { body { max-width: none; } }
"""

# Drawn at the end, when every box of the page has its final size. Buttons are listed by name: the full set of newer
# versions has one that sends the figure to a server.
_DRAW = """
const buttons = [['toImage', 'zoom2d', 'pan2d', 'resetScale2d']];
function drawFigures(part) {
  for (const box of part.querySelectorAll('.figure:not(.js-plotly-plot)')) {
    if (box.closest('details:not([open])')) continue; // without a size until the reader opens it
    const figure = JSON.parse(box.querySelector('script').textContent);
    Plotly.newPlot(box, figure.data, figure.layout, {displaylogo: false, modeBarButtons: buttons, responsive: true});
  }
}
drawFigures(document);
for (const fold of document.querySelectorAll('details')) fold.addEventListener('toggle', () => drawFigures(fold));
"""


class Page:
    """A page that is built from top to bottom.

    Args:
        title: Title of the window and first heading.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = []
        self._styles, self._scripts = [_STYLE], [_DRAW]
        self._webgl = False

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._parts.append(f"<h2>{shown(text)}</h2>")

    def text(self, text: str) -> None:
        """Add a paragraph."""
        self._parts.append(f"<p>{shown(text)}</p>")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]], text: Sequence[str] = ()) -> None:
        """Add a table. The first column holds row titles, the others numbers, except columns named in ``text``."""
        self._parts.append(f"<div class='scroll'>{html_table(columns, rows, text)}</div>")

    def figures(self, *figures: Any) -> None:
        """Add Plotly figures side by side."""
        self._webgl |= any(trace.type == "scattergl" for figure in figures for trace in figure.data)
        cells = (
            f"<div class='figure'><script type='application/json'>{_json(figure)}</script></div>" for figure in figures
        )
        self._parts.append(f"<div class='figures'>{''.join(cells)}</div>")

    def begin_fold(self, title: str) -> None:
        """Begin a section that the reader has to open."""
        self._parts.append(f"<details><summary>{shown(title)}</summary>")

    def end_fold(self) -> None:
        """End it."""
        self._parts.append("</details>")

    def block(self, html: str, style: str, script: str, data: str, name: str, *, webgl: bool = False) -> None:
        """Add a part of our own making.

        Args:
            html: Its elements, trusted.
            style: Its CSS.
            script: Its JavaScript, run after all elements are there.
            data: What the script reads, base64, in an element ``NAME-data``.
            name: Its name.
            webgl: Whether the script draws with WebGL.
        """
        self._parts.append(f"{html}<script type='text/plain' id='{name}-data'>{data}</script>")
        self._styles.append(style)
        self._scripts.append(script)
        self._webgl |= webgl

    def script(self, text: str) -> None:
        """Add a script of ours at the end of the page. The browser runs only what was added here."""
        self._scripts.append(text)

    def write(self, path: Path) -> Path:
        """Write the page completely or not at all."""
        from plotly.offline import get_plotlyjs

        library = get_plotlyjs()
        title, body = shown(self.title), "".join(self._parts)
        policy = _policy([library, *self._scripts], self._webgl)
        html = (
            "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
            f"<meta http-equiv='Content-Security-Policy' content=\"{policy}\">"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>"
            f"<title>{title}</title><style>{''.join(self._styles)}</style><script>{library}</script></head>"
            f"<body><h1>{title}</h1>{body}{''.join(f'<script>{text}</script>' for text in self._scripts)}</body></html>"
        )
        return write_text(path, html)


def _policy(scripts: Sequence[str], webgl: bool) -> str:
    """What the page may do: run exactly these scripts, and nothing from or to anywhere else.

    Plotly sets styles, and makes pictures of itself as ``data:`` and ``blob:``. Its WebGL traces write their own
    drawing code, which a browser allows only with ``unsafe-eval``; without it they say that there is no WebGL.
    """
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in scripts)
    evaluate = " 'unsafe-eval'" if webgl else ""
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return (
        f"default-src 'none'; script-src {allowed}{evaluate}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _json(figure: Any) -> str:
    # "</" would end the script element early, and "<!--" would hide its end; JSON allows to escape the sign
    return str(figure.to_json()).replace("<", "\\u003c")
