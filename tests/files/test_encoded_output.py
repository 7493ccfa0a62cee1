"""Tests of tokumei.files.encoded_output."""

from __future__ import annotations

from tables.data.gap_cells_helpers import AGES, inside
from tokumei.files.encoded_output import encode_text


def test_an_encoding_without_the_sign_has_a_word_for_it() -> None:
    written = encode_text("age\n{∅;[20;30]}\n", "cp932", where="y.csv").decode("cp932")
    cell = written.splitlines()[1]
    assert cell == "{NULL;[20;30]}"
    assert inside(AGES, cell) == [None, "20", "25", "30"]
    assert encode_text("{∅;a}", "utf-16", where="y.csv").decode("utf-16") == "{∅;a}"
