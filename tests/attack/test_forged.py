"""Models and checkpoints that were altered on purpose, with the right checksums: refused by name, or harmless."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attack.formats import FORMATS
from attack.mutations import Case, mutate
from attack.trial import judge, write_case

Change = Callable[[dict[str, Any]], object]


def _altered(case: Case, change: Change) -> Case:
    (name,) = [name for name in case if name.endswith(".json")]
    content = json.loads(case[name])
    change(content)
    return case | {name: json.dumps(content).encode()}


CLUSTERING: dict[str, Change] = {
    "a field is missing": lambda c: c.pop("network"),
    "no parameters": lambda c: c.pop("parameters"),
    "a parameter of the future": lambda c: c["parameters"].update(unheard_of=1),
    "a method is replaced": lambda c: c["attributes"].update(fit="x"),
    "the class is replaced": lambda c: c["attributes"].update(__class__="x"),
    "a network of a terabyte": lambda c: c["network"].update(hidden=10**12),
    "many layers": lambda c: c["network"].update(sizes=[2] * 1000),
    "no layers": lambda c: c["network"].update(sizes=[]),
    "the network is a list": lambda c: c.update(network=[1]),
    "the attributes are a number": lambda c: c.update(attributes=1),
    "a start that does not exist": lambda c: c["attributes"].update(start_=None),
    "a path instead of a checksum": lambda c: c.update(tensors_sha256="../../x"),
}
CLASSIFIER: dict[str, Change] = {
    "no classes": lambda c: c.pop("classes"),
    "text as classes": lambda c: c.update(classes=["x"]),
    "nested classes": lambda c: c.update(classes=[[0], [1]]),
    "a million pools": lambda c: c["parameters"].update(n_pools=1_000_000),
    "a network of a terabyte": lambda c: c["parameters"].update(hidden=10**12),
    "another pool": lambda c: c["parameters"].update(pooling="none"),
    "another number of clusters": lambda c: c["attributes"].update(n_clusters_=[9, 9]),
    "one number of clusters": lambda c: c["attributes"].update(n_clusters_=3),
}
CASES = [("clustering model", name) for name in CLUSTERING] + [("classifier model", name) for name in CLASSIFIER]


def _read(form: str, case: Case, folder: Path) -> tuple[str, str | None]:
    folder.mkdir()
    write_case(case, folder)
    return judge(FORMATS[form], folder)


@pytest.mark.parametrize(("form", "name"), CASES)
def test_forged_models_are_refused_by_name(form: str, name: str, tmp_path: Path) -> None:
    change = (CLUSTERING if form == "clustering model" else CLASSIFIER)[name]
    case = _altered(FORMATS[form].seeds()[0], change)
    if not name.endswith("checksum"):
        case = FORMATS[form].seal(case)
    outcome, wrong = _read(form, case, tmp_path / "m")
    assert wrong is None
    assert outcome.startswith("refused ValueError")


@pytest.mark.parametrize("form", ["clustering model", "classifier model"])
def test_the_models_themselves_are_read(form: str, tmp_path: Path) -> None:
    for number, case in enumerate(FORMATS[form].seeds()):
        assert _read(form, FORMATS[form].seal(case), tmp_path / str(number)) == ("read", None)


@pytest.mark.parametrize("form", [name for name in FORMATS if not name.startswith("checkpoint")])
def test_damaged_files_are_read_or_refused_by_name(form: str, tmp_path: Path) -> None:
    rng, kind = random.Random(0), FORMATS[form]
    seeds = list(kind.seeds())
    for number in range(60):
        assert _read(form, kind.seal(mutate(rng.choice(seeds), rng)), tmp_path / str(number))[1] is None


def test_no_path_of_this_machine_is_saved() -> None:
    for form in ("clustering model", "classifier model"):
        for case in FORMATS[form].seeds():
            assert b"/tmp" not in b"".join(case.values())
