"""Everything that can stand on the command line: commands, options, and the names that an option takes."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hoscpool.cli.parser import CommandParser, build_parser

FILES = ("FILE", "DIR", "GRAPH", "RESULTS", "NAME|FOLDER")
"""What an argument is called that is a path, or how its name begins."""


@dataclass(frozen=True)
class Option:
    """One option of a command.

    Attributes:
        flags: All its spellings.
        summary: The first sentence of its help.
        takes_value: Whether a value follows.
        takes_file: Whether the value is a path.
        words: Known values.
    """

    flags: tuple[str, ...]
    summary: str
    takes_value: bool
    takes_file: bool
    words: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """A place on the command line: behind the program, a command, or a suite of a command.

    Attributes:
        path: The commands before it, such as ``/bench/motifs``; empty behind the program.
        options: The options there.
        commands: The commands that may follow, with their summaries.
        words: What else may follow.
        takes_file: Whether a path may follow.
    """

    path: str
    options: tuple[Option, ...]
    commands: dict[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    takes_file: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """All spellings of all options."""
        return tuple(flag for option in self.options for flag in option.flags)


def command_tree() -> list[Place]:
    """All places, the program first."""
    return list(_places("", build_parser()))


def _places(path: str, parser: argparse.ArgumentParser) -> Iterator[Place]:
    if isinstance(parser, CommandParser):
        parser.load()
    options, words, takes_file, commands = [], [], False, {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {entry.dest: entry.help or "" for entry in action._choices_actions}
            commands = {name: summaries.get(name, "") for name in action.choices}
            words += list(commands)
        elif action.option_strings:
            options.append(_option(action))
        else:
            words += _words(action)
            takes_file |= _is_path(action)
    yield Place(path, tuple(options), commands, tuple(words), takes_file)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from _places(f"{path}/{name}", inner)


def _option(action: argparse.Action) -> Option:
    summary = (action.help or "").split(";")[0].split(" (default")[0]
    takes_value = action.nargs != 0
    return Option(tuple(action.option_strings), summary, takes_value, _is_path(action), tuple(_words(action)))


def _is_path(action: argparse.Action) -> bool:
    return isinstance(action.metavar, str) and action.metavar.startswith(FILES)


def _words(action: argparse.Action) -> Sequence[str]:
    """The names that an argument takes."""
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    return _registered(action.option_strings[-1] if action.option_strings else action.metavar)


def _registered(name: object) -> Sequence[str]:
    """The names of a registry, by the argument that takes them."""
    if name == "--motif":
        from hoscpool.motifs import list_motifs

        return list_motifs()
    if name in ("GRAPH", "NAME|FOLDER"):
        from hoscpool.datasets import list_datasets

        return list_datasets("node" if name == "GRAPH" else "graph")
    if name in ("--method", "--preset", "--solver"):
        from hoscpool.cluster import PRESETS, SOLVERS, clustering_methods

        known: dict[str, Iterable[str]] = {"--method": clustering_methods(), "--preset": PRESETS, "--solver": SOLVERS}
        return list(known[str(name)])
    if name in ("--pooling", "--encoder"):
        from hoscpool.nn import list_encoders, list_pools

        return {"--pooling": list_pools, "--encoder": list_encoders}[str(name)]()
    return []
