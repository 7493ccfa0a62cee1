"""What the tests split from test_reading share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.files.reading import read_frame

PEOPLE = "名前,年齢,収入\n山田,34,1.5\n鈴木,28,2\n"


def error_of(path: Path, **options) -> InputError:
    with pytest.raises(InputError) as caught:
        read_frame(path, **options)
    assert str(path) in caught.value.message.show("en")
    assert str(path) in caught.value.message.show("ja")
    return caught.value


cells = st.text(st.sampled_from('ab,;"\n 日1-'), max_size=4)
