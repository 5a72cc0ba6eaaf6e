"""Write a script by which a shell completes what is typed, so that Tab starts no program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias

import typer
from typer.core import TyperGroup

from station.commands.options import Commands, argument

commands = Commands()
Shell: TypeAlias = Literal["bash", "zsh", "fish"]

BASH = """\
_loto() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" path="" part
    for part in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$part" in -*) ;; *) case " ${{_loto_words["${{path:-/}}"]}} " in
            *" $part "*) path="$path/$part" ;; esac ;; esac
    done
    COMPREPLY=($(compgen -W "${{_loto_words["${{path:-/}}"]}}" -- "$word"))
}}
declare -gA _loto_words=(
{words}
)
complete -o default -F _loto loto ./loto
"""


@commands.command()
def completion(
    context: typer.Context, shell: Annotated[Shell, argument("Which shell.")] = "bash"
) -> None:
    """Write a script that completes commands and options at a press of Tab: for bash keep it in
    ~/.local/share/bash-completion/completions/loto, for zsh add it to ~/.zshrc, for fish keep it in
    ~/.config/fish/completions/loto.fish.

    Example: loto completion bash
    """
    root = context.find_root()
    typer.echo(script(root.command, root, shell), nl=False)


def script(command: Any, context: Any, shell: Shell) -> str:
    """Return the script for a shell.

    Args:
        command: the whole command line.
        context: its context.
    """
    known = dict(_words(command, context))
    if shell == "fish":
        return "".join(_fish(path, words) for path, words in known.items())
    lines = "\n".join(f'    [{path}]="{" ".join(words)}"' for path, words in known.items())
    bash = BASH.format(words=lines)
    if shell == "zsh":
        return f"autoload -Uz bashcompinit && bashcompinit\n{bash}"
    return bash


def _words(command: Any, context: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield for each command, as `/people/pin`, what may stand after it: commands and options."""
    below = {
        name: one
        for name in (command.list_commands(context) if isinstance(command, TyperGroup) else ())
        if not (one := command.get_command(context, name)).hidden
    }
    options = [
        option
        for parameter in command.get_params(context)
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--")
    ]
    yield path or "/", [*below, *options]
    for name, one in below.items():
        yield from _words(one, context, f"{path}/{name}")


def _fish(path: str, words: list[str]) -> str:
    parts = [part for part in path.split("/") if part]
    when = " and ".join(f"__fish_seen_subcommand_from {part}" for part in parts)
    condition = when.replace(" and ", "; and ") if parts else "__fish_use_subcommand"
    names = " ".join(word for word in words if not word.startswith("-"))
    lines = [f"complete -c loto -f -n '{condition}' -a '{names}'\n"] if names else []
    lines += [
        f"complete -c loto -n '{condition}' -l {word.removeprefix('--')}\n"
        for word in words
        if word.startswith("--")
    ]
    return "".join(lines)
