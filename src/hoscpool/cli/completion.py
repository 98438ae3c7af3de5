"""``hoscpool completion``: a script that completes commands, options and names in bash, zsh or fish."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from hoscpool.cli.command_tree import Place, command_tree

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
    case "$at $prev" in
@values@
        *)
            case "$at $cur" in
@words@
            esac ;;
    esac
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
    case "$at $prev" in
@values@
        *)
            case "$at $cur" in
@words@
            esac ;;
    esac
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
        template.replace("@paths@", paths).replace("@values@", "\n".join(values)).replace("@words@", "\n".join(words))
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
