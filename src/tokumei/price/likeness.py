"""How alike words are: by characters, by a hierarchy, by numbers, or by a user's own vectors.

    character_likeness(["看護助手"], ["看護師", "運転手"])     # a row per new word

Every function gives a matrix from 0 (nothing in common) to 1, new words × known words. Nothing is
looked up in a network, and nothing is learned but what the known words show.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tokumei.files.containers import AnyPath, Format, input_error, load_bytes
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy

GRAMS = (1, 2, 3)
"""Lengths of the pieces of words that are compared."""
Likeness = Callable[[Sequence[str], Sequence[str]], np.ndarray]
Vectors = Mapping[str, np.ndarray]


def folded(word: str) -> str:
    """A word without differences of width and case."""
    return unicodedata.normalize("NFKC", word).casefold().strip()


def character_likeness(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
    """Cosine of the pieces that words consist of; rare pieces weigh more."""
    pieces = [_pieces(word) for word in known]
    often = Counter(piece for found in pieces for piece in found)
    column = {piece: at for at, piece in enumerate(often)}
    weight = np.log((1 + len(known)) / (1 + np.array([*often.values()], dtype=np.float64)))
    return _cosine(_matrix(new, column) * weight, _matrix(known, column) * weight)


def number_likeness(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
    """1 for the next known number below and above; nothing beyond the ends, or if not all are."""
    found = np.zeros((len(new), len(known)))
    numbers = [_number(word) for word in known]
    if any(number is None for number in numbers):
        return found
    for row, word in enumerate(new):
        number = _number(word)
        below = [(n, at) for at, n in enumerate(numbers) if n is not None and _below(n, number)]
        above = [(n, at) for at, n in enumerate(numbers) if n is not None and _below(number, n)]
        if below and above:
            found[row, [max(below)[1], min(above)[1]]] = 1.0
    return found


def hierarchy_likeness(hierarchy: Hierarchy) -> Likeness:
    """1 for words under one node of the first level, a half of the second, and so on."""
    leaves = _leaves(hierarchy)

    def likeness(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
        found = np.zeros((len(new), len(known)))
        for level in range(hierarchy.height - 1, 0, -1):
            node = hierarchy.up[level]
            first, second = _nodes(new, leaves, node), _nodes(known, leaves, node)
            same = (first[:, None] == second[None, :]) & (first[:, None] >= 0)
            found[same] = 1 / level
        return found

    return likeness


def likenesses(
    known: Sequence[str], *, hierarchy: Hierarchy | None = None, vectors: Vectors | None = None
) -> dict[str, Likeness]:
    """What can tell words like the known ones apart, the most trusted first.

    Without a hierarchy, the built-in one of occupations or prefectures is used if it has at least
    half of the known words. Numbers are compared as numbers only.
    """
    found: dict[str, Likeness] = {}
    if (tree := hierarchy or _builtin_of(known)) is not None:
        found["hierarchy"] = hierarchy_likeness(tree)
    if vectors:
        found["embeddings"] = vector_likeness(vectors)
    if all(_number(word) is not None for word in known):
        return {**found, "numbers": number_likeness}
    return {**found, "characters": character_likeness}


def _builtin_of(known: Sequence[str]) -> Hierarchy | None:
    words = {folded(word) for word in known}
    for name in ("occupation", "prefecture"):
        for labels in ("ja", "en"):
            tree = builtin_hierarchy(name, labels=labels)
            if 2 * len(words & {*_leaves(tree)}) >= len(words) > 0:
                return tree
    return None


def _leaves(hierarchy: Hierarchy) -> dict[str, int]:
    """The leaf of every name; prefectures also without their last character (東京, 大阪)."""
    names = {folded(str(name)): leaf for leaf, name in enumerate(hierarchy.leaves)}
    short = {name[:-1]: leaf for name, leaf in names.items() if name[-1:] in {"都", "府", "県"}}
    return {**short, **names}


def vector_likeness(vectors: Vectors) -> Likeness:
    """Cosine of the words' vectors, 0 below 0 and for words without one."""

    def likeness(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
        found = _cosine(_vectors(new, vectors), _vectors(known, vectors))
        return np.asarray(np.maximum(found, 0.0))

    return likeness


def read_vectors(path: AnyPath) -> dict[str, np.ndarray]:
    """Words and vectors: lines `word x1 x2 …`, a first line `words length` is skipped."""
    text = load_bytes(path, Format.CSV).decode("utf-8-sig")
    found: dict[str, np.ndarray] = {}
    length = 0
    for number, line in enumerate(text.splitlines(), 1):
        word, *cells = line.rstrip().split("\t" if "\t" in line else " ")
        if not word or (number == 1 and len(cells) == 1):
            continue
        try:
            vector = np.array([float(cell) for cell in cells])
        except ValueError:
            vector = np.array([np.nan])
        length = length or len(vector)
        if len(vector) != length or not np.isfinite(vector).all():
            raise input_error(
                path,
                f"line {number}: a word and {length} numbers are needed",
                f"{number} 行目: 語と {length} 個の数が必要です",
            )
        found[folded(word)] = vector
    return found


def _pieces(word: str) -> Counter[str]:
    plain = folded(word)
    return Counter(plain[at : at + n] for n in GRAMS for at in range(len(plain) - n + 1))


def _matrix(words: Sequence[str], column: Mapping[str, int]) -> np.ndarray:
    found = np.zeros((len(words), len(column)))
    for row, word in enumerate(words):
        for piece, times in _pieces(word).items():
            if piece in column:
                found[row, column[piece]] = 1 + np.log(times)
    return found


def _cosine(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.asarray(_unit(first) @ _unit(second).T)


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))


def _vectors(words: Sequence[str], vectors: Vectors) -> np.ndarray:
    length = len(next(iter(vectors.values()), ()))
    return np.array([vectors.get(folded(word), np.zeros(length)) for word in words])


def _nodes(words: Sequence[str], leaves: Mapping[str, int], node: np.ndarray) -> np.ndarray:
    places = [leaves.get(folded(word), -1) for word in words]
    return np.array([-1 if leaf < 0 else int(node[leaf]) for leaf in places])


def _number(word: str) -> float | None:
    try:
        number = float(folded(word).rstrip("才歳"))
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _below(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low < high
