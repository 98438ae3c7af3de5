"""One trial: read one damaged case, and judge what came of it.

Promised for any file: a result, or a `ValueError` or `OSError` that names the file. Never another exception, never a
warning that is not for the user, never a process that dies, hangs or asks for memory that a file only claims to need.
"""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path

from attack.formats import Format
from attack.mutations import Case
from hoscpool.support.errors import GraphWarning

SECONDS = 20
"""After this time a trial hangs."""
MEMORY = 1 << 30
"""A trial may take this much memory. The files are small."""


def write_case(case: Case, folder: Path) -> None:
    """Write the files of a case into an empty folder."""
    for name, raw in case.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


def judge(form: Format, folder: Path) -> tuple[str, str | None]:
    """Read the case in the folder. Returns the outcome in short, and what is wrong with it, if anything is."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            form.read(folder)
            outcome, wrong = "read", None
        except (ValueError, OSError) as error:
            outcome = f"refused {_place(error)}"
            named = str(folder) in str(error) or any(path.name in str(error) for path in folder.rglob("*"))
            wrong = None if named else f"the message does not name the file: {_short(error)}"
        except RecursionError as error:
            outcome, wrong = "recursion", _short(error)
        except Exception as error:
            outcome, wrong = _place(error), _short(error)
    alien = [str(w.message) for w in caught if not issubclass(w.category, GraphWarning)]
    if wrong is None and alien:
        wrong = f"a warning reaches the user: {alien[0]}"
    return outcome, wrong


def _short(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:200]} ({_place(error)})"


def _place(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
