"""A hook of MkDocs: formulas become MathML, which browsers draw by themselves: no script, no font from elsewhere."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from latex2mathml.converter import convert

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """The page with every ``$formula$`` in place."""
    return FORMULA.sub(lambda found: _mathml(found[2], on_its_own=found[1] == "div"), html)


def _mathml(formula: str, on_its_own: bool) -> str:
    mathml = str(convert(unescape(formula).strip(), display="block" if on_its_own else "inline"))
    return f'<div class="formula">{mathml}</div>' if on_its_own else mathml
