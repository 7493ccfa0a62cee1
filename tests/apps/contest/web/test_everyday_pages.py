"""Registering leads back, forms keep what was typed, entries and board tell the same figure."""

from __future__ import annotations

from datetime import timedelta

from apps.contest.web.scene import ATTACK, Scene, contest_spec
from tokumei.apps.contest.services.news import answer_question, ask_question
from tokumei.apps.contest.store.tables import Contest

NO_FILE = [("x", ("", b""))]


STATES = ("running", "coming", "over")


def test_registering_leads_back_to_where_one_came_from(scene: Scene) -> None:
    with scene.place.write() as session:
        row = session.get_one(Contest, 1)
        row.spec = {**row.spec, "registration": "open"}
    browser = scene.browser()
    assert "/register?next=%2Fc%2Fcup%2Fteam" in browser.get("/login?next=/c/cup/team").text
    where = "/register?next=/c/cup/team"
    sent = {"name": "Emi", "password": "correct horse battery", "next": "/c/cup/team"}
    answer = browser.send("/register", page=where, **sent)
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/cup/team")
    stranger = scene.browser()
    elsewhere = sent | {"name": "Fumi", "next": "//example.org"}
    assert stranger.send("/register", page=where, **elsewhere).headers["location"] == "/"


def test_a_refused_form_keeps_what_was_typed(scene: Scene) -> None:
    dan = scene.browser("dan")
    answer = dan.send("/c/cup/team", do="create", name="Kumo", code="WRONG-CODE")
    assert answer.status_code in (403, 409)
    assert 'value="Kumo"' in answer.text
    assert 'value="WRONG-CODE"' in answer.text
    long = "why? " * 1000
    answer = dan.send("/c/cup/news", do="ask", question=long)
    assert answer.status_code == 422
    assert long.strip() in answer.text
    nothing = scene.browser("aoi").send("/c/cup/submit", label="kept words", files=NO_FILE)
    assert (nothing.status_code, 'value="kept words"' in nothing.text) == (422, True)
    boss, console = scene.browser("org"), "/c/cup/console"
    entry = scene.add_entry("aoi", state="cancelled")
    sent = {"reason": "kept words"}
    times = {"starts": "2026-11-05T00:00", "ends": "2026-11-04T00:00"}
    for answer in (
        boss.send(f"{console}/phases", phase="0", **times, **sent),
        boss.send(f"{console}/teams", do="nothing", team=str(scene.teams["Kumo"]), **sent),
        boss.send(f"{console}/invites", do="reset", name="kept words"),
        boss.send(f"{console}/organisers", do="add", name="kept words"),
        boss.send(f"{console}/organisers", do="close", name="kept words"),
    ):
        assert answer.status_code in (404, 409, 422)
        assert 'value="kept words"' in answer.text
    answer = boss.send(f"{console}/entries", do="withdraw", entry=entry, text="A.c", **sent)
    assert answer.status_code == 409
    assert 'name="text" value="A.c"' in answer.text


def test_a_withdrawal_leads_back_to_what_was_searched_for(scene: Scene) -> None:
    entry = scene.add_entry("aoi")
    there = "/c/cup/console/entries"
    sent = {"do": "withdraw", "entry": entry, "reason": "copied", "text": "A.c", "page": "1"}
    answer = scene.browser("org").send(there, **sent)
    assert answer.headers["location"] == f"{there}?text=A.c&page=1"


def test_an_answer_is_corrected_where_it_stands(scene: Scene) -> None:
    asked = ask_question(scene.place, scene.people["chi"], "cup", "May we?")
    words = {"en": "Up to half.", "ja": "半分まで。"}
    answer_question(scene.place, scene.people["org"], "cup", asked.id, words, public=False)
    boss = scene.browser("org")
    page = boss.get("/c/cup/news").text
    assert ">Up to half.</textarea>" in page
    assert ">半分まで。</textarea>" in page
    typed = {"answer-en": " ", "answer-ja": "x" * 5000, "public": "yes", "id": str(asked.id)}
    refused = boss.send("/c/cup/news", do="answer", **typed)
    assert refused.status_code == 422
    assert "x" * 5000 in refused.text
    assert f'id="public-{asked.id}" checked' in refused.text


def test_an_entry_says_why_the_board_shows_another_figure(scene: Scene) -> None:
    release = scene.add_entry("aoi", published=True, scores=(0.2, 0.1))
    page = f"/c/cup/entries/{release}"
    assert "on-the-board" not in scene.browser("aoi").get(page).text
    scene.now = ATTACK
    scene.add_entry("chi", target=release, scores=(0.0, 0.4), at=ATTACK)
    text = scene.browser("aoi").get(page).text
    assert 'id="on-the-board"' in text
    told = text.partition('id="on-the-board"')[2].partition("</p>")[0]
    assert 'value="0.4"' in told
    assert 'value="0.30000000000000004"' in told
    assert "0.3000" in scene.browser("aoi").get("/c/cup/entries").text


def test_drafts_do_not_exist_for_others(scene: Scene) -> None:
    with scene.place.write() as session:
        session.get_one(Contest, 1).stage = "draft"
    for who in (None, "dan", "aoi"):
        assert scene.browser(who).get("/c/cup").status_code == 404
        assert scene.browser(who).get("/c/cup/leaderboard").status_code == 404
        assert "/c/cup" not in scene.browser(who).get("/").text
    assert 'id="stage"' in scene.browser("org").get("/c/cup").text


def test_the_board_names_the_judge_in_force(scene: Scene) -> None:
    with scene.place.write() as session:
        session.get_one(Contest, 1).judge_version = "0123456789abcdef" * 4
    assert 'id="judge-version">0123456789abcdef<' in scene.browser().get("/c/cup/leaderboard").text


def test_home_shows_running_contests_then_coming_then_ended(scene: Scene) -> None:
    with scene.place.write() as session:
        cup = session.get_one(Contest, 1)
        for slug, days in (("ended", -60), ("coming", 60)):
            spec = contest_spec(slug=slug, starting=timedelta(days=days))
            told = spec.model_dump(mode="json", by_alias=True)
            made = {"folder": "cup", "judge_version": "v1", "created_at": cup.created_at}
            session.add(Contest(slug=slug, spec=told, **made))
    page = scene.browser().get("/").text
    places = [page.index(f'<section aria-labelledby="{one}-title"') for one in STATES]
    assert places == sorted(places)
    links = [page.index(f'href="/c/{slug}"') for slug in ("cup", "coming", "ended")]
    assert links == sorted(links)


def test_an_archived_contest_invites_nobody(scene: Scene) -> None:
    """Whatever its phases say: no countdown, no way to a form that refuses."""
    with scene.place.write() as session:
        session.get_one(Contest, 1).stage = "archived"
    for who in (None, "dan", "aoi"):
        page = scene.browser(who).get("/c/cup").text
        assert 'data-state="over"' in page
        assert 'class="countdown"' not in page
        assert 'class="button" href' not in page
        assert 'id="take-part"' not in page
    assert 'id="submit-form"' not in scene.browser("aoi").get("/c/cup/submit").text
    assert 'id="archived"' in scene.browser().get("/").text


def test_a_reset_link_is_the_address_that_people_know(tmp_path) -> None:
    scene = Scene.make(tmp_path, public_url="http://cup.example")
    boss = scene.browser("org")
    assert boss.send("/c/cup/console/invites", do="reset", name="dan").status_code == 303
    assert "http://cup.example/reset?code=" in boss.get("/c/cup/console/invites").text
    scene.close()


def test_an_attachment_is_saved_and_never_shown_as_a_page(scene):
    organiser, visitor = scene.browser("org"), scene.browser(None, lang="ja")
    token = organiser.token("/c/cup/console/files")
    files = {"file": ("規則 v2.html", b"<script>alert(1)</script>", "text/html")}
    sent = organiser.post(
        "/c/cup/console/files", data={"token": token, "do": "attach"}, files=files
    )
    assert sent.status_code == 303, sent.text
    assert "規則_v2.html" in visitor.get("/c/cup").text
    found = visitor.get("/c/cup/files/規則_v2.html")
    assert found.content == b"<script>alert(1)</script>"
    assert found.headers["content-type"] == "application/octet-stream"
    assert found.headers["content-disposition"].startswith("attachment;")
    assert found.headers["x-content-type-options"] == "nosniff"
    again = organiser.post(
        "/c/cup/console/files", data={"token": token, "do": "remove", "attachment": "1"}
    )
    assert again.status_code == 303, again.text
    assert visitor.get("/c/cup/files/規則_v2.html").status_code == 404


def test_an_attachment_beyond_the_limit_is_refused_unread(scene):
    organiser = scene.browser("org")
    token = organiser.token("/c/cup/console/files")
    files = {"file": ("big.pdf", b"x" * (21 << 20), "application/pdf")}
    sent = organiser.post(
        "/c/cup/console/files", data={"token": token, "do": "attach"}, files=files
    )
    assert sent.status_code == 413
