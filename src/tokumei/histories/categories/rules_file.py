"""Keyword rules from a YAML file: a list of blocks, each a category and its keywords.

- category: キッチン用品
  keywords: [mug, frying pan, cook*, =tea]

Every fault is reported with its line, all at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import yaml

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = re.compile("['’`]")
_IRREGULAR = {
    "children": "child",
    "knives": "knife",
    "leaves": "leaf",
    "loaves": "loaf",
    "men": "man",
    "mice": "mouse",
    "scarves": "scarf",
    "shelves": "shelf",
    "women": "woman",
}
_ES = ("ches", "shes", "sses", "xes", "zzes")
_NO_PLURAL = ("ss", "us", "is")
_SHORTEST = 4


def written_words(text: str) -> tuple[str, ...]:
    """The words of a text in order, in lower case as they are written."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return tuple(_WORD.findall(_APOSTROPHES.sub("", plain)))


@lru_cache(maxsize=2**14)
def folded(word: str) -> str:
    """A lower-case word, the same for singular and plural.

    That need not be a real word ("cookies" and "cookie" both become "cooky"): keywords and
    descriptions pass through the same rules.
    """
    singular = _IRREGULAR.get(word) or _without_s(word)
    singular = _IRREGULAR.get(singular, singular)
    if len(singular) > _SHORTEST and singular.endswith("ie"):
        return singular[:-2] + "y"
    return singular


def _without_s(word: str) -> str:
    if len(word) < _SHORTEST or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_ES) else word[:-1]


_KEYS = ("category", "keywords")
_MARKS = re.compile(r"[*=]")
_Key = tuple[tuple[str, ...], bool, bool]


@dataclass(frozen=True)
class Keyword:
    """One keyword of a rules file: its words, how it is compared, what it decides."""

    text: str
    category: str
    line: int
    words: tuple[str, ...]
    whole: bool = False
    open_end: bool = False


def parse_rules(text: str, *, where: AnyPath) -> tuple[Keyword, ...]:
    """The keywords of a rules file in order; an InputError lists all faults with their lines."""
    faults: list[Fault] = []
    keywords: list[Keyword] = []
    for category, node in _scalars(_composed(text, where), faults):
        made = _keyword(category, node)
        if isinstance(made, Keyword):
            keywords.append(made)
        else:
            faults.append(made)
    faults += _never_deciding(keywords)
    if not faults and not keywords:
        raise input_error(where, "there are no keywords", "キーワードがありません")
    if faults:
        faults.sort(key=lambda fault: fault.line or 0)
        raise input_error(where, "the rules cannot be used", "規則が使えません", faults=faults)
    return tuple(keywords)


def _composed(text: str, where: AnyPath) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        return root
    except yaml.YAMLError as err:
        mark, problem = getattr(err, "problem_mark", None), getattr(err, "problem", err)
        line = mark.line + 1 if mark else 1
        faults = [_fault(line, Text(f"{problem}", f"YAML として読めません ({problem})"))]
    raise input_error(where, "not valid YAML", "YAML として読めません", faults=faults)


def _scalars(root: yaml.Node | None, faults: list[Fault]) -> Iterator[tuple[str, yaml.ScalarNode]]:
    """Every keyword node with its category; what has another shape becomes a fault."""
    if not isinstance(root, yaml.SequenceNode):
        faults.append(_shape(root))
        return
    for block in root.value:
        pairs = block.value if isinstance(block, yaml.MappingNode) else ()
        fields = {str(key.value): value for key, value in pairs}
        category, keywords = (fields.get(key) for key in _KEYS)
        if (
            set(fields) != set(_KEYS)
            or not (isinstance(category, yaml.ScalarNode) and category.value.strip())
            or not isinstance(keywords, yaml.SequenceNode)
        ):
            faults.append(_shape(block))
            continue
        for node in keywords.value:
            if isinstance(node, yaml.ScalarNode):
                yield category.value.strip(), node
            else:
                faults.append(_shape(node))


def _keyword(category: str, node: yaml.ScalarNode) -> Keyword | Fault:
    line = node.start_mark.line + 1
    text = " ".join(str(node.value).split())
    body = text.removeprefix("=").removesuffix("*")
    whole, open_end = text.startswith("="), text.endswith("*")
    if _MARKS.search(body) or not written_words(body) or (whole and open_end) or body[-1:] == " ":
        wrong = Text(
            f"line {line}: '{text}' is not a keyword: write words, with = in front or * at the end",
            f"{line} 行目: '{text}' はキーワードになりません"
            " (語、先頭の =、末尾の * だけが使えます)",
        )
        return _fault(line, wrong)
    written = written_words(body)
    ends = len(written) - open_end  # whole words are folded, the beginning of a word is not
    words = (*map(folded, written[:ends]), *written[ends:])
    return Keyword(text, category, line, words, whole=whole, open_end=open_end)


def _never_deciding(keywords: list[Keyword]) -> Iterator[Fault]:
    """Keywords that hold an earlier one of another category, which therefore always wins."""
    first: dict[_Key, Keyword] = {}
    for keyword in keywords:
        found = (first.get(key) for key in _held(keyword))
        earlier = next((one for one in found if one and one.category != keyword.category), None)
        if earlier is not None:
            wrong = Text(
                f"line {keyword.line}: '{keyword.text}' is never used:"
                f" '{earlier.text}' on line {earlier.line} gives {earlier.category}",
                f"{keyword.line} 行目: '{keyword.text}' は {earlier.line} 行目の"
                f" '{earlier.text}' で {earlier.category} に決まるため使われません",
            )
            yield _fault(keyword.line, wrong)
        first.setdefault(_key(keyword), keyword)


def _held(keyword: Keyword) -> Iterator[_Key]:
    """The keyword itself and every plain keyword found wherever it is found."""
    yield _key(keyword)
    words = keyword.words[:-1] if keyword.open_end else keyword.words
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield words[start:end], False, False


def _key(keyword: Keyword) -> _Key:
    return keyword.words, keyword.whole, keyword.open_end


def _shape(node: yaml.Node | None) -> Fault:
    line = node.start_mark.line + 1 if node is not None else 1
    wrong = Text(
        f"line {line}: expected a list of blocks with 'category' and a list 'keywords'",
        f"{line} 行目: 'category' と一覧 'keywords' を持つ項目の一覧にしてください",
    )
    return _fault(line, wrong)


def _fault(line: int, message: Text) -> Fault:
    return Fault(rule="keyword rules", message=message, line=line)
