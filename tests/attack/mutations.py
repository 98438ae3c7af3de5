"""Damage files: bytes, lines and words of text, members of archives, headers of arrays, values of JSON.

A damaged archive has the right checksums again, so that the damage reaches the reader behind them.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

Case = dict[str, bytes]
"""The files of one trial by their names."""

MAX_SIZE = 1 << 16
NUMBERS = (b"0", b"-1", b"1", b"-0", b"007", b"+5", b"1.5", b"1e400", b"1e-400", b"nan", b"inf", b"-inf", b"2147483647",
           b"2147483648", b"-2147483649", b"4294967296", b"9223372036854775807", b"9223372036854775808", b"1_000",
           b"99999999999999999999999", b"0x10", b"1+2j", b"1e308", b"\xd9\xa3", b"8" * 5000)  # fmt: skip
WORDS: dict[str, tuple[bytes, ...]] = {
    "": (b'"', b'""', b",", b"\t", b";", b"#", b"%", b"\n", b"\r", b"\r\n", b"\x00", b"\xef\xbb\xbf", b"\xff\xfe",
         b"\x1b[31m", b"\xe2\x80\xae", b"source,target,weight\n", b"node", b" " * 300, b"\t" * 300, b"a" * 140_000),
    ".mtx": (b"%%MatrixMarket", b"matrix", b"coordinate", b"array", b"real", b"integer", b"pattern", b"complex",
             b"general", b"symmetric", b"skew-symmetric", b"hermitian", b"unsigned-integer"),
    ".gml": (b"graph [", b"node [", b"edge [", b"]", b"id", b"label", b"source", b"target", b"directed 1", b"weight",
             b"multigraph 1", b'"', b"&amp;", b"&#x110000;", b"[" * 3000, b"key", b"\n" * 300),
    ".graphml": (b"<graphml>", b"<graph edgedefault='directed'>", b"<node id='", b"<edge source='", b"target='",
                 b"<data key='", b"</data>", b"<key id='", b"for='node'", b"attr.name='name'", b"attr.type='double'",
                 b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"<hyperedge>", b"<port>", b"parse.nodeids='canonical'",
                 b"xmlns='http://graphml.graphdrawing.org/xmlns'", b"]]>", b"<![CDATA["),
    ".npy": (b"'descr'", b"'fortran_order'", b"'shape'", b"True", b"(3,)", b"(-1,)", b"(0,)", b"<f8", b">i4", b"|O",
             b"|V0", b"<U0", b"<c16", b"|b1", b"<M8[s]", b"1000000000000", b"[('a', '<i8')]"),
}  # fmt: skip
"""Words that mean something in a format; those under the empty name are used everywhere."""
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    10**30,
    1e308,
    -1.5,
    "",
    "x",
    "../../x",
    "/etc",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
    [1, 2, 3],
    "9" * 500,
    float("nan"),
    float("inf"),
)


def mutate(case: Case, rng: random.Random) -> Case:
    """The same files, one of them damaged in one to five ways."""
    name = rng.choice(sorted(case))
    content = case[name]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        content = mutate_file(name, content, rng)
    return case | {name: content}


def mutate_file(name: str, content: bytes, rng: random.Random) -> bytes:
    """The content of one file, damaged in a way that fits its extension."""
    for ending, change in _CHANGES.items():
        if name.lower().endswith(ending) and rng.random() < 0.8:
            try:
                return change(name, content, rng)
            except (OSError, ValueError, KeyError, IndexError, EOFError, NotImplementedError, RecursionError,
                    zipfile.BadZipFile,
                zlib.error, struct.error):  # fmt: skip
                break  # it is damaged already
    return _text(name, content, rng)


def _text(name: str, content: bytes, rng: random.Random) -> bytes:
    return rng.choice((_bytes, _bytes, _lines, _words, _words, _numbers, _numbers))(name, content, rng)[: MAX_SIZE * 4]


def _bytes(name: str, content: bytes, rng: random.Random) -> bytes:  # noqa: ARG001
    at, length = rng.randrange(len(content) + 1), rng.choice((1, 1, 2, 4, 8, 64))
    before, part, after = content[:at], content[at : at + length], content[at + length :]
    return rng.choice((
        before + rng.randbytes(length) + after,
        before + after,
        before + part + part + after,
        before,
        before + bytes(b ^ (1 << rng.randrange(8)) for b in part) + after,
        before + rng.randbytes(length) + part + after,
    ))  # fmt: skip


def _lines(name: str, content: bytes, rng: random.Random) -> bytes:  # noqa: ARG001
    lines = content.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        lines.insert(b, lines[a])
    elif kind == 1:
        lines[a], lines[b] = lines[b], lines[a]
    elif kind == 2:
        del lines[a]
    else:
        lines[a:a] = lines[b : b + 5] * rng.choice((1, 2, 40))
    return b"\n".join(lines)


def _words(name: str, content: bytes, rng: random.Random) -> bytes:
    ending = next((ending for ending in WORDS if ending and ending in name.lower()), "")
    word = rng.choice(WORDS[ending] if rng.random() < 0.7 else WORDS[""])
    at = rng.randrange(len(content) + 1)
    return content[:at] + word + content[at + rng.choice((0, 0, len(word))) :]


def _numbers(name: str, content: bytes, rng: random.Random) -> bytes:
    """Replace one number of the text."""
    places = [i for i in range(len(content)) if content[i : i + 1].isdigit() and not content[i - 1 : i].isdigit()]
    if not places:
        return _bytes(name, content, rng)
    start = rng.choice(places)
    end = start
    while content[end : end + 1].isdigit():
        end += 1
    return content[:start] + rng.choice(NUMBERS) + content[end:]


def _gz(name: str, content: bytes, rng: random.Random) -> bytes:
    return gzip.compress(mutate_file(name[:-3], gzip.decompress(content), rng), 1, mtime=0)


def _npz(name: str, content: bytes, rng: random.Random) -> bytes:  # noqa: ARG001
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist() if info.file_size < MAX_SIZE * 4}
    chosen, kind = rng.choice(sorted(members)), rng.randrange(12)
    if kind == 0:
        del members[chosen]
    elif kind == 1:
        members[rng.choice(sorted(members))] = members[chosen]
    elif kind == 2:
        members[rng.choice(("x.npy", "../x.npy", "format.npy", "coords.npy", "plain.txt"))] = members[chosen]
    else:
        members[chosen] = mutate_file("x.npy", members[chosen], rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for member, raw in members.items():
            archive.writestr(member, raw)
    return out.getvalue()


def _npy(name: str, content: bytes, rng: random.Random) -> bytes:
    """Change the header and give its length right, or change one number of the body."""
    (length,) = struct.unpack("<H", content[8:10])
    header, body = content[10 : 10 + length], content[10 + length :]
    if rng.random() < 0.5:
        header = rng.choice((_numbers, _words))(name, header.rstrip(b"\n "), rng)[:60_000] + b"\n"
    else:
        size = rng.choice((1, 4, 8))
        at = rng.randrange(len(body) // size + 1) * size
        number = rng.choice((0, -1, 1, 2**31 - 1, -(2**31), 2**7 - 1, rng.getrandbits(30)))
        raw = (number & (2 ** (8 * size) - 1)).to_bytes(size, "little")
        body = rng.choice((body[:at] + raw + body[at + size :], body[:at], body + raw, body[:at] + raw + body[at:]))
    return content[:8] + struct.pack("<H", len(header)) + header + body


def _json(name: str, content: bytes, rng: random.Random) -> bytes:
    """Change one value anywhere in the tree, delete or rename it, or nest it deeply."""
    lines = content.splitlines() if name.endswith(".jsonl") else [content]
    which = rng.randrange(len(lines))
    tree = json.loads(lines[which])
    places = list(_places(tree))
    parent, key = rng.choice(places)
    kind = rng.randrange(8)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, dict):
        parent[rng.choice(("x", "__class__", "", key.upper()))] = parent.pop(key)
    elif kind == 2:
        other, place = rng.choice(places)
        parent[key] = other[place]
    else:
        parent[key] = rng.choice(VALUES)
    lines[which] = json.dumps(tree).encode()
    if rng.random() < 0.02:
        lines[which] = lines[which].replace(b"null", b"[" * 100_000 + b"]" * 100_000, 1)
    return b"\n".join(lines) + (b"\n" if name.endswith(".jsonl") else b"")


def _places(tree: Any) -> Any:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(items):
        yield tree, key
        yield from _places(value)


def _safetensors(name: str, content: bytes, rng: random.Random) -> bytes:
    (length,) = struct.unpack("<Q", content[:8])
    header, body = content[8 : 8 + length], content[8 + length :]
    if rng.random() < 0.8:
        header = _json(name, header, rng)
    else:
        body = _bytes(name, body, rng)
    return struct.pack("<Q", len(header)) + header + body


_CHANGES: dict[str, Callable[[str, bytes, random.Random], bytes]] = {
    ".gz": _gz, ".npz": _npz, ".npy": _npy, ".json": _json, ".jsonl": _json, ".safetensors": _safetensors,
}  # fmt: skip


def pack(case: Case) -> bytes:
    """A case as one string of bytes, for a fuzzer that changes bytes."""
    parts = [struct.pack("<HI", len(name.encode()), len(raw)) + name.encode() + raw for name, raw in case.items()]
    return b"".join(parts)


def unpack(data: bytes) -> Case:
    """The inverse of `pack`."""
    case, at = {}, 0
    while at < len(data):
        name_length, length = struct.unpack_from("<HI", data, at)
        at += 6
        name = data[at : at + name_length].decode()
        case[name] = data[at + name_length : at + name_length + length]
        at += name_length + length
    return case
