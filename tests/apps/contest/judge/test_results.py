"""Tests of tokumei.apps.contest.judge.results."""

from __future__ import annotations

import pytest

from apps.contest.judge.upload_decoding_helpers import LIMIT, upload_text
from apps.contest.judge.uploaded import zipped
from tokumei.apps.contest.judge.results import Upload


def named_as(raw: bytes, content: bytes) -> bytes:
    """A zip whose only name is these bytes, without the mark of UTF-8, as Windows makes it."""
    plain = b"x" * len(raw)
    return zipped({plain.decode(): content}).replace(plain, raw)


@pytest.mark.parametrize(
    "packed",
    [
        zipped({"release/": b"", "release/A.csv": b"a"}),
        zipped(
            {"提出/匿名加工.csv": b"a", "__MACOSX/提出/._匿名加工.csv": b"?", ".DS_Store": b"?"}
        ),
        zipped({"deep/er/A.csv": b"a", "deep/Thumbs.db": b"?", "deep/desktop.ini": b"?"}),
        named_as("提出/加工.csv".encode("cp932"), b"a"),
        named_as("提出/加工.csv".encode(), b"a"),
    ],
)
def test_zips_as_people_make_them_are_understood(packed):
    assert upload_text(Upload("A.zip", packed), LIMIT) == b"a"
