"""The page of a price curve says what is true of the curve at hand."""

from __future__ import annotations

from dataclasses import replace

from apps.price.report.page_fixtures import session as session
from tokumei.apps.price.report.page import price_page
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.value_curves import CurvePoint, value_curve


def unproven(point: CurvePoint) -> CurvePoint:
    return replace(point, answer=point.answer | {"optimal": False})


def test_values_have_their_unit(session: PriceSession) -> None:
    page = price_page(session.problem(), value_curve(session, [2, 3]))
    headers = [name.show("en") for section in page.sections for name in section.grid.header]
    assert headers.count("Value (JPY)") == 2
    assert "Value" not in headers


def test_a_mark_is_explained_only_where_it_stands(session: PriceSession) -> None:
    points = value_curve(session, [2, 3])
    proven = price_page(session.problem(), points)
    assert (proven.sections[0].note, "?" in proven.detail.show("en")) == (None, False)
    page = price_page(session.problem(), [points[0], unproven(points[1])])
    assert page.sections[0].note is not None
    assert "“?”" in page.detail.show("en")
    assert "「?」" in page.detail.show("ja")


def test_one_k_is_told_once(session: PriceSession) -> None:
    page = price_page(session.problem(), value_curve(session, [3]))
    assert len(page.figures) == 1
    assert "k = 3" not in page.detail.show("en")


def test_the_page_has_no_marks_of_another_notation(session: PriceSession) -> None:
    page = price_page(session.problem(), value_curve(session, [2, 3]))
    assert not [one for one in page.cautions if "`" in one.words.show("en") + one.words.show("ja")]


def test_nothing_is_said_to_fall_that_stays(session: PriceSession) -> None:
    intro = price_page(session.problem(), value_curve(session, [2, 3])).sections[0].intro
    assert "never rises" in intro.show("en")
    assert "下がる一方" not in intro.show("ja")
