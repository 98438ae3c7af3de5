"""An extension of griffe: ``.. math::`` and ``:math:`` of docstrings become ``$$`` and ``$``, as on the pages."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from griffe import Extension

DIRECTIVE = re.compile(r"^( *)\.\. math::\n((?:\1 +.*\n?|\s*\n)+)", re.MULTILINE)

ROLE = re.compile(r":math:`([^`]*)`")


class DocstringFormulas(Extension):
    """Rewrites the docstring of every object."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Called for every object that was read."""
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(r"$\1$", DIRECTIVE.sub(_dollars, obj.docstring.value))


def _dollars(found: re.Match[str]) -> str:
    formula = " ".join(textwrap.dedent(found[2]).split())
    return f"{found[1]}$${formula}$$\n\n"
