"""What the tests split from test_upload_decoding share."""

from __future__ import annotations

import pytest

from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.judge.upload_decoding import UploadLimits, read_upload_texts
from tokumei.core.errors import InputError

LIMIT = UploadLimits(max_bytes=100_000, lines=50)


def upload_text(upload: Upload, limit: UploadLimits) -> bytes:
    return read_upload_texts(upload, ["A.csv"], limit)["A.csv"]


def refused(data: bytes, limit: UploadLimits = LIMIT) -> str:
    with pytest.raises(InputError) as err:
        upload_text(Upload("A.csv", data), limit)
    (fault,) = err.value.faults
    assert fault.message.show("en")
    assert fault.message.show("ja")
    return fault.rule
