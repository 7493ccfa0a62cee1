"""Tests of tokumei.apps.contest.web.pages.new_contest."""

from __future__ import annotations

import re

import yaml

PLAN = {
    "title": "Ward list",
    "slug": "ward",
    "preset": "table",
    "starts": "2031-03-01T09:00",
    "attack_starts": "2031-03-08T09:00",
    "ends": "2031-03-15T09:00",
    "offset": "-540",
    "rows": "60",
    "registration": "open",
    "feedback": "banded",
    "leaderboard": "after-phase",
    "about": "Rules: be kind.\n# and fair",
}


def text_of(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def read_yaml(browser, slug):
    given = browser.get(f"/c/{slug}/data/contest.yaml")
    return yaml.safe_load(given.text)


def test_a_form_alone_makes_a_draft_that_can_be_exported(scene):
    browser = scene.browser("org")
    answer = browser.send("/contests/new/plan", page="/contests/new", **PLAN)
    assert answer.headers["location"] == "/c/ward"
    page = text_of(browser.get("/c/ward").text)
    assert "A draft" in page
    assert "be kind" in page
    plain = read_yaml(browser, "ward")
    assert plain["about"]["en"] == PLAN["about"]
    assert [plain[name] for name in ("registration", "feedback", "leaderboard")] == [
        "open", "banded", "after-phase",
    ]  # fmt: skip
    assert plain["phases"][0]["starts"] == "2031-03-01T09:00:00+09:00"
    assert scene.browser("dan").get("/c/ward").status_code == 404


def test_a_dropped_table_gets_the_roles_its_columns_look_like(scene):
    browser = scene.browser("org")
    rows = "".join(f"{20 + n % 40},{'MF'[n % 2]},{1000 + n * 37}\n" for n in range(80))
    dropped = f"A list of 2031\n\nage,sex,balance\n{rows}".encode("cp932")
    plan = {**PLAN, "slug": "own"}
    answer = browser.send(
        "/contests/new/plan", page="/contests/new", **plan, files=[("data", ("list.csv", dropped))]
    )
    assert answer.headers.get("location") == "/c/own", text_of(answer.text)
    schema = read_yaml(browser, "own")["schema"]
    assert {name for names in schema.values() for name in names} == {"age", "sex", "balance"}
    given = browser.get("/c/own/data/original").text
    assert given.splitlines()[0] == "age,sex,balance"


def test_all_that_is_wrong_is_told_at_once_and_what_was_typed_stays(scene):
    browser = scene.browser("org")
    plan = {**PLAN, "attack_starts": "2030-01-01T00:00", "ends": "2029-01-01T00:00"}
    answer = browser.send("/contests/new/plan", page="/contests/new", **plan)
    assert answer.status_code == 422
    page = text_of(answer.text)
    assert "attacking must begin" in page.lower()
    assert "attacking must end" in page.lower()
    assert 'value="Ward list"' in answer.text
    for wrong in ({"title": " "}, {"preset": "x"}, {"starts": "soon"}, {"slug": "No Way!"}):
        answer = browser.send("/contests/new/plan", page="/contests/new", **{**PLAN, **wrong})
        assert answer.status_code == 422
        assert "^[a-z" not in answer.text
