"""Tests of tokumei.apps.contest.judge.archives."""

from __future__ import annotations

import gzip
import zlib
from types import SimpleNamespace

from apps.contest.judge.upload_decoding_helpers import LIMIT, refused, upload_text
from tokumei.apps.contest.judge import archives
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.judge.upload_decoding import UploadLimits


def test_a_gzip_of_very_many_parts_is_refused_at_once(monkeypatch):
    """Each part costs time even if it is empty: a million of them took eleven seconds."""
    opened = []

    def open_part(*given):
        opened.append(given)
        return zlib.decompressobj(*given)

    counting = SimpleNamespace(decompressobj=open_part, error=zlib.error)
    with monkeypatch.context() as patched:
        patched.setattr(archives, "zlib", counting)
        assert refused(gzip.compress(b"") * 500_000, UploadLimits(2**30, 50)) == "gzip"
    assert 0 < len(opened) <= 1000
    several = gzip.compress(b"a,b\n") + gzip.compress(b"") + gzip.compress(b"c,d\n")
    assert upload_text(Upload("A.csv.gz", several), LIMIT) == b"a,b\nc,d\n"
