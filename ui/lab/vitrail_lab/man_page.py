"""Help texts and the manual page of an argparse parser."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

COLUMNS = 80
SEE_ALSO = ("vitrail", "vitrail-manager", "vitrail-receiver", "bplay")


class Help(argparse.RawDescriptionHelpFormatter):
    """The help format of the other programs: "Usage:", and 80 columns on any terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=COLUMNS)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, "Usage: ")


class ManPage(argparse.Action):
    """The option --man-page, which the help does not list."""

    def __init__(self, option_strings: list[str], dest: str, text: Callable[[argparse.ArgumentParser], str]) -> None:
        super().__init__(option_strings, dest, nargs=0, help=argparse.SUPPRESS)
        self.text = text

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(self.text(parser), end="")
        parser.exit()


def plain(text: str) -> str:
    """Escape a text for roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in escaped.splitlines())


def man_page(parser: argparse.ArgumentParser, version: str) -> str:
    name, about = parser.prog, parser.description or ""
    gist = about.partition("\n")[0].rstrip(".")
    text = (f'.TH "{plain(name.upper())}" 1 "" "{plain(name)} {plain(version)}" "Vitrail"\n.SH NAME\n{plain(name)} \\- {plain(gist)}\n'
            f".SH SYNOPSIS\n.B {plain(name)}\n[OPTIONS]")
    options = [action for action in parser._actions if action.help is not argparse.SUPPRESS]
    text += "".join(f" {plain(action.metavar or action.dest)}" for action in options if not action.option_strings
                    and isinstance(action.metavar, (str, type(None))))
    text += f"\n.SH DESCRIPTION\n{paragraphs(about)}\n"
    for heading, wanted in (("ARGUMENTS", False), ("OPTIONS", True)):
        text += f".SH {heading}\n"
        for action in options:
            if bool(action.option_strings) == wanted:
                form = f" {action.metavar or action.dest.upper()}" if wanted and action.nargs != 0 else ""
                names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
                text += f".TP\n.B {plain(names)}\\fR{plain(form)}\n{plain(action.help or '')}\n"
    if parser.epilog:
        text += f".SH NOTES\n.nf\n{plain(parser.epilog)}\n.fi\n"
    return text + ".SH SEE ALSO\n" + ",\n".join(f".BR {plain(other)} (1)" for other in SEE_ALSO) + "\n"


def paragraphs(text: str) -> str:
    return "\n.PP\n".join(plain(part) for part in text.strip().split("\n\n"))
