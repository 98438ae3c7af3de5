"""``hoscpool completion``: a script that completes commands, options and names in bash, zsh or fish."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hoscpool.cli.parser import CommandParser, build_parser

SHELLS = ("bash", "zsh", "fish")
DESCRIPTION = (
    "Print a script that completes commands, options, motifs and datasets when you press Tab. It holds all names, so "
    "Tab answers at once. Write it to a file that your shell reads, and again after an update of HoscPool."
)
EXAMPLES = (
    "hoscpool completion bash > ~/.local/share/bash-completion/completions/hoscpool",
    "hoscpool completion zsh > ~/.zfunc/_hoscpool",
    "hoscpool completion fish > ~/.config/fish/completions/hoscpool.fish",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    write: dict[str, Callable[[list[Place]], str]] = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
    print(write[args.shell](command_tree()))
    return 0


CHOICES = """\
    case "$at $prev" in
@values@
        *)
            case "$at $cur" in
@words@
            esac ;;
    esac"""
"""What both shells look up: the words after an option, and those at a place."""

BASH = """\
# completion of hoscpool in bash
_hoscpool() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" at="" files="" found="" i
    if [ "$cur" = "=" ]; then cur=""; fi
    if [ "$prev" = "=" ]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi
    for (( i = 1; i < COMP_CWORD; i++ )); do
        case "$at/${COMP_WORDS[i]}" in
            @paths@) at="$at/${COMP_WORDS[i]}" ;;
        esac
    done
@choices@
    COMPREPLY=($(compgen -W "$found" -- "$cur"))
    if [ -n "$files" ]; then
        local IFS=$'\\n'
        COMPREPLY+=($(compgen -f -- "$cur"))
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _hoscpool hoscpool"""

ZSH = """\
#compdef hoscpool
# completion of hoscpool in zsh
_hoscpool() {
    local cur="${words[CURRENT]}" prev="${words[CURRENT-1]}" at="" files="" found="" i
    for (( i = 2; i < CURRENT; i++ )); do
        case "$at/${words[i]}" in
            @paths@) at="$at/${words[i]}" ;;
        esac
    done
@choices@
    if [[ -n "$found" ]]; then compadd -- ${=found}; fi
    if [[ -n "$files" ]]; then _files; fi
}
if [[ "${funcstack[1]}" = "_hoscpool" ]]; then _hoscpool "$@"; else compdef _hoscpool hoscpool; fi"""


def bash_script(tree: list[Place]) -> str:
    """The script for bash."""
    return _filled(BASH, tree)


def zsh_script(tree: list[Place]) -> str:
    """The script for zsh."""
    return _filled(ZSH, tree)


def _filled(template: str, tree: list[Place]) -> str:
    values = [
        f"        {'|'.join(f'''{chr(34)}{place.path} {flag}{chr(34)}''' for flag in flags)}) {setting} ;;"
        for place in tree
        for setting, flags in _settings(place).items()
    ]
    words = []
    for place in tree:
        words.append(f'                "{place.path} "-*) {_set(place.flags, False)} ;;')
        words.append(f'                "{place.path} "*) {_set(place.words, place.takes_file)} ;;')
    paths = "|".join(place.path for place in tree if place.path)
    return (
        template.replace("@paths@", paths)
        .replace("@choices@", CHOICES)
        .replace("@values@", "\n".join(values))
        .replace("@words@", "\n".join(words))
    )


def _settings(place: Place) -> dict[str, list[str]]:
    """What may follow an option, with all options that it may follow."""
    found: dict[str, list[str]] = {}
    for option in place.options:
        if option.takes_value:
            found.setdefault(_set(option.words, option.takes_file), []).extend(option.flags)
    return found


def _set(words: tuple[str, ...], files: bool) -> str:
    return f'found="{" ".join(words)}"; files={"1" if files else chr(34) * 2}'


def fish_script(tree: list[Place]) -> str:
    """The script for fish."""
    return "\n".join(["# completion of hoscpool in fish", "complete -c hoscpool -f", *_fish_lines(tree)])


def _fish_lines(tree: list[Place]) -> Iterator[str]:
    for place in tree:
        names = place.path.split("/")[1:]
        here = "; and ".join(f"string match -q -- {n} (commandline -opc)[{at}]" for at, n in enumerate(names, start=2))
        at = f"test (count (commandline -opc)) -eq {len(names) + 1}"
        for name, summary in place.commands.items():
            when = f"{here}; and {at}" if here else at
            yield f"complete -c hoscpool -n '{when}' -a {name} -d {_quoted(summary)}"
        when = f" -n '{here}'" if here else ""
        if place.words and not place.commands:
            yield f"complete -c hoscpool{when} -a '{' '.join(place.words)}'"
        if place.takes_file:
            yield f"complete -c hoscpool{when} -F"
        for option in place.options:
            flags = " ".join(f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in option.flags)
            needs = " -r" if option.takes_value else ""
            files = " -F" if option.takes_file else ""
            words = f" -a '{' '.join(option.words)}'" if option.words else ""
            yield f"complete -c hoscpool{when} {flags}{needs}{files}{words} -d {_quoted(option.summary)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


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
