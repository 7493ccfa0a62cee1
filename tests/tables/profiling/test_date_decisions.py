"""What somebody said about the order of days and years of two digits."""

import pytest

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.parsing.dates import DatePreferences
from tokumei.tables.profiling.date_decisions import (
    date_answers,
    parse_date_decisions,
    read_date_answers,
)


@pytest.mark.parametrize(("order", "years"), [(None, None), ("dmy", None), ("mdy", 0), ("", 99)])
def test_answers_are_the_same_after_they_were_saved(order: str | None, years: int | None) -> None:
    decisions = parse_date_decisions(order, years)
    assert decisions == DatePreferences(order or "", years)
    assert read_date_answers(date_answers(decisions)) == decisions


def test_nothing_is_saved_of_what_nobody_said() -> None:
    assert date_answers(parse_date_decisions()) == {}
    assert read_date_answers("not a mapping") == parse_date_decisions()


@pytest.mark.parametrize("years", [-1, 100])
def test_years_have_two_digits(years: int) -> None:
    with pytest.raises(UsageError, match="from 0 to 99"):
        parse_date_decisions(years=years)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="ydm"):
        parse_date_decisions("ydm")
