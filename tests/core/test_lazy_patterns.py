"""A pattern that is compiled when it is first used gives what `re` gives."""

import re

import pytest

from tokumei.core.lazy_patterns import LazyPattern


@pytest.mark.parametrize("text", ["a1b22", "22", "none", ""])
def test_it_matches_as_a_compiled_pattern_does(text: str) -> None:
    lazy, compiled = LazyPattern(r"[0-9]+"), re.compile(r"[0-9]+")
    assert lazy.findall(text) == compiled.findall(text)
    assert [match.span() for match in lazy.finditer(text)] == [
        match.span() for match in compiled.finditer(text)
    ]
    assert lazy.sub("#", text) == compiled.sub("#", text)
    for method in ("match", "fullmatch", "search"):
        assert bool(getattr(lazy, method)(text)) is bool(getattr(compiled, method)(text))


def test_flags_count_and_a_wrong_pattern_fails_only_when_used() -> None:
    assert LazyPattern("abc", re.IGNORECASE).fullmatch("ABC")
    wrong = LazyPattern("(")
    with pytest.raises(re.error):
        wrong.search("text")
