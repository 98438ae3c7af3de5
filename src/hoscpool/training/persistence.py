"""Estimators, tensors and settings on disk: safetensors and JSON, written completely or not at all, with checksums."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from sklearn.base import BaseEstimator
from torch import Tensor, nn

from hoscpool.support.files import whole_file

FORMAT = 1
NAME = "model"

E = TypeVar("E", bound=BaseEstimator)
M = TypeVar("M", bound=nn.Module)
V = TypeVar("V")


def save_estimator(
    model: BaseEstimator, folder: Path, tensors: Mapping[str, Tensor], attributes: Sequence[str], **more: Any
) -> None:
    """Write a fitted estimator to ``model.safetensors`` and ``model.json``.

    Args:
        model: The estimator.
        folder: Where to write.
        tensors: Its learned tensors.
        attributes: Names of attributes that JSON can hold. Attributes that the model does not have are left out.
        more: Further content of the JSON file.

    Raises:
        ValueError: A parameter cannot be saved, such as a schedule that is a function.
    """
    parameters = {name: _parameter(name, value) for name, value in model.get_params(deep=False).items()}
    found = {name: getattr(model, name) for name in attributes if hasattr(model, name)}
    write(folder / NAME, tensors, {"kind": type(model).__name__, "parameters": parameters, "attributes": found, **more})


def load_estimator(cls: type[E], folder: Path) -> tuple[E, dict[str, Tensor], dict[str, Any]]:
    """Read an estimator. Returns it with its attributes, its tensors, and the content of the JSON file.

    Raises:
        FileNotFoundError: There is no model in the folder.
        ValueError: A file is truncated or was changed, or holds another estimator.
    """
    tensors, content = read(folder / NAME)
    if content["kind"] != cls.__name__:
        raise ValueError(f"{folder}: expected a {cls.__name__}, got a {content['kind']}")
    model = cls(**as_tuples(content["parameters"]))
    for name, value in content["attributes"].items():
        if name.startswith("_") or not name.endswith("_"):  # such as a method of the model
            raise ValueError(f"{name!r} is not the name of a fitted attribute")
        setattr(model, name, value)
    return model, tensors, content


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turn any error about content that is not as we write it into a `ValueError` that names the file or folder.

    The checksums are those of accidents. Who alters a file on purpose can compute them again.
    """
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RuntimeError) as error:
        if str(path) in str(error) or isinstance(error, NotImplementedError):
            raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:300]
        raise ValueError(
            f"{path}: the file was altered, or written by another version of the library ({reason})"
        ) from error


def restore_network(build: Callable[[], M], tensors: Mapping[str, Tensor]) -> M:
    """Build a network and give it its tensors. Sizes are compared before memory is taken.

    Raises:
        ValueError: The tensors are not those of this network.
    """
    with torch.device("meta"):
        expected = {name: tuple(value.shape) for name, value in build().state_dict().items()}
    if expected != {name: tuple(value.shape) for name, value in tensors.items()}:
        raise ValueError("the tensors do not have the shapes that the settings say")
    network = build()
    network.load_state_dict(tensors)
    return network


def as_tuples(content: Mapping[str, Any]) -> dict[str, Any]:
    """The same mapping with tuples for lists. JSON has no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in content.items()}


def part(items: Mapping[str, V], prefix: str) -> dict[str, V]:
    """The items whose names begin with a prefix; the prefix is removed."""
    return {name.removeprefix(prefix): value for name, value in items.items() if name.startswith(prefix)}


def write(path: Path, tensors: Mapping[str, Tensor], content: Mapping[str, Any]) -> None:
    """Write ``path.safetensors`` and ``path.json``, which holds the checksum of both.

    A write that is killed leaves either the old content or the new one: until the JSON is written, the checksum is part
    of the name of the tensor file. NumPy numbers become Python numbers.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = save_tensors({name: tensor.contiguous() for name, tensor in tensors.items()})
    digest = sha256(raw).hexdigest()
    body = json.loads(json.dumps({"format": FORMAT, "tensors_sha256": digest, **content}, default=_plain))
    text = json.dumps({**body, "sha256": _checksum(body)}, indent=1)
    _replace(_new(path, digest), raw)
    try:
        _replace(path.with_suffix(".json"), text.encode())
    except OSError:  # such as a full disk: the old content stays, and the new tensors need not take its last bytes
        _remove_unless_used(path, digest)
        raise
    _new(path, digest).replace(path.with_suffix(".safetensors"))
    for stray in path.parent.glob(_new(path, "?" * len(digest)).name):  # left by killed writes
        stray.unlink()


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Read what `write` wrote.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A file is truncated, was changed, or is not of this kind.
    """
    content = _read_json(path.with_suffix(".json"))
    new = _new(path, content["tensors_sha256"])
    file = new if new.exists() else path.with_suffix(".safetensors")
    raw = file.read_bytes()
    if sha256(raw).hexdigest() != content["tensors_sha256"]:
        raise ValueError(f"{file}: the file is truncated or altered: its checksum differs from that in the JSON file")
    try:
        return load_tensors(raw), content
    except SafetensorError as error:  # pragma: no cover (a file with the right checksum was written by `write`)
        raise ValueError(f"{file}: not a safetensors file: {error}") from error


def _parameter(name: str, value: Any) -> Any:
    if name == "random_state" and not isinstance(value, int | np.integer | None):
        return None  # a generator cannot be saved, and the fitted model does not need it any more
    if name == "checkpoint":
        return None  # the fit is over; a path of this machine means nothing to others
    if isinstance(value, Path):
        return str(value)
    if callable(value):
        raise ValueError(f"{name}: a function cannot be saved; set it to a name before saving")
    return value


def _read_json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        body = {name: value for name, value in content.items() if name != "sha256"}
        stated, version, digest = content["sha256"], body["format"], body["tensors_sha256"]
        if not isinstance(digest, str) or re.fullmatch("[0-9a-f]{64}", digest) is None:
            raise ValueError("no checksum of the tensors")
    except (ValueError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(f"{file}: the file is truncated, altered or not written by this library ({error})") from error
    if stated != _checksum(body):
        raise ValueError(f"{file}: the file was altered: its checksum does not match")
    if version != FORMAT:
        raise ValueError(
            f"{file}: expected format {FORMAT}, got {version}; use the version of the library that wrote it"
        )
    return body


def _new(path: Path, digest: str) -> Path:
    """The name of the tensor file until the JSON file is written."""
    return path.with_name(f"{path.name}.{digest}.safetensors")


def _remove_unless_used(path: Path, digest: str) -> None:
    try:
        used = digest in path.with_suffix(".json").read_text(encoding="utf-8")
    except FileNotFoundError:
        used = False
    if not used:
        _new(path, digest).unlink(missing_ok=True)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"expected numbers, text, lists and mappings, got {type(value).__name__}: {value!r}")


def _checksum(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _replace(file: Path, raw: bytes) -> None:
    with whole_file(file) as out:
        out.write(raw)
