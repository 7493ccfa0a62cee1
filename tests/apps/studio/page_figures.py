"""Collects what a page of the studio says of a release, to be held against its assessment."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokumei.core.formatting import format_number, format_percent
from tokumei.core.language import language_context

_FIGURE = re.compile(r'data-figure="(\w+)">(.*?)</dd>', re.DOTALL)
_BAR = re.compile(r'<tr data-attacker="([^"]+)">(.*?)</tr>', re.DOTALL)
_NUMBER_CELL = re.compile(r'<td class="number"[^>]*>(.*?)</td>', re.DOTALL)
_KEPT_COLUMN = re.compile(
    r'<dt class="name">([^<]*)</dt><dd><meter[^>]*></meter><span class="number">([^<]*)</span>'
)


@dataclass(frozen=True)
class Contradiction:
    """A page that says something else than the assessment."""

    page: str
    what: str
    said: str
    assessed: str


def words_of(text: str) -> str:
    """The text of a piece of HTML, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def collect(text: str) -> dict[str, str]:
    """Every verdict and figure of the chosen candidate or release, by name."""
    verdicts = re.findall(r'data-verdict="([^"]+)"', text)
    found = {f"verdict {n}": word for n, word in enumerate(verdicts)}
    found |= {name: words_of(words) for name, words in _FIGURE.findall(text)}
    for code, row in _BAR.findall(text):
        cells = [words_of(cell) for cell in _NUMBER_CELL.findall(row)]
        found[f"attacker {code}"] = " / ".join(cells)
    if "data-kept" in text:
        for name, share in _KEPT_COLUMN.findall(text):
            found[f"column {html.unescape(name)}"] = share
    return found


def expected(document: Mapping[str, Any]) -> dict[str, str]:
    """What a page in English has to say of an assessment."""
    with language_context("en"):
        wanted = {"kept": format_percent(document["kept"])}
        for name, attacker in (
            ("strongest", document["attackers"][0]),
            ("bound", document["bound"]),
        ):
            wanted[name] = (
                f"{format_number(attacker['certain'])} identified, "
                f"{format_number(attacker['found'])} guessed right of "
                f"{document['total']:,} {document['unit']}"
            )
        bars = [(a["code"], a) for a in document["attackers"]] + [("bound", document["bound"])]
        for code, attacker in bars:
            wanted[f"attacker {code}"] = " / ".join(
                f"{format_number(attacker[count])} {format_percent(attacker[share])}"
                for count, share in (("found", "share"), ("certain", "certain_share"))
            )
        for column in document["columns"]:
            if column["kept"] is not None:
                wanted[f"column {column['name']}"] = format_percent(column["kept"])
    return wanted


def contradictions(page: str, text: str, document: Mapping[str, Any]) -> list[Contradiction]:
    """Whatever a page says that its assessment does not."""
    wanted, found = expected(document), list[Contradiction]()
    for name, said in collect(text).items():
        assessed = wanted.get(name, "nothing")
        if name.startswith("verdict"):
            assessed = document["verdict"]
        if said != assessed:
            found.append(Contradiction(page, name, said, assessed))
    return found
