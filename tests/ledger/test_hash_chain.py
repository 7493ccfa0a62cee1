"""Codes of people and seals on lines depend on the key, and on nothing else."""

import hashlib

import numpy as np
import polars as pl

from tokumei.ledger.hash_chain import KeyedCodes, hash_line, seal_line

KEY, OTHER_KEY = KeyedCodes(b"a" * 32), KeyedCodes(b"b" * 32)


def test_equal_people_have_equal_codes_whatever_their_spelling() -> None:
    numbers = np.stack(KEY.person_codes(pl.Series([17, 18])))
    texts = np.stack(KEY.person_codes(pl.Series(["17", "18"])))
    floats = np.stack(KEY.person_codes(pl.Series([17.0, 18.0])))
    assert (numbers == texts).all()
    assert (numbers == floats).all()
    assert (numbers[:, 0] != numbers[:, 1]).any()


def test_another_key_gives_other_codes() -> None:
    ids = pl.Series(["17"])
    assert (
        np.stack(KEY.person_codes(ids)).tolist() != np.stack(OTHER_KEY.person_codes(ids)).tolist()
    )
    assert KEY.key_id != OTHER_KEY.key_id
    assert "aaaa" not in repr(KEY)


def test_a_mark_is_for_one_purpose_and_one_text() -> None:
    marks = {KEY.mark("seed", b"1"), KEY.mark("seed", b"2"), KEY.mark("recipe", b"1")}
    assert len(marks) == 3
    assert KEY.mark("seed", b"1") in marks


def test_the_seal_of_a_line_covers_the_line_before_and_the_key() -> None:
    event = {"event": "void", "number": 1}
    lines = {
        seal_line(event, before="00", codes=KEY),
        seal_line(event, before="01", codes=KEY),
        seal_line(event, before="00", codes=OTHER_KEY),
        seal_line(event | {"number": 2}, before="00", codes=KEY),
    }
    assert len(lines) == 4


def test_a_line_is_known_by_its_sha256() -> None:
    assert hash_line(b"line") == hashlib.sha256(b"line").hexdigest()
