"""What pages show, in whose words, and what comes of their forms."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from apps.contest.web.scene import ANONYMIZE, ATTACK, BETWEEN, Scene, fault

NASTY = '"><script>alert(1)</script>'


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_language_is_asked_for_remembered_or_the_browsers(scene):
    assert '<html lang="en">' in scene.browser(lang="fr").get("/").text
    assert '<html lang="ja">' in scene.browser(lang="ja,en;q=0.5").get("/").text
    assert '<html lang="en">' in scene.browser(lang="ja;q=0.2, en-GB;q=0.9").get("/").text
    browser = scene.browser(lang="ja")
    assert '<html lang="en">' in browser.get("/?lang=en").text
    assert '<html lang="en">' in browser.get("/login").text
    assert "lang=ja" in browser.get("/c/cup?lang=xx").text


def test_a_contests_page_tells_times_in_its_own_zone(scene):
    english = text_of(scene.browser().get("/c/cup").text)
    assert "7 days 0 hours" in english
    assert "Mon 16 Nov 2026, 09:00 (UTC+9)" in english
    japanese = text_of(scene.browser(lang="ja").get("/c/cup").text)
    assert "秋の匿名加工カップ 2026" in japanese
    assert "2026年11月16日(月) 09:00 (UTC+9)" in japanese


def test_data_is_for_members_and_never_shown_by_the_browser(scene):
    assert 'href="/c/cup/data/original"' not in scene.browser("dan").get("/c/cup").text
    browser = scene.browser("aoi")
    assert 'href="/c/cup/data/original"' in browser.get("/c/cup").text
    assert "X.csv" not in browser.get("/c/cup").text
    assert "Not handed out: answers. On your own machine" in text_of(browser.get("/c/cup").text)
    assert "配布しないデータ: answers" in text_of(
        scene.browser("aoi", lang="ja").get("/c/cup").text
    )
    answer = browser.get("/c/cup/data/original")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"] == "application/octet-stream"


def test_a_team_is_made_joined_and_left(scene):
    captain, member = scene.browser("dan"), scene.browser("org")
    answer = captain.send("/c/cup/team", do="create", name="Hoshi")
    assert answer.status_code == 403
    code = _secret(member.send("/c/cup/console/invites", **_invite()), member)
    assert captain.send("/c/cup/team", do="create", name="Hoshi", code=code).status_code == 303
    answer = captain.send("/c/cup/team", do="invite", uses="2")
    team_code = _secret(answer, captain, "/c/cup/team")
    scene.add_person("eve")
    eve = scene.browser("eve")
    assert eve.send("/c/cup/team", do="join", code=team_code).status_code == 303
    assert "Hoshi" in eve.get("/c/cup/team").text
    assert eve.send("/c/cup/team", do="leave").status_code == 303
    assert captain.send("/c/cup/team", do="leave").status_code == 409


@pytest.mark.parametrize(("lang", "words"), [("en", "Leave the team"), ("ja", "チームから抜ける")])
def test_leaving_is_offered_only_where_it_is_possible(scene, lang, words):
    captain, member = scene.browser("aoi", lang=lang), scene.browser("ben", lang=lang)
    assert words in member.get("/c/cup/team").text
    assert words not in captain.get("/c/cup/team").text
    scene.add_entry("aoi", state="rejected")
    assert words not in member.get("/c/cup/team").text
    assert member.send("/c/cup/team", do="leave").status_code == 409


def _invite() -> dict[str, str]:
    return {"do": "make", "kind": "register", "uses": "1", "days": "30"}


def _secret(answer, browser, page="/c/cup/console/invites") -> str:
    assert answer.status_code == 303
    return re.search(r'id="secret">([^<]+)<', browser.get(page).text)[1]


def test_an_upload_is_taken_once_and_leads_to_its_page(scene):
    browser = scene.browser("aoi")
    token = browser.token("/c/cup/submit")
    fields = {"token": token, "label": "k = 5", "key": "the same form"}
    paths = [
        browser.post("/c/cup/submit", data=fields, files={"file": ("A.csv", b"ok")})
        for _ in range(2)
    ]
    assert paths[0].headers["location"] == paths[1].headers["location"]
    page = browser.get(paths[0].headers["location"]).text
    assert 'data-state="queued"' in page
    assert "next in the queue" in page
    assert 'http-equiv="refresh"' in page


def test_the_upload_script_gets_short_answers(scene):
    browser = scene.browser("aoi")
    fields, headers = {"token": browser.token("/c/cup/submit")}, {"x-script": "yes"}
    files = {"file": ("A.csv", b"ok")}
    answer = browser.post("/c/cup/submit", data=fields, files=files, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["x-location"].startswith("/c/cup/entries/")
    scene.now = BETWEEN
    answer = browser.post("/c/cup/submit", data=fields, files=files, headers=headers)
    assert answer.status_code == 403
    assert "message" in answer.json()


def test_a_score_says_that_it_is_no_verdict(scene):
    path = f"/c/cup/entries/{scene.add_entry('aoi')}"
    assert "and no verdict" in text_of(scene.browser("aoi").get(path).text)
    assert "判定ではありません" in text_of(scene.browser("aoi", lang="ja").get(path).text)


def test_a_rejected_upload_shows_every_fault_in_both_languages(scene):
    entry = scene.add_entry(
        "aoi",
        state="rejected",
        faults=[fault(n, rule="dates" if n % 2 else "rows") for n in range(1, 121)],
    )
    path = f"/c/cup/entries/{entry}"
    pages = [scene.browser("aoi").get(path, params={"page": n}).text for n in (1, 2, 3)]
    lines = [int(n) for page in pages for n in re.findall(r'class="number">([\d,]+)</td>', page)]
    assert lines == list(range(1, 121))
    assert "120 faults" in pages[0]
    groups = pages[0].partition('id="fault-groups"')[2].partition("</table>")[0]
    assert re.findall(r'count">(\d+)<', groups) == ["60", "60"]
    assert "1, 3, 5, 7, 9" in groups
    japanese = scene.browser("aoi", lang="ja").get(path).text
    assert "違反 120 件" in japanese
    assert "1 行目: 元データにない値です" in japanese
    few = scene.browser("aoi").get(path, params={"rule": "dates", "text": "line 7:"}).text
    assert re.findall(r'class="number">([\d,]+)</td>', few) == ["7"]


def test_a_live_part_says_when_nothing_more_happens(scene):
    running = scene.add_entry("aoi", state="running")
    answer = scene.browser("aoi").get(f"/c/cup/entries/{running}/state")
    assert "40 %" in answer.text
    assert "<html" not in answer.text
    assert "x-finished" not in answer.headers
    done = scene.add_entry("aoi")
    assert scene.browser("aoi").get(f"/c/cup/entries/{done}/state").headers["x-finished"]


def test_a_scored_release_is_published_and_taken_back(scene):
    entry = scene.add_entry("aoi", scores=(0.25, 0.123456789))
    browser, path = scene.browser("aoi"), f"/c/cup/entries/{entry}"
    page = browser.get(path).text
    assert 'value="0.123456789"' in page
    assert "same-day-and-price" in page
    assert browser.send(path, do="publish").status_code == 303
    assert "Chosen" in browser.get(path).text
    assert browser.send(path, do="unpublish").status_code == 303
    assert browser.send(path, do="unpublish").status_code == 409
    queued = scene.add_entry("aoi", state="queued")
    assert browser.send(f"/c/cup/entries/{queued}", do="cancel").status_code == 303
    assert "Cancelled" in browser.get(f"/c/cup/entries/{queued}").text


def test_an_attack_comes_as_one_zip_or_file_by_file(scene):
    target = scene.add_entry("chi", published=True)
    scene.now = ATTACK
    browser, path = scene.browser("aoi"), f"/c/cup/targets/{target}"
    assert 'id="attempts-left">10<' in browser.get(path).text
    one = browser.send(path, files={"file": ("guess.zip", _zip("F25.csv", "F50.csv"))})
    assert one.headers["location"].startswith("/c/cup/attacks/")
    each = {"guess-0": ("mine.csv", b"1"), "guess-1": ("other.csv", b"2")}
    assert browser.send(path, files=each).status_code == 303
    missing = browser.send(path, files={"guess-0": ("mine.csv", b"1")})
    assert missing.status_code == 422
    assert "F50.csv" in missing.text
    assert 'id="attempts-left">8<' in browser.get(path).text
    assert browser.get(f"{path}/public").content.startswith(b"s,")


def _zip(*names: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name in names:
            archive.writestr(name, "1\n")
    return held.getvalue()


def test_leaderboard_and_matrix_show_ranks_and_ones_own_team(scene):
    first = scene.add_entry("chi", scores=(0.1, 0.1), published=True)
    scene.add_entry("aoi", scores=(0.4, 0.3), published=True)
    scene.now = ATTACK
    scene.add_entry("aoi", target=first, scores=(0.0, 0.72), at=ATTACK)
    page = scene.browser("aoi").get("/c/cup/leaderboard").text
    rows = re.findall(r'<tr data-team="([^"]+)"( class="own")?>', page)
    assert rows[:2] == [("夜間飛行", ' class="own"'), ("Kumo", "")]
    assert "<svg" in page
    matrix = scene.browser().get("/c/cup/matrix").text
    assert 'title="0.72"' in matrix
    assert "<svg" in matrix


def test_the_console_hides_bans_moves_and_tells(scene):
    browser = scene.browser("org")
    team = str(scene.teams["Kumo"])
    refused = browser.send("/c/cup/console/teams", do="ban", team=team, reason="")
    assert refused.status_code == 422
    done = browser.send("/c/cup/console/teams", do="ban", team=team, reason="two accounts")
    assert done.status_code == 303
    assert "two accounts" in scene.browser("chi").get("/c/cup/team").text
    assert "Kumo" not in scene.browser().get("/c/cup/leaderboard").text
    times = {"starts": "2026-11-02T09:00", "ends": "2026-11-17T08:00", "reason": "storm"}
    moved = browser.send("/c/cup/console/phases", do="move", phase="0", **times)
    assert moved.status_code == 303
    assert "Tue 17 Nov 2026, 08:00 (UTC+9)" in text_of(scene.browser().get("/c/cup").text)
    wrong = browser.send("/c/cup/console/phases", do="move", phase="0", starts="soon", ends="")
    assert wrong.status_code == 422
    log = text_of(browser.get("/c/cup/console/audit").text)
    assert "two accounts" in log
    assert "storm" in log


def test_names_labels_files_and_faults_cannot_write_html(tmp_path):
    scene = Scene.make(tmp_path, names=(NASTY, "<b>Kumo</b>"))
    faults = [fault(n, rule=NASTY, en=NASTY, ja=NASTY) for n in range(30)]
    bad = scene.add_entry("aoi", state="rejected", label=NASTY, file_name=NASTY, faults=faults)
    mine = scene.add_entry("aoi", published=True, label=NASTY, file_name=NASTY)
    target = scene.add_entry("chi", published=True)
    scene.now = ATTACK
    scene.add_entry("aoi", target=target, label=NASTY, at=ATTACK)
    paths = ["", "/team", "/entries", f"/entries/{bad}", f"/entries/{mine}", "/targets"]
    paths += [f"/targets/{target}", f"/targets/{mine}", "/leaderboard", "/matrix", "/console"]
    paths += ["/console/teams", "/console/entries", "/console/audit", f"/entries/{bad}?text=%22<x>"]
    for path in paths:
        for who in ("aoi", "org"):
            page = scene.browser(who).get(f"/c/cup{path}").text
            assert "<script>alert" not in page, path
            assert "<b>Kumo" not in page, path
            assert "<x>" not in page, path
    scene.close()


@pytest.mark.parametrize("path", ["/nothing", "/c/none", "/c/cup/entries/none", "/c/cup/x"])
def test_what_is_not_there_is_a_page_of_ours(scene, path):
    answer = scene.browser("aoi", lang="ja").get(path)
    assert answer.status_code == 404
    assert "ページが見つかりません" in answer.text


def test_a_wrong_method_and_wrong_numbers_are_told_plainly(scene):
    assert scene.browser("aoi").get("/logout").status_code == 405
    assert scene.browser("org").get("/c/cup/console/audit?before=x").status_code == 404
    answer = scene.browser("aoi").send("/account", do="revoke", id="x")
    assert answer.status_code == 422


def test_programs_are_answered_beside_the_pages(scene):
    scene.now = ANONYMIZE
    assert scene.browser().get("/api/v1/contests").json()
    assert scene.browser().get("/api/v1/openapi.json").status_code == 200
    assert scene.browser().get("/api/v1/none").headers["content-type"] == "application/json"
