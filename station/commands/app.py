"""Build the command line, where a module is loaded for the command that is typed; errors become a
sentence and an exit code."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Annotated

import typer

from drivers import BadOption, DriverError
from station import __version__
from station.base.catalogues import speak
from station.base.errors import (
    EXIT_DEVICE,
    EXIT_DONE,
    EXIT_NO,
    EXIT_USAGE,
    LotoError,
    NotAllowed,
    out_of_memory,
)
from station.base.later import later
from station.base.said import TYPED
from station.base.terminal import LogLines, Terminal, err, styled
from station.base.tongue import tr
from station.commands.grouped import GroupedHelp
from station.commands.options import Commands, option
from station.commands.tongue import in_english, retold, told_in_the_language
from station.commands.tools import CHECKOUT, example_for, language, print_refused

with later():
    from station.commands import bundle as cli_bundle
    from station.commands import claim as cli_claim
    from station.commands import completion as cli_completion
    from station.commands import devices as cli_devices
    from station.commands import drill as cli_drill
    from station.commands import drivers as cli_drivers
    from station.commands import enrol as cli_enrol
    from station.commands import fair as cli_fair
    from station.commands import first_start as cli_first_start
    from station.commands import image as cli_image
    from station.commands import install as cli_install
    from station.commands import journal as cli_journal
    from station.commands import leading as cli_leading
    from station.commands import learn as cli_learn
    from station.commands import matrix as cli_matrix
    from station.commands import odds as cli_odds
    from station.commands import pack as cli_packprint
    from station.commands import people as cli_people
    from station.commands import play as cli_play
    from station.commands import print as cli_print
    from station.commands import processes as cli_processes
    from station.commands import programme as cli_programme
    from station.commands import ready as cli_ready
    from station.commands import rehearse as cli_rehearse
    from station.commands import report as cli_report
    from station.commands import sale as cli_sale
    from station.commands import sealed as cli_sealed
    from station.commands import setup as cli_setup
    from station.commands import tablemoves as cli_tablemoves
    from station.commands import theme as cli_theme
    from station.commands import voice as cli_voice
    from station.commands import wording as cli_wording


# Every command stands under one purpose, with the module that has it; the order is that of an
# evening.
GROUPS: Mapping[str, Mapping[str, ModuleType]] = {
    "Start and look": {
        "run": cli_processes,
        "watch": cli_processes,
        "report": cli_report,
        "core": cli_processes,
        "web": cli_processes,
        "screen": cli_processes,
    },
    "Before a game": {
        "census": cli_ready,
        "selftest": cli_ready,
        "health": cli_ready,
        "programme": cli_programme,
        "theme": cli_theme,
        "wording": cli_wording,
        "pack": cli_packprint,
        "print": cli_print,
        "rehearse": cli_rehearse,
        "odds": cli_odds,
        "sealed": cli_sealed,
    },
    "Sale and money": {
        "sell": cli_sale,
        "return": cli_sale,
        "count": cli_sale,
        "money": cli_sale,
        "pay": cli_sale,
        "approve": cli_sale,
        "recover": cli_sale,
        "redeem": cli_sale,
        "bank": cli_sale,
    },
    "Lead a game": {
        "open": cli_leading,
        "mix": cli_leading,
        "draw": cli_leading,
        "next": cli_leading,
        "auto": cli_leading,
        "pause": cli_leading,
        "repeat": cli_leading,
        "undo": cli_leading,
        "stop": cli_leading,
        "play-on": cli_leading,
        "close": cli_leading,
        "close-night": cli_leading,
        "break": cli_sale,
        "skip": cli_sale,
        "do": cli_leading,
    },
    "Claims": {"check": cli_claim, "claim": cli_claim, "near": cli_claim, "lots": cli_claim},
    "At the table": {"table": cli_tablemoves, "play": cli_play, "learn": cli_learn},
    "People": {"pair": cli_people, "people": cli_people},
    "The machine": {
        "setup": cli_setup,
        "config": cli_devices,
        "driver": cli_drivers,
        "doctor": cli_setup,
        "enrol": cli_enrol,
        "voice": cli_voice,
        "matrix": cli_matrix,
        "hotspot": cli_install,
        "backup": cli_install,
        "install": cli_install,
        "update": cli_install,
        "bundle": cli_bundle,
        "image": cli_image,
        "first-start": cli_first_start,
        "uninstall": cli_install,
        "completion": cli_completion,
    },
    "The record": {"journal": cli_journal, "fair": cli_fair},
    "For developers": {"test": cli_drill, "drill": cli_drill},
}


class Loto(GroupedHelp):
    """The commands, by what they are for."""

    groups = GROUPS


app = Commands(
    "loto",
    "A calling station for Loto, tombola and 90-ball bingo.",
    cls=Loto,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"loto-station {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, option("Say the version and end.", "--version", callback=_version, is_eager=True)
    ] = False,
    verbose: Annotated[bool, option("Log what the program does.", "--verbose", "-v")] = False,
) -> None:
    level = logging.INFO if verbose or os.environ.get("LOTO_VERBOSE") else logging.WARNING
    if verbose:
        os.environ["LOTO_VERBOSE"] = "1"
    lines = logging.StreamHandler()
    lines.setFormatter(LogLines("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[lines])


def _sentence(error: Exception) -> str:
    """Return what an error says, where it is a refusal in the language of whoever types here."""
    if not isinstance(error, NotAllowed):
        return str(error)
    from station.wire.wording.refusals import load_refusals

    sentences = load_refusals(language()) if language() else {}
    return error.said.told(sentences, program=Terminal.program)


def _reason(error: LotoError | DriverError) -> str:
    """Return the word by which a program knows an error."""
    return error.reason if isinstance(error, LotoError) else "device"


def main() -> None:
    """Run the command line: every known error becomes one message and its exit code; where JSON is
    asked for, the message is an object on stdout, too."""
    Terminal.program = TYPED if (CHECKOUT / "loto").exists() else "loto"
    try:
        speak(language())
        commands = told_in_the_language(app)
        code = commands(standalone_mode=False, prog_name=Terminal.program)
    except (LotoError, DriverError) as error:
        err.print(styled(said := _sentence(error), "red"))
        print_refused(_reason(error), said)
        of_driver = EXIT_USAGE if isinstance(error, BadOption) else EXIT_DEVICE
        code = getattr(error, "exit_code", of_driver)
    except KeyboardInterrupt:
        code = EXIT_DONE
    except typer.Abort:
        code = EXIT_NO
    except BrokenPipeError:
        sys.stderr.close()
        code = EXIT_DONE
    except Exception as error:
        if out_of_memory(error):
            said = tr(
                "This machine has no memory left for this. End other programs, then try again."
            )
            err.print(styled(said, "red"))
            print_refused("memory", said)
            sys.exit(EXIT_DEVICE)
        # Wrong use, in the words of the command line's library; anything else is a fault of ours
        # and shows its trace.
        if not (hasattr(error, "format_message") and hasattr(error, "exit_code")):
            raise
        if (show := getattr(error, "show", None)) is not None:
            usage = io.StringIO()
            show(file=usage)
            err.print(retold(usage.getvalue()))
            if typed := example_for(error, in_english):
                err.print(tr("for example: {words}", words=typed))
            print_refused("usage", retold(error.format_message()))
        code = EXIT_USAGE
    sys.exit(code if isinstance(code, int) else EXIT_DONE)
