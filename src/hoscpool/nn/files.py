"""Tensors and settings on disk: safetensors and JSON, written whole or not at all, checked when read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

FORMAT = 1


def write(path: Path, tensors: Mapping[str, Tensor], content: Mapping[str, Any]) -> None:
    """Write ``path.safetensors`` and ``path.json``; the JSON comes last and holds the checksum of both."""
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = save_tensors({name: tensor.contiguous() for name, tensor in tensors.items()})
    body = {"format": FORMAT, "tensors_sha256": sha256(raw).hexdigest(), **content}
    _replace(path.with_suffix(".safetensors"), raw)
    _replace(path.with_suffix(".json"), json.dumps({**body, "sha256": _checksum(body)}, indent=1).encode())


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What `write` wrote.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A file is truncated, altered, or not of this kind.
    """
    content = _read_json(path.with_suffix(".json"))
    file = path.with_suffix(".safetensors")
    raw = file.read_bytes()
    if sha256(raw).hexdigest() != content["tensors_sha256"]:
        raise ValueError(f"{file}: the file is truncated or altered: its checksum is not the one in the JSON beside it")
    try:
        return load_tensors(raw), content
    except SafetensorError as error:  # pragma: no cover (a file with the right checksum was written by `write`)
        raise ValueError(f"{file}: not a safetensors file: {error}") from error


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


def _checksum(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _replace(file: Path, raw: bytes) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    temporary.write_bytes(raw)
    temporary.replace(file)
