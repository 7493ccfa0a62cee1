"""Takes a cell apart: members of sets, ends of ranges, and what stands inside JSON.

list(split_cell("{361-95-5875;web}"))        # ["361-95-5875", "web"]
list(split_cell('{"who": {"mail": "a@b.example"}}'))      # ["who", "mail", "a@b.example"]
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

MAX_JSON_DEPTH = 50
"""What lies deeper in a JSON cell is read as plain text."""
_BRACKETED = re.compile(r"[\[({\]].*[\])}\[]", re.DOTALL)
_SEPARATOR = re.compile(r"[;|、]")
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


def normalize_text(text: str) -> str:
    """Write a text as a reader sees it: NFKC, without invisible characters and outer blanks."""
    if text.isascii():
        return text.strip()
    return _IGNORABLE.sub("", unicodedata.normalize("NFKC", text)).strip()


def split_cell(text: str) -> Iterator[str]:
    """The texts that a cell consists of; the whole cell if it is not composed."""
    if text[:1] in ("{", "[") and '"' in text:
        members = list(_split_json(text))
        if members:
            yield from members
            return
    if _BRACKETED.fullmatch(text):
        inner = text[1:-1]
        for member in _SEPARATOR.split(inner):
            stripped = member.strip()
            if stripped:
                yield from split_cell(stripped) if stripped != text else (stripped,)
        return
    yield text


def _split_json(text: str) -> Iterator[str]:
    """The keys, texts and numbers of a JSON document; nothing if it is none."""
    try:
        document = json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return
    if isinstance(document, dict | list):
        yield from _walk(document, 0)


def _walk(node: object, depth: int) -> Iterator[str]:
    if depth > MAX_JSON_DEPTH:
        yield json.dumps(node, ensure_ascii=False) if depth < MAX_JSON_DEPTH * 2 else ""
    elif isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from _walk(value, depth + 1)
    elif isinstance(node, list):
        for value in node:
            yield from _walk(value, depth + 1)
    elif isinstance(node, str):
        yield from split_cell(normalize_text(node))
