"""Tests of tokumei.apps.papers.own.settings."""

import pytest

from tokumei.apps.papers.own.settings import StudySettings
from tokumei.core.errors import UnknownNameError, UsageError

DEFAULTS = {"k": "2-4", "qi": None, "rows": 0, "share": 0.1, "columns": "", "idf": "table"}


def settings(**given: object) -> StudySettings:
    return StudySettings(given, DEFAULTS)


def test_what_the_command_line_writes_is_read():
    assert settings().integers("k") == (2, 3, 4)
    assert settings(k=[5, 7]).integers("k") == (5, 7)
    assert settings(qi="age,sex").names("qi") == ("age", "sex")
    assert settings().names("qi") is None
    assert settings(columns="customer=ID,day=Date").pairs("columns") == {
        "customer": "ID",
        "day": "Date",
    }
    assert (settings(rows=9).integer("rows"), settings(share=1).number("share")) == (9, 1.0)
    assert settings(idf="split").choice("idf", ("table", "split")) == "split"


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(UnknownNameError, match="'m'"):
        settings(m=1)
    with pytest.raises(UsageError, match="whole number"):
        settings(rows="many").integer("rows")
    with pytest.raises(UsageError, match="not a number"):
        settings(share=True).number("share")
    with pytest.raises(UnknownNameError, match="idf"):
        settings(idf="all").choice("idf", ("table", "split"))
