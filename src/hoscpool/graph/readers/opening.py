"""Open files: paths, compression, encodings, and one error for damaged files."""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hoscpool.graph.readers.unpacking import FileFormatError as FileFormatError
from hoscpool.graph.readers.unpacking import Limited, check_length

_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def check_file(path: Any) -> Path:
    """The path of an existing file that is not empty.

    Raises:
        FileNotFoundError: There is nothing at this path.
        ValueError: It is a directory, or the file is empty, or it unpacks to too much.
    """
    file = Path(path).expanduser()
    if not file.exists():
        raise FileNotFoundError(f"{file}: no such file (looked in {file.absolute().parent})")
    if file.is_dir():
        raise FileFormatError(file, "expected a file, got a directory")
    if file.is_file() and file.stat().st_size == 0:
        raise FileFormatError(file, "the file is empty")
    if is_compressed(file):
        check_length(file)
    return file


def extension(path: Path) -> str:
    """The extension in lower case without a final ``.gz``.

    Examples:
        >>> extension(Path("cora.EDGES.csv.gz"))
        '.csv'
    """
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def is_compressed(path: Path) -> bool:
    """Whether the name ends in ``.gz``, in lower or upper case."""
    return path.name.lower().endswith(".gz")


def open_bytes(path: Path) -> IO[bytes]:
    """Open the file for reading, and decompress it if its name ends in ``.gz``.

    The stream of a compressed file raises a `ValueError` when it unpacks to more than `unpacking_limit`.
    """
    if not is_compressed(path):
        return path.open("rb")
    return io.BufferedReader(Limited(gzip.open(path, "rb"), path), 1 << 17)


@contextmanager
def open_text(path: Path) -> Iterator[IO[str]]:
    """Open a text file, decompressed and decoded."""
    with open_bytes(path) as stream, io.TextIOWrapper(stream, encoding=encoding_of(path)) as text:
        yield text


def encoding_of(path: Path) -> str:
    """UTF-8, or the encoding of the byte-order mark."""
    with open_bytes(path) as stream:
        start = stream.read(3)
    return next((name for mark, name in _BYTE_ORDER_MARKS if start.startswith(mark)), "utf-8")


def iterate_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers, starting at 1."""
    with open_text(path) as text:
        yield from enumerate(text, start=1)


@contextmanager
def reporting(path: Path, kind: str) -> Iterator[None]:
    """Turn any error of a parser on a damaged file into a `ValueError` with the file and the reason.

    Parsers of other libraries raise zlib, zip, XML and index errors.
    """
    try:
        yield
    except (FileFormatError, FileNotFoundError, PermissionError, MemoryError):
        raise
    except RecursionError:
        raise FileFormatError(path, f"cannot be read as {kind}, it is nested too deeply") from None
    except UnicodeError as error:
        raise FileFormatError(path, f"is not {kind} in UTF-8 ({error}); save it as UTF-8") from error
    except Exception as error:
        reason = str(error).strip() or type(error).__name__
        raise FileFormatError(path, f"cannot be read as {kind}, it may be truncated or altered ({reason})") from error
