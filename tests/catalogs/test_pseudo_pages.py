"""Pages of servers in the language whose every sentence has brackets; see test_pseudo_locale.py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path

import pytest

from support.bare_words import describe_findings, find_bare, package_names
from support.pseudo_servers import (
    MOMENTS,
    PEOPLE,
    Page,
    PlayedContest,
    open_price_page,
    play_contest,
    play_history_studio,
    play_studio,
)
from support.shown_texts import shown_texts
from tokumei.apps.studio.store.project_state import KindName

CONTEST_TEXTS = (
    *("Summer cup", "Two weeks.", "line 2: bad", "line 5: bad", "copied", "Copied", "login", "cup"),
    *("Ants", "Bees", "ant", "ann", "bee", "cat", "Olga", "original", "job", "stamp"),
    *(f"secret {state}" for state in ("queued", "running", "failed", "cancelled")),
)
"""What people wrote, names, and those of fields."""
STUDIO_COLUMNS = ("points", "sex", "age", "customer", "basket", "day", "item", "price", "quantity")
SCRIPTS = {
    "tokumei.apps.contest.web": ("static/site.js", "static/upload.js"),
    "tokumei.apps.price.service": ("templates/price.js",),
    "tokumei.apps.studio.web": ("static/cuts.js", "static/studio.js", "static/tree.js"),
    "tokumei.pages": ("templates/report.js",),
}
SCRIPT_TEXT = re.compile(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`')
OF_SCRIPTS = ("use strict", "copy", "step", "node group", "thead th")
"""What browsers read."""


def look_at(pages: Iterable[Page], statuses: Iterable[int]) -> list[str]:
    """Where a page has plain words, another status or another language; how many were looked at."""
    allowed = package_names().with_texts(*CONTEST_TEXTS, *STUDIO_COLUMNS, "people", "other")
    found: list[tuple[str, list[str]]] = []
    looked = []
    for address, status, page in pages:
        looked.append(status)
        if status not in statuses:
            found.append((address, [f"status {status}"]))
        if "<html" in page and '<html lang="qps">' not in page:
            found.append((address, ["another language"]))
        for place, text in shown_texts(page, "qps"):
            found.append((f"{address}, {place} of {text!r}", find_bare(text, allowed)))
    assert not (told := describe_findings(found)), told
    return [str(status) for status in looked]


@pytest.fixture(scope="module")
def contest(qps: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedContest]:
    made = play_contest(tmp_path_factory.mktemp("contest"))
    yield made
    made.played.close()


def test_pages_of_a_contest(contest: PlayedContest, qps: str) -> None:
    looked = look_at(contest.pages("organiser", qps), (200, 303, 403, 404))
    assert looked.count("200") > 50
    assert look_at(contest.refused_forms("organiser", qps), (303, 401, 403, 404, 422))


@pytest.mark.long
@pytest.mark.parametrize("moment", MOMENTS)
def test_pages_of_a_contest_for_everybody(contest: PlayedContest, qps: str, moment: str) -> None:
    now = contest.played.clock.now
    contest.move_to(MOMENTS[moment])
    try:
        for who in PEOPLE:
            looked = look_at(contest.pages(who, qps), (200, 303, 403, 404))
            assert looked.count("200") > 5
            assert look_at(contest.refused_forms(who, qps), (303, 401, 403, 404, 409, 422))
    finally:
        contest.move_to(now)


@pytest.mark.parametrize("attacked", [False, pytest.param(True, marks=pytest.mark.long)])
def test_pages_of_the_studio(qps: str, tmp_path: Path, attacked: bool) -> None:
    made = play_studio(tmp_path, attacked=attacked)
    try:
        looked = look_at(made.pages(qps), (200, 404))
        assert looked.count("200") > 15
        assert look_at(made.refused_forms(qps), (303, 404, 422, 503))
    finally:
        made.studio.jobs.close()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["histories", "pseudonyms"])
def test_pages_of_the_studio_for_histories(qps: str, tmp_path: Path, kind: KindName) -> None:
    made = play_history_studio(tmp_path, kind)
    try:
        assert look_at(made.pages(qps), (200, 404)).count("200") > 15
        assert look_at(made.refused_forms(qps), (303, 404, 422, 503))
    finally:
        made.studio.jobs.close()


def test_the_page_of_the_price_service(qps: str, tmp_path: Path) -> None:
    assert look_at(open_price_page(tmp_path, qps), (200,)) == ["200", "200"]


def test_scripts_say_nothing_of_their_own() -> None:
    """They take their sentences from the page."""
    allowed = package_names().with_texts(*OF_SCRIPTS)
    found = []
    for package, names in SCRIPTS.items():
        for name in names:
            code = resources.files(package).joinpath(name).read_text("utf-8")
            code = re.sub(r"(?m)^\s*(//|/?\*).*$", "", code)
            for texts in SCRIPT_TEXT.findall(code):
                bare = [run for run in find_bare("".join(texts), allowed) if " " in run]
                found.append((f"{package}/{name}: {''.join(texts)!r}", bare))
    assert len(found) > 100
    assert not (told := describe_findings(found)), told


def test_every_script_is_looked_at() -> None:
    source = Path(str(resources.files("tokumei")))
    written = {path for path in source.rglob("*.js")}
    looked = {
        Path(str(resources.files(package).joinpath(name)))
        for package, names in SCRIPTS.items()
        for name in names
    }
    assert written == looked
