"""Estimators, tensors and settings on disk: safetensors and JSON, written whole or not at all, checked when read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from sklearn.base import BaseEstimator
from torch import Tensor

from hoscpool.support.files import whole_file

FORMAT = 1
NAME = "model"

E = TypeVar("E", bound=BaseEstimator)
V = TypeVar("V")


def save_estimator(
    model: BaseEstimator, folder: Path, tensors: Mapping[str, Tensor], attributes: Sequence[str], **more: Any
) -> None:
    """Write a fitted estimator to ``model.safetensors`` and ``model.json``.

    Args:
        model: The estimator.
        folder: Where to write.
        tensors: What it has learned.
        attributes: Attributes that JSON can hold; those that the model does not have are left out.
        more: What else is written down.

    Raises:
        ValueError: A parameter cannot be written down, such as a schedule that is a function.
    """
    parameters = {name: _parameter(name, value) for name, value in model.get_params(deep=False).items()}
    found = {name: getattr(model, name) for name in attributes if hasattr(model, name)}
    write(folder / NAME, tensors, {"kind": type(model).__name__, "parameters": parameters, "attributes": found, **more})


def load_estimator(cls: type[E], folder: Path) -> tuple[E, dict[str, Tensor], dict[str, Any]]:
    """The estimator that `save_estimator` wrote, with its parameters and attributes, the tensors, and all of the JSON.

    Raises:
        FileNotFoundError: There is no model in the folder.
        ValueError: A file is truncated or altered, or holds another estimator.
    """
    tensors, content = read(folder / NAME)
    if content["kind"] != cls.__name__:
        raise ValueError(f"{folder}: expected a {cls.__name__}, got a {content['kind']}")
    model = cls(**as_tuples(content["parameters"]))
    for name, value in content["attributes"].items():
        setattr(model, name, value)
    return model, tensors, content


def as_tuples(content: Mapping[str, Any]) -> dict[str, Any]:
    """The lists of a mapping as tuples, which JSON does not know."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in content.items()}


def part(items: Mapping[str, V], prefix: str) -> dict[str, V]:
    """The items whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): value for name, value in items.items() if name.startswith(prefix)}


def write(path: Path, tensors: Mapping[str, Tensor], content: Mapping[str, Any]) -> None:
    """Write ``path.safetensors`` and ``path.json``, which holds the checksum of both.

    Until the JSON is there the tensors have their checksum in their name, so that a write that is killed leaves what
    was there before, or what is new. NumPy's numbers become Python's.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = save_tensors({name: tensor.contiguous() for name, tensor in tensors.items()})
    digest = sha256(raw).hexdigest()
    body = json.loads(json.dumps({"format": FORMAT, "tensors_sha256": digest, **content}, default=_plain))
    text = json.dumps({**body, "sha256": _checksum(body)}, indent=1)
    _replace(_new(path, digest), raw)
    _replace(path.with_suffix(".json"), text.encode())
    _new(path, digest).replace(path.with_suffix(".safetensors"))
    for stray in path.parent.glob(_new(path, "?" * len(digest)).name):  # of writes that were killed
        stray.unlink()


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What `write` wrote.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A file is truncated, altered, or not of this kind.
    """
    content = _read_json(path.with_suffix(".json"))
    new = _new(path, content["tensors_sha256"])
    file = new if new.exists() else path.with_suffix(".safetensors")
    raw = file.read_bytes()
    if sha256(raw).hexdigest() != content["tensors_sha256"]:
        raise ValueError(f"{file}: the file is truncated or altered: its checksum is not the one in the JSON beside it")
    try:
        return load_tensors(raw), content
    except SafetensorError as error:  # pragma: no cover (a file with the right checksum was written by `write`)
        raise ValueError(f"{file}: not a safetensors file: {error}") from error


def _parameter(name: str, value: Any) -> Any:
    if name == "random_state" and not isinstance(value, int | np.integer | None):
        return None  # a generator has no place in a file; the model itself does not need it any more
    if isinstance(value, Path):
        return str(value)
    if callable(value):
        raise ValueError(f"{name}: a function cannot be saved; set it to a name before saving")
    return value


def _read_json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        body = {name: value for name, value in content.items() if name != "sha256"}
        stated, version = content["sha256"], body["format"]
    except (json.JSONDecodeError, UnicodeDecodeError, AttributeError, KeyError) as error:
        raise ValueError(f"{file}: the file is truncated, altered or not written by this library ({error})") from error
    if stated != _checksum(body):
        raise ValueError(f"{file}: the file was altered: its checksum does not fit")
    if version != FORMAT:
        raise ValueError(
            f"{file}: expected format {FORMAT}, got {version}; use the version of the library that wrote it"
        )
    return body


def _new(path: Path, digest: str) -> Path:
    """Where tensors are before the JSON speaks of them."""
    return path.with_name(f"{path.name}.{digest}.safetensors")


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"expected numbers, text, lists and mappings, got {type(value).__name__}: {value!r}")


def _checksum(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _replace(file: Path, raw: bytes) -> None:
    with whole_file(file) as out:
        out.write(raw)
