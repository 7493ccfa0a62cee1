"""Texts of several encodings become UTF-8; what is none names its place."""

import codecs

import pytest

from tokumei.core.errors import InputError, UnknownNameError
from tokumei.files.encodings import is_utf16, resolve_codec, to_utf8

TEXT = "名前,年齢\n佐藤,42\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("cp932"),
        TEXT.encode("utf-16"),
    ],
    ids=["utf-8", "utf-8 with a mark", "cp932", "utf-16"],
)
def test_the_encoding_is_guessed(data: bytes) -> None:
    assert to_utf8(data, "auto", where="people.csv").decode() == TEXT


def test_a_wrong_byte_is_told_with_its_line() -> None:
    with pytest.raises(InputError, match="line 2"):
        to_utf8(b"a,b\n\xff\xff,1\n", "utf-8", where="people.csv")


def test_only_utf16_has_separators_of_two_bytes() -> None:
    assert is_utf16(TEXT.encode("utf-16"), "auto")
    assert not is_utf16(TEXT.encode(), "auto")


def test_names_are_known_in_any_spelling_and_others_refused() -> None:
    assert resolve_codec("AUTO") is None
    assert resolve_codec("UTF_8") == resolve_codec("utf-8")
    with pytest.raises(UnknownNameError):
        resolve_codec("klingon")
