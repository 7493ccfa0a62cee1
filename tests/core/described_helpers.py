"""What the tests split from test_described share."""

from __future__ import annotations

import re

import pytest

from tokumei.core.messages import Message
from tokumei.kinds import all_kinds

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


EVERYTHING = [
    pytest.param(part, registry.get(name), id=f"{kind.name}-{part}-{name}")
    for kind in all_kinds()
    for part, registry in kind.registries.items()
    for name in registry.names()
]


def in_both(text: Message) -> None:
    assert text.show("en").strip()
    assert not JAPANESE.search(text.show("en"))
    assert JAPANESE.search(text.show("ja"))
