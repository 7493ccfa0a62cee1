"""A whole contest in real browsers, every figure compared with the judge called directly."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from support.contest_people import Person, exact, table
from support.contest_server import Served, served
from support.judged_contest import OWN, PLANS, SLUG, Contest, Plan
from tokumei.apps.contest.judge.results import Upload
from tokumei.pseudonyms.judge.bots import with_faults

pytestmark = pytest.mark.browser
Made = TypeVar("Made")


@pytest.fixture
def shots() -> Path | None:
    """Where TOKUMEI_SHOTS asks for pictures: they take half of the test's time."""
    asked = os.environ.get("TOKUMEI_SHOTS")
    if not asked:
        return None
    Path(asked).mkdir(parents=True, exist_ok=True)
    return Path(asked)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "home", "--workers", "2") as server:
        yield server


@pytest.mark.long
def test_a_whole_contest(chromium: Any, server: Served, tmp_path: Path, shots: Path | None) -> None:
    contest = Contest(tmp_path / "contest")
    organiser = Person(chromium, server.address, shots, "Olga")
    people = {
        plan.team: Person(chromium, server.address, shots, plan.captain, plan.lang)
        for plan in PLANS
    }
    create(organiser, server, contest)
    for plan in PLANS:
        person = people[plan.team]
        person.register()
        person.make_team(SLUG, plan.team)
    people["Ants"].shot("03-team")
    show_all_faults(people["蝉の会"], contest)
    entries = together({p.team: submit(people[p.team], p.team, contest) for p in PLANS})
    begin_attacks(organiser)
    together({p.team: attack(people[p.team], p, contest) for p in PLANS})
    compare_boards(people["Ants"], contest, [plan.team for plan in PLANS], "10-leaderboard")
    compare_matrix(people["蝉の会"], contest)
    left = withdraw_the_best(organiser, people["Ants"], contest, entries)
    judge_again(organiser, people["Ants"], contest, left, tmp_path / "home")
    look_around(organiser, people)
    for person in (organiser, *people.values()):
        assert person.complaints == []
        assert all(url.startswith(server.address) for url in person.asked)


def together(turns: dict[str, Generator[None, None, Made]]) -> dict[str, Made]:
    """What everybody's turns give: one's upload is judged while the others send theirs."""
    made: dict[str, Made] = {}
    while len(made) < len(turns):
        for team in [team for team in turns if team not in made]:
            try:
                next(turns[team])
            except StopIteration as end:
                made[team] = end.value
    return made


def create(organiser: Person, server: Served, contest: Contest) -> None:
    organiser.register(server.code)
    page = organiser.open("/contests/new")
    organiser.shot("01-new-contest")
    file = {"name": "autumn.zip", "mimeType": "application/zip", "buffer": contest.zipped()}
    page.click("main details summary")
    page.set_input_files("#files", [file])
    page.click("#create-contest")
    page.wait_for_url(f"**/c/{SLUG}*")
    organiser.shot("02-contest")


def show_all_faults(person: Person, contest: Contest) -> None:
    """Every fault is shown, in the language of the reader."""
    bad = with_faults(contest.releases["蝉の会"], contest.history)
    expected = contest.judge.check(Upload("A.csv", bad))
    assert expected.total == len(expected.faults) >= 6
    person.send(f"/c/{SLUG}/submit", "#submit-button", ("A.csv", bad))
    page = person.wait_for("rejected")
    person.shot("04-faults-ja")
    shown = page.locator("#faults tbody")
    told = [fault.message.show("ja") for fault in expected.faults]
    assert sorted(shown.locator(".words").all_inner_texts()) == sorted(told)
    rules = [fault.rule for fault in expected.faults]
    assert sorted(shown.locator("code").all_inner_texts()) == sorted(rules)
    lines = {"–" if f.line is None else f"{f.line:,}" for f in expected.faults}
    assert set(shown.locator("td:first-child").all_inner_texts()) == lines


def submit(person: Person, team: str, contest: Contest) -> Generator[None, None, str]:
    """A good release, its figures, its publication."""
    upload = ("A.csv", contest.releases[team])
    entry = person.send(f"/c/{SLUG}/submit", "#submit-button", upload)
    person.shot(f"05-sent-{person.name}")
    yield
    page = person.wait_for("scored")
    page.wait_for_selector("#score-total data")
    card = contest.verdicts[team].card
    assert card is not None
    found = [exact(page, f"#score-{name}") for name in ("utility", "safety", "total")]
    assert found == [card.utility, card.safety, card.total]
    page.click("button[value=publish]")
    page.wait_for_selector("button[value=unpublish]")
    person.shot(f"06-scored-{person.name}")
    return entry


def begin_attacks(organiser: Person) -> None:
    """The organiser ends the first phase early and begins the second."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    later = now + timedelta(days=1)
    for place, field, times in ((0, "ends", [now]), (1, "starts", [now, later])):
        page = organiser.open(f"/c/{SLUG}/console/phases")
        page.fill(f"#{field}-{place}", f"{times[0]:%Y-%m-%dT%H:%M}")
        if len(times) > 1:
            page.fill(f"#ends-{place}", f"{times[1]:%Y-%m-%dT%H:%M}")
        page.fill(f"#reason-{place}", "all teams are ready")
        page.click(f"#phase-{place} button")
        page.wait_for_selector("#note")
    organiser.shot("07-phases")


def attack(person: Person, plan: Plan, contest: Contest) -> Generator[None, None, None]:
    """Each of the others' releases, downloaded, guessed, sent, scored."""
    page = person.open(f"/c/{SLUG}/targets")
    person.shot(f"08-targets-{person.name}")
    found = {
        row.locator("a.name").inner_text(): row.get_attribute("data-target")
        for row in page.locator("#targets tbody tr").all()
    }
    assert set(found) == {other.team for other in PLANS}
    for target, number in found.items():
        if target == plan.team:
            continue
        path = f"/c/{SLUG}/targets/{number}"
        public = person.download(f"{path}/public")
        assert public == contest.verdicts[target].public
        guess = contest.guess(plan, target, public)
        person.send(path, "#attack-button", ("guess.zip", guess))
        yield
        page = person.wait_for("scored")
        page.wait_for_selector("#score-safety data")
        assert exact(page, "#score-safety") == contest.found(plan.team, target)
    person.shot(f"09-attack-{person.name}")


def compare_boards(person: Person, contest: Contest, teams: list[str], shot: str) -> None:
    """The leaderboard is what the judge's figures make."""
    page = person.open(f"/c/{SLUG}/leaderboard")
    person.shot(shot)
    expected = contest.board(teams)
    shown, ranks = shown_board(page)
    assert ranks == {team: str(place) for place, team in enumerate(expected, 1)}
    for team, cells in expected.items():
        assert shown[team][1:6] == cells


def shown_board(page: Any) -> tuple[dict[str, list[float | None]], dict[str, str]]:
    """The leaderboard's figures, and the ranks of those who have one, in the page's order."""
    shown = table(page, "#leaderboard", "data-team")
    ranks = page.locator("#leaderboard .rank").all_inner_texts()
    pairs = zip(shown, ranks, strict=True)
    return shown, {team: rank for team, rank in pairs if rank != "–"}


def compare_matrix(person: Person, contest: Contest) -> None:
    page = person.open(f"/c/{SLUG}/matrix")
    person.shot("11-matrix-ja")
    for attacker, defender in contest.guesses:
        row = page.locator("#matrix tbody tr").filter(has_text=attacker).first
        cell = row.locator("td").nth(
            [one.inner_text() for one in page.locator("#matrix thead .name").all()].index(defender)
        )
        value = float(cell.locator("data").get_attribute("value"))
        assert value == contest.found(attacker, defender)


def withdraw_the_best(
    organiser: Person, person: Person, contest: Contest, entries: dict[str, str]
) -> list[str]:
    """The first release goes, everybody else moves up."""
    first, *others = contest.board([plan.team for plan in PLANS])
    page = organiser.open(f"/c/{SLUG}/console/entries")
    row = page.locator(f"tr[data-entry='{entries[first]}']")
    row.locator("summary").click()
    row.locator("input[name=reason]").fill("sent by mistake")
    organiser.shot("12-withdraw")
    row.locator("button[value=withdraw]").click()
    page.wait_for_selector("#note")
    contest.guesses = {pair: guess for pair, guess in contest.guesses.items() if pair[1] != first}
    page = person.open(f"/c/{SLUG}/leaderboard")
    person.shot("13-after-withdraw")
    assert shown_board(page)[1] == {team: str(place) for place, team in enumerate(others, 1)}
    return others


def judge_again(
    organiser: Person, person: Person, contest: Contest, teams: list[str], home: Path
) -> None:
    """The organiser's own measure had a fault; with the fix some figures differ."""
    before = contest.board(teams)
    fixed = OWN.replace("HOW", "mean")
    for folder in (contest.folder, *(home / "contests").iterdir()):
        (folder / "own.py").write_text(fixed)
    for team in teams:
        contest.verdicts[team] = contest.judge.judge(Upload("A.csv", contest.releases[team]))
    after = contest.board(teams)
    differing = [team for team in teams if before[team] != after[team]]
    assert differing
    assert list(before) != list(after), (before, after)
    swapped = {old for old, new in zip(before, after, strict=True) if old != new}
    page = organiser.open(f"/c/{SLUG}/console/rejudge")
    page.click("button[value=rejudge]")
    page.wait_for_selector("#run-state[data-ready=yes]")
    organiser.shot("14-diff")
    moved = page.locator("#rank-changes tbody tr").all()
    assert {row.locator("th").inner_text() for row in moved} == swapped
    for team in differing:
        row = page.locator("#diff tbody tr").filter(has_text=team)
        values = [float(one.get_attribute("value")) for one in row.locator("data").all()]
        old_total, new_total = values[0], values[1]
        card = contest.verdicts[team].card
        assert card is not None
        assert new_total == card.total
        assert old_total != new_total
    page.locator("summary").filter(has_text="Make the new figures count").click()
    page.click("button[value=apply]")
    page.wait_for_selector("#note")
    compare_boards(person, contest, teams, "15-after-rejudge")


def look_around(organiser: Person, people: dict[str, Person]) -> None:
    """Pictures of the other pages, in both languages and on a phone."""
    for name in ("", "/teams", "/audit", "/invites", "/export"):
        organiser.open(f"/c/{SLUG}/console{name}?lang=en")
        organiser.shot(f"20-console{name.replace('/', '-')}-en")
    organiser.open(f"/c/{SLUG}/console/audit?lang=ja")
    organiser.shot("21-audit-ja")
    person = people["蝉の会"]
    for name in ("", "/leaderboard", "/entries", "/targets", "/team"):
        person.open(f"/c/{SLUG}{name}")
        person.shot(f"22{name.replace('/', '-') or '-home'}-ja")
    person.page.set_viewport_size({"width": 390, "height": 800})
    for name in ("", "/leaderboard", "/matrix"):
        person.open(f"/c/{SLUG}{name}")
        person.shot(f"23-phone{name.replace('/', '-')}-ja")
        width = person.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, name
