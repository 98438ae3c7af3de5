"""Open files: paths, compression and its limits, encodings, and one error for damaged files."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hoscpool.support.machine import parse_bytes

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


VARIABLE = "HOSCPOOL_MAX_UNPACKED"
"""The environment variable that sets the limit, such as ``16GB``."""
ALWAYS = 256 << 20
RATIO = 100
TREES = (".graphml.gz", ".gexf.gz", ".gml.gz", ".json.gz")
"""Formats that are read as a tree, which takes some 25 times the memory of the text."""
ALWAYS_TREE = 32 << 20
RATIO_TREE = 30
MOST_PACKED = 1040
"""No ``.gz`` file unpacks to so many times its size."""
SOON_UNPACKED = 8 << 20
"""A ``.gz`` file of this size is unpacked in about a second, up to its limit."""
BYTES_OF_NODE = 64
"""What a node without edges costs in a graph and in the work on it."""


class FileFormatError(ValueError):
    """A file cannot be read in the format of its extension. The message names the file and the reason."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        at = f", line {line:,}" if line is not None else ""
        super().__init__(f"{path}{at}: {reason}")
        self._parts = (path, reason, line)

    def with_advice(self, advice: str) -> FileFormatError:
        """The same error, and what the user can do."""
        path, reason, line = self._parts
        return FileFormatError(path, f"{reason}; {advice}", line)


def unpacking_limit(path: Path) -> int:
    """The largest number of bytes that a file may unpack to.

    That is 100 times its size and at least 256 MB; for compressed trees 30 times its size and at least 32 MB. Or it is
    what the environment variable ``HOSCPOOL_MAX_UNPACKED`` says.

    Raises:
        ValueError: The environment variable is not a size.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return parse_bytes(VARIABLE, chosen)
    always, ratio = (ALWAYS_TREE, RATIO_TREE) if path.name.lower().endswith(TREES) else (ALWAYS, RATIO)
    return max(always, ratio * path.stat().st_size)


def check_unpacked(path: Path, size: int, what: str) -> None:
    """Check a size that a file claims, before anything of that size is made.

    Raises:
        ValueError: It is larger than `unpacking_limit`. The message says how to raise the limit.
    """
    limit = unpacking_limit(path)
    if size > limit:
        raise FileFormatError(
            path,
            f"{what} more than {limit / 2**20:,.0f} MB, the limit for a file of this size; "
            f"if the file is trusted, set the environment variable {VARIABLE} to a larger size, such as 16GB",
        )


def check_claimed_nodes(path: Path, num_nodes: int) -> None:
    """Check a number of nodes that a file claims, most of which may have no edges.

    Raises:
        ValueError: They would take more memory than `unpacking_limit`.
    """
    check_unpacked(path, num_nodes * BYTES_OF_NODE, f"claims to have {num_nodes:,} nodes, which would take")


def check_length(path: Path) -> None:
    """Refuse a ``.gz`` file that unpacks to too much, before a parser spends a minute on what is within the limit.

    Unpacking alone is a hundred times as fast as parsing. Its last four bytes claim the length, modulo 4 GB, but a file
    can lie. So small files are unpacked whatever they claim, and large ones, which take longer, if their claim is
    beyond the limit. `Limited` counts again when the file is read.

    Raises:
        ValueError: It unpacks to more than `unpacking_limit`.
    """
    limit, size = unpacking_limit(path), path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 4))
        claimed = int.from_bytes(file.read(4), "little")
    if size * MOST_PACKED < limit or (claimed <= limit and size > SOON_UNPACKED):
        return
    with contextlib.suppress(OSError, EOFError, zlib.error), gzip.open(path, "rb") as stream:  # the parser says what
        limited, block = Limited(stream, path), bytearray(1 << 20)
        while limited.readinto(block):
            pass


class Limited(io.RawIOBase):
    """A decompressed stream that ends with an error at the limit.

    Args:
        stream: The decompressed stream.
        path: The file, whose size sets the limit.
    """

    def __init__(self, stream: Any, path: Path) -> None:
        self._stream, self._path, self._read, self._limit = stream, path, 0, unpacking_limit(path)

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer from the stream."""
        count = int(self._stream.readinto(buffer))
        self._read += count
        if self._read > self._limit:
            check_unpacked(self._path, self._read, "unpacks to")
        return count

    def close(self) -> None:
        """Close the stream too."""
        self._stream.close()
        super().close()
