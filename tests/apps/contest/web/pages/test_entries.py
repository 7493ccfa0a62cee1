"""Tests of tokumei.apps.contest.web.pages.entries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.contest.services.entry_views import ViolationView
from tokumei.apps.contest.web.pages.entries import PER_PAGE, paginate_violations
from tokumei.core.language import language_context
from tokumei.core.messages import Message

FAULTS = [
    ViolationView(
        rule="ab"[n % 2],
        message=Message.of_texts({"en": f"at {n}", "ja": f"{n} で"}),
        line=n,
        column=None,
    )
    for n in range(1, 2 * PER_PAGE + 11)
]


@given(st.sampled_from(["", "a", "b", "c"]), st.text("1at ", max_size=3), st.integers(-3, 9))
def test_pages_of_faults_are_those_of_a_plain_search(rule, text, page):
    with language_context("en"):
        told = paginate_violations(FAULTS, rule=rule, text=text, page=page)
    plain = [
        fault
        for fault in FAULTS
        if (not rule or fault.rule == rule) and text in f"{fault.line}  at {fault.line}"
    ]
    assert told.found == len(plain)
    assert 1 <= told.page <= told.pages
    assert list(told.shown) == plain[(told.page - 1) * PER_PAGE :][:PER_PAGE]
