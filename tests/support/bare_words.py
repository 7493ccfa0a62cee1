"""Finds words that stand in no catalog, in what was shown in the pseudo-language.

    find_bare("⟦ñö ṛöẅś⟧ in the file", ALLOWED)     # ["in the file"]

In that language every letter of a sentence has an accent, so two plain English words in a row are
no sentence of a catalog, nor is a single one that is no name. What may stand there as it is, is
listed below with its reason, or is a name or a cell of the data (`words_of`, `phrases_of`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

from tokumei.apps.cli.dispatch import list_commands
from tokumei.core.registry import field_type_hints
from tokumei.kinds import all_kinds
from tokumei.tables.audit.attacks.membership_attack import membership_attacks
from tokumei.tables.audit.attribute_guessers import GUESSER_TITLES
from tokumei.tables.profiling.normalization_rules import NORMALIZATION_RULES

SHELL_LINE = re.compile(r"^\W*(\$ )?(tokumei|pip|python|curl|docker|sudo|git|eval|source) .*")
"""A command to type; what is indented more deeply below it belongs to it."""
COMMAND = re.compile(r"(`|')tokumei [^`']*\1|tokumei( [a-z-]+)*(?= --)")
"""A command named in a sentence: in quotation marks, or followed by its options."""
NOT_PROSE = re.compile(
    r"""https?://\S+            # an address
    | --?[A-Za-z][\w-]*(=\S+)?  # an option
    | \S*[/\\=_@{}<>\d]\S*      # a path, an assignment, a name in code, a figure
    | \w+(\.\w+)+               # a file or a module
    | \b[a-z]{20}\b            # the id of an entry without a digit
    """,
    re.VERBOSE,
)
SHAPE = re.compile(r"[aA]+|C+|x+")
"""The shape of a cell: every letter of it is an a."""
WORD = re.compile(r"[(\[{\"'“‘«⟦`*]*([A-Za-z]?[a-z]+)(?:[’']s)?([)\]}\"'”’»⟧`*…,.;:!?·/]*)")
"""A plain word with what may stand around it."""
BREAKS = ",.;:!?·/"
"""Signs after which another run of words begins."""

NAMES = {
    "Tokumei": "the product",
    "Yamaoka Mondrian Datafly Zayatz Laplace Benedetti Franconi Pitman Skinner Elliot Ewens Chao"
    " Hochberg Benjamini Clopper Pearson Wilson Holm Jaccard Hamming Euclid Markov": "people",
    "Online Retail Adult Spark Python Excel Parquet Alpine Chromium PostgreSQL Argon": "others'",
    "en ja qps": "languages",
    "csv json yaml html xlsx parquet utf cp latin": "formats and encodings",
    "stdin stdout stderr localhost http https": "names of the operating system",
    "true false null None True False inf nan": "values as YAML, JSON and Python write them",
    "stack ceiling histogram responsibility": "what an audit computes beside registered attacks",
    "characters numbers decades": "similarities by which words for a price list are suggested",
    "none all auto": "values of options",
    "pid": "the column of pseudonyms in a contest's files",
    "schema unsafe": "keys of contest.yaml and of a contest's figures",
    "Errno": "how the system begins the number of an error",
    "occupation birth height": "columns of the people whom `rules simulate` draws",
    "Prec ncp prec dcr auc suda pif rfm tfidf idf log exp min max sum mean median": "formulas",
}
"""Words that are the same in every language, by why."""
PHRASES = {
    "but got": "PyYAML's words about broken YAML",
    "Connection refused": "the system's words about a server that is not there",
    "years old": "a value of the papers' tables",
}


@dataclass(frozen=True)
class Allowed:
    """Names, and texts of several words, that are shown as they are."""

    words: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()

    def with_texts(self, *texts: str) -> Allowed:
        """These texts of the data, too, and every word of them."""
        words = {word for text in texts for word in re.findall(r"[A-Za-z]+", text)}
        phrases = {*self.phrases, *(text.strip() for text in texts if " " in text.strip())}
        return Allowed(self.words | words, tuple(sorted(phrases, key=len, reverse=True)))


def find_bare(text: str, allowed: Allowed) -> list[str]:
    """Runs of plain words, and single ones of three letters and more that are no name."""
    text = COMMAND.sub("\0", "\n".join(_drop_commands(text.splitlines())))
    for phrase in allowed.phrases:
        text = text.replace(phrase, "\0")
    return [
        run
        for cell in re.split(r" {2,}|[│┃|\t\n\0]", text)
        for run in _find_runs(cell)
        if not _is_name(run, allowed)
    ]


def describe_findings(found: Iterable[tuple[str, list[str]]]) -> str:
    """Where words were found, a line for each place; nothing if there are none."""
    return "\n".join(f"{place}: {' | '.join(words)}" for place, words in found if words)


def _is_name(run: str, allowed: Allowed) -> bool:
    words = run.split()
    if len(words) > 1:
        return all(len(word) < 3 for word in words)
    return len(run) < 3 or run in allowed.words or run.removesuffix("s") in allowed.words


def _find_runs(cell: str) -> Iterator[str]:
    """Words between which only blanks stand."""
    run: list[str] = []
    for token in [*cell.split(), "\0"]:
        word = None if NOT_PROSE.fullmatch(token) else WORD.fullmatch(token)
        if word and not SHAPE.fullmatch(word[1]):
            run.append(word[1])
        if run and (not word or {*word[2]} & {*BREAKS} or SHAPE.fullmatch(word[1])):
            yield " ".join(run)
            run = []


def _drop_commands(lines: Iterable[str]) -> Iterator[str]:
    """The lines without commands to type; what is said behind one stays."""
    goes_on = False
    for line in lines:
        goes_on = bool(SHELL_LINE.match(line)) or (goes_on and line.startswith("      "))
        yield line.partition(" # ")[2] if goes_on else line


@cache
def package_names() -> Allowed:
    """Names of commands, options, methods, their parameters and values, and those in `NAMES`."""
    words = {word for names in NAMES for word in names.split()}
    phrases = {*PHRASES}
    for kind in all_kinds():
        words |= {kind.name, *kind.registries}
        for registry in kind.registries.values():
            for name in registry.names():
                hints = field_type_hints(registry.get(name))
                words |= _words_of(name, *hints, *_list_choices([*hints.values()]))
    words |= _words_of(*membership_attacks.names(), *GUESSER_TITLES, *NORMALIZATION_RULES)
    for command in list_commands():
        phrases |= {f"tokumei {' '.join(command.path[:length])}" for length in (1, 2, 3)}
        phrases.add(command.command_text)
        for name, option in command.options().items():
            words |= _words_of(*command.path, name, *_list_choices([option.type, option.hint]))
    return Allowed(frozenset(words)).with_texts(*phrases)


def _words_of(*names: str) -> set[str]:
    return {word for name in names for word in re.findall("[A-Za-z]+", name)}


def _list_choices(hints: Iterable[object]) -> Iterator[str]:
    """The texts that a parameter of such a type may be."""
    for hint in hints:
        choices = get_args(hint)
        yield from (choice for choice in choices if isinstance(choice, str))
        yield from _list_choices(choice for choice in choices if not isinstance(choice, str))


def data_texts(folder: Path) -> Iterator[str]:
    """The cells of all tables in a folder."""
    for path in sorted(folder.rglob("*.csv")):
        text = path.read_bytes().decode("utf-8", errors="replace") if path.is_file() else ""
        yield from {cell for row in csv.reader(text.splitlines()) for cell in row}
