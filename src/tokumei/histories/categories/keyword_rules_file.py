"""Reads keyword rules from a YAML file: a list of categories with keywords.

- category: kitchenware
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

from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath, input_error

_WORD_PATTERN = re.compile(r"[^\W_]+")
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
_ES_ENDINGS = ("ches", "shes", "sses", "xes", "zzes")
_SINGULAR_ENDINGS = ("ss", "us", "is")
_SHORTEST_PLURAL = 4


def split_words(text: str) -> tuple[str, ...]:
    """The words of a text in order, in lower case as they are written."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return tuple(_WORD_PATTERN.findall(_APOSTROPHES.sub("", plain)))


@lru_cache(maxsize=2**14)
def fold_plural(word: str) -> str:
    """A lower-case word, the same for singular and plural.

    That need not be a real word ("cookies" and "cookie" both become "cooky"): keywords and
    descriptions pass through the same rules.
    """
    singular = _IRREGULAR.get(word) or _strip_plural_s(word)
    singular = _IRREGULAR.get(singular, singular)
    if len(singular) > _SHORTEST_PLURAL and singular.endswith("ie"):
        return singular[:-2] + "y"
    return singular


def _strip_plural_s(word: str) -> str:
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(_SINGULAR_ENDINGS):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_ES_ENDINGS) else word[:-1]


_BLOCK_KEYS = ("category", "keywords")
_MARK_PATTERN = re.compile(r"[*=]")
_KeywordKey = tuple[tuple[str, ...], bool, bool]


@dataclass(frozen=True)
class Keyword:
    """One keyword of a rules file: its words, how it is compared, what it decides."""

    text: str
    category: str
    line: int
    words: tuple[str, ...]
    whole: bool = False
    open_end: bool = False


def parse_keyword_rules(text: str, *, where: AnyPath) -> tuple[Keyword, ...]:
    """The keywords of a rules file in order; an InputError lists all faults with their lines."""
    faults: list[Violation] = []
    keywords: list[Keyword] = []
    for category, node in _iter_keyword_nodes(_parse_yaml(text, where), faults):
        parsed = _parse_keyword(category, node)
        if isinstance(parsed, Keyword):
            keywords.append(parsed)
        else:
            faults.append(parsed)
    faults += _find_unreachable_keywords(keywords)
    if not faults and not keywords:
        raise input_error(where, Message("there are no keywords"))
    if faults:
        faults.sort(key=lambda fault: fault.line or 0)
        raise input_error(where, Message("the keyword rules cannot be used"), faults=faults)
    return tuple(keywords)


def _parse_yaml(text: str, where: AnyPath) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        return root
    except yaml.YAMLError as err:
        mark, problem = getattr(err, "problem_mark", None), getattr(err, "problem", err)
        line = mark.line + 1 if mark else 1
        message = Message("line {line}: {reason}", line=line, reason=str(problem))
        faults = [_rule_violation(line, message)]
    raise input_error(where, Message("not valid YAML"), faults=faults)


def _iter_keyword_nodes(
    root: yaml.Node | None, faults: list[Violation]
) -> Iterator[tuple[str, yaml.ScalarNode]]:
    """Every keyword node with its category; what has another shape becomes a fault."""
    if not isinstance(root, yaml.SequenceNode):
        faults.append(_block_shape_violation(root))
        return
    for block in root.value:
        pairs = block.value if isinstance(block, yaml.MappingNode) else ()
        fields = {str(key.value): value for key, value in pairs}
        category, keywords = (fields.get(key) for key in _BLOCK_KEYS)
        if (
            set(fields) != set(_BLOCK_KEYS)
            or not (isinstance(category, yaml.ScalarNode) and category.value.strip())
            or not isinstance(keywords, yaml.SequenceNode)
        ):
            faults.append(_block_shape_violation(block))
            continue
        for node in keywords.value:
            if isinstance(node, yaml.ScalarNode):
                yield category.value.strip(), node
            else:
                faults.append(_block_shape_violation(node))


def _parse_keyword(category: str, node: yaml.ScalarNode) -> Keyword | Violation:
    line = node.start_mark.line + 1
    text = " ".join(str(node.value).split())
    body = text.removeprefix("=").removesuffix("*")
    whole, open_end = text.startswith("="), text.endswith("*")
    if (
        _MARK_PATTERN.search(body)
        or not split_words(body)
        or (whole and open_end)
        or body[-1:] == " "
    ):
        message = Message(
            "line {line}: '{text}' is not a keyword: write words, with = in front or * at the end",
            line=line,
            text=text,
        )
        return _rule_violation(line, message)
    raw_words = split_words(body)
    ends = len(raw_words) - open_end  # whole words are folded, the beginning of a word is not
    words = (*map(fold_plural, raw_words[:ends]), *raw_words[ends:])
    return Keyword(text, category, line, words, whole=whole, open_end=open_end)


def _find_unreachable_keywords(keywords: list[Keyword]) -> Iterator[Violation]:
    """Keywords that hold an earlier one of another category, which therefore always wins."""
    first: dict[_KeywordKey, Keyword] = {}
    for keyword in keywords:
        earlier_keywords = (first.get(key) for key in _implied_keys(keyword))
        earlier = next(
            (
                candidate
                for candidate in earlier_keywords
                if candidate and candidate.category != keyword.category
            ),
            None,
        )
        if earlier is not None:
            message = Message(
                "line {line}: '{keyword}' is never used: '{earlier}' on line {earlier_line} gives "
                "{category}",
                line=keyword.line,
                keyword=keyword.text,
                earlier=earlier.text,
                earlier_line=earlier.line,
                category=earlier.category,
            )
            yield _rule_violation(keyword.line, message)
        first.setdefault(_keyword_key(keyword), keyword)


def _implied_keys(keyword: Keyword) -> Iterator[_KeywordKey]:
    """The keyword itself and every plain keyword found wherever it is found."""
    yield _keyword_key(keyword)
    words = keyword.words[:-1] if keyword.open_end else keyword.words
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield words[start:end], False, False


def _keyword_key(keyword: Keyword) -> _KeywordKey:
    return keyword.words, keyword.whole, keyword.open_end


def _block_shape_violation(node: yaml.Node | None) -> Violation:
    line = node.start_mark.line + 1 if node is not None else 1
    message = Message(
        "line {line}: expected a list of blocks with 'category' and a list 'keywords'", line=line
    )
    return _rule_violation(line, message)


def _rule_violation(line: int, message: Message) -> Violation:
    return Violation(rule="keyword rules", message=message, line=line)
