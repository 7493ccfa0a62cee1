"""Sketches guesses, so that nearly equal guesses are detected without storing any.

    one, other = set(sketch_wrong_answers(texts, truth)), set(sketch_wrong_answers(others, truth))
    len(one & other) / len(one | other)     # about the share of mistakes that both make

Two good attackers agree where they are right, so only wrong answers count. Every one of them (a
line's first cell, which column, that cell) gets a hash; the sketch is the least `SKETCH_SIZE` of
them. Of two guesses with about as many mistakes, sketches have as large a share in common as the
guesses, give or take 1 / √SKETCH_SIZE. What is stored is keyed (`blind_sketch`), so a sketch
reveals no answer.
"""

from __future__ import annotations

import hashlib
import heapq
import hmac
from collections.abc import Iterable, Iterator, Mapping

SKETCH_SIZE = 256
_HASH_BYTES = 8


def sketch_wrong_answers(texts: Mapping[str, bytes], truth: bytes = b"") -> list[str]:
    """The sketch of a guess's files; the truth is one such file, right for each of them."""
    right_answers = set(_iter_answers(truth))
    hashes = {
        hashlib.blake2b(repr((index, answer)).encode(), digest_size=_HASH_BYTES).hexdigest()
        for index, name in enumerate(sorted(texts))  # a file that comes alone has any name
        for answer in _iter_answers(texts[name])
        if answer not in right_answers
    }
    return heapq.nsmallest(SKETCH_SIZE, hashes)


def blind_sketch(sketch: Iterable[str], key: bytes) -> list[str]:
    """The same sketch, in its order, for those alone who have the key."""
    return [
        hmac.new(key, digest.encode(), "sha256").hexdigest()[: 2 * _HASH_BYTES] for digest in sketch
    ]


def _iter_answers(text: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    for line in text.splitlines():
        row_id, *cells = (cell.strip() for cell in line.split(b","))
        yield from ((row_id, column, cell) for column, cell in enumerate(cells) if cell)
