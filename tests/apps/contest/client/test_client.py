"""The client against a real server over HTTP, and the commands on top of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from apps.contest.client.client_fixtures import opened as opened
from apps.contest.client.client_fixtures import settings as settings
from apps.contest.played import ATTACKING, GUESS_FILES, PASSWORD, SLUG, START, Played, contest_yaml
from apps.contest.served_api import serving
from tokumei.apps.cli.app import main
from tokumei.apps.contest.client.contest_client import ContestClient
from tokumei.apps.contest.client.errors import RemoteRefusal
from tokumei.apps.contest.services.accounts import create_invite
from tokumei.apps.contest.services.entries import publish_release
from tokumei.apps.contest.services.news import answer_question, post_announcement
from tokumei.core.errors import InputError

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def url(opened: Played) -> Iterator[str]:
    with serving(opened.place) as running:
        yield running.address


@pytest.fixture
def run(url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command's exit code and what it printed."""
    monkeypatch.setenv("TOKUMEI_SERVER", url)

    def run(*arguments: str, token: str | None = None) -> tuple[int, str, str]:
        if token is not None:
            monkeypatch.setenv("TOKUMEI_TOKEN", token)
        with pytest.raises(SystemExit) as ended:
            main(["contest", *arguments])
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return run


def test_a_program_plays_a_whole_contest(opened: Played, url: str, tmp_path: Path) -> None:
    code = create_invite(
        opened.place, opened.viewers["organiser"], "register", slug=SLUG, uses=2
    ).code
    (tmp_path / "A.csv").write_bytes(b"rows of dogs")
    with ContestClient(url) as dog, ContestClient(url, opened.tokens["bee"]) as bee:
        dog.register("dog", PASSWORD, code)
        dog.new_token("dog", PASSWORD)
        dog.create_team(SLUG, "Dogs")
        assert dog.me()["teams"] == {SLUG: "Dogs"}
        assert dog.data(SLUG, "original") == b"1,2018/1/1,a\n"
        entry = dog.submit(SLUG, tmp_path / "A.csv", label="mine")
        looks = []

        def seen(look: dict[str, object]) -> None:
            looks.append(look["state"])
            if len(looks) == 2:
                opened.judge(entry["id"])

        assert dog.wait(SLUG, entry["id"], seen=seen)["state"] == "scored"
        assert looks == ["queued", "queued", "scored"]
        assert dog.publish(SLUG, entry["id"])["published"]
        opened.clock.to(ATTACKING)
        (target,) = bee.targets(SLUG)
        assert bee.public(SLUG, target["id"]) == f"S of {entry['id']}\n".encode()
        attack = bee.attack(SLUG, target["id"], {name: b"guess" for name in GUESS_FILES})
        opened.judge(attack["id"], safety=0.7)
        assert bee.wait(SLUG, attack["id"])["found"]["value"] == 0.7
        assert dog.leaderboard(SLUG)["rows"][0]["safety"] == 0.7
        assert {"Dogs", "Bees"} <= set(dog.matrix(SLUG)["attackers"])


def test_refusals_come_in_both_languages(opened: Played, url: str) -> None:
    with ContestClient(url, opened.tokens["ant"]) as client:
        with pytest.raises(RemoteRefusal) as refused:
            client.admin("GET", SLUG, "queue")
        assert refused.value.status == 403
        assert refused.value.message.show("ja") == "主催者だけができる操作です"
        with pytest.raises(RemoteRefusal) as refused:
            client.register("x", "short")
        assert refused.value.status == 422
    with pytest.raises(InputError, match="no answer"):
        ContestClient("http://127.0.0.1:9").contests()
    with pytest.raises(RemoteRefusal, match="not a contest server"):
        ContestClient("http://x", transport=_page(404)).contests()
    with pytest.raises(InputError, match="no answer from http://x"):
        ContestClient("http://x", transport=_page(200)).contests()


def _page(status: int) -> httpx.MockTransport:
    return httpx.MockTransport(lambda request: httpx.Response(status, text="<html>"))


def test_register_keeps_a_token_that_the_others_use(
    opened: Played, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = create_invite(opened.place, opened.viewers["organiser"], "register", slug=SLUG).code
    monkeypatch.setenv("TOKUMEI_PASSWORD", PASSWORD)
    status, _, err = run("status")
    assert (status, "tokumei contest token" in err) == (2, True)
    assert run("register", "elk", "--invite", code)[0] == 0
    status, out, _ = run("join", "--team", "Elks", "--invite", "--json")
    found = json.loads(out)
    assert (status, found["team"]["name"]) == (0, "Elks")
    assert run("token", "fox")[0] == 2
    assert run("join", found["code"], token=opened.tokens["cat"])[0] == 0
    assert run("join")[0] == 2


def test_submit_tells_faults_and_exits_with_1(opened: Played, run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_bytes(b"bad")
    (tmp_path / "good.csv").write_bytes(b"good")
    token = opened.tokens["ant"]
    status, out, _ = run("submit", str(tmp_path / "bad.csv"), "--lang", "ja", token=token)
    assert status == 1
    assert "5 行目: 不正" in out
    assert "違反 2 件" in out
    status, out, _ = run("submit", str(tmp_path / "bad.csv"), "--json")
    assert (status, json.loads(out)["entry"]["fault_total"]) == (1, 2)
    status, out, _ = run("submit", str(tmp_path / "good.csv"), "--label", "x", "--json")
    entry = json.loads(out)["entry"]
    assert (status, entry["state"]) == (0, "queued")
    status, _, err = run("wait", entry["id"], "--seconds", "0")
    assert (status, "not judged yet" in err, "in the queue" in err) == (2, True, True)
    opened.judge(entry["id"])
    status, out, _ = run("wait", entry["id"])
    assert (status, "U 0.2  S 0.1  total 0.15" in out) == (0, True)
    status, out, _ = run("status")
    assert (status, entry["id"] in out, "submissions left" in out) == (0, True, True)
    assert run("submit", str(tmp_path / "no such file"))[0] == 2
    opened.clock.to(START + timedelta(days=7))
    status, _, err = run("submit", str(tmp_path / "good.csv"))
    assert (status, "too late" in err) == (2, True)


def test_targets_are_saved_and_attacked(opened: Played, run: Run, tmp_path: Path) -> None:
    release = opened.scored("bee", b"bees")
    publish_release(opened.place, opened.viewers["bee"], SLUG, release)
    opened.clock.to(ATTACKING)
    token = opened.tokens["ann"]
    status, out, _ = run("targets", "--out", str(tmp_path / "targets"), token=token)
    assert (status, release in out, "3 attempts left" in out) == (0, True, True)
    assert (tmp_path / "targets" / f"S-{release}.csv").read_text() == f"S of {release}\n"
    for name in GUESS_FILES:
        (tmp_path / name).write_bytes(b"guess")
    paths = [str(tmp_path / name) for name in GUESS_FILES]
    status, out, _ = run("attack", release, *paths, "--json")
    assert (status, json.loads(out)["entry"]["state"]) == (0, "queued")
    assert run("attack", release, paths[0], str(tmp_path / "targets"))[0] == 2
    (tmp_path / "bad.zip").write_bytes(b"bad")
    assert run("attack", release, str(tmp_path / "bad.zip"))[0] == 1


def test_results_need_no_account(opened: Played, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOKUMEI_TOKEN", raising=False)
    status, out, _ = run("results", "--json")
    told = json.loads(out)
    assert (status, told["ok"]) == (0, True)
    assert "Ants" in [row["team"] for row in told["leaderboard"]["rows"]]
    status, out, _ = run("results")
    assert (status, "Ants" in out) == (0, True)


def test_organisers_create_contests_from_a_folder(opened: Played, run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "autumn"
    folder.mkdir()
    (folder / "contest.yaml").write_text(json.dumps(contest_yaml(slug="autumn")))
    (folder / "T.csv").write_text("1,2018/1/1,a\n")
    (folder / "private notes.txt").write_text("not to be sent")
    token = opened.tokens["organiser"]
    status, out, _ = run("create", str(folder), "--codes", "3", "--json", token=token)
    told = json.loads(out)
    assert (status, told["contest"]["slug"], len(told["code"])) == (0, "autumn", 19)
    status, _, err = run("create", str(folder))
    assert (status, "already" in err) == (2, True)
    status, _, err = run("status", token=opened.tokens["ant"])
    assert (status, "autumn, cup" in err) == (2, True)
    assert run("status", "--contest", SLUG)[0] == 0
    assert run("create", str(tmp_path / "nothing"), token=token)[0] == 2


def test_news_are_read_asked_and_answered_in_a_terminal(
    opened: Played, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody reads announcements, who asked their question; no word moves the cursor."""
    place, organiser = opened.place, opened.viewers["organiser"]
    monkeypatch.delenv("TOKUMEI_TOKEN", raising=False)
    assert run("news", "--contest", SLUG)[:2] == (0, "Nothing yet.\n")
    post_announcement(place, organiser, SLUG, {"en": "Good luck\x1b[2J", "ja": "頑張って"})
    status, out, _ = run("news", "--contest", SLUG)
    assert (status, "Good luck" in out, "\x1b" in out) == (0, True, False)
    status, out, _ = run(
        "news", "--contest", SLUG, "--ask", "May we?", "--lang", "ja", token=opened.tokens["bee"]
    )
    assert (status, "頑張って" in out, "回答待ち" in out) == (0, True, True)
    asked = json.loads(run("news", "--contest", SLUG, "--json")[1])["news"][0]
    assert (asked["kind"], asked["public"]) == ("question", False)
    assert "May we?" not in run("news", "--contest", SLUG, token=opened.tokens["ant"])[1]
    answer_question(
        place, organiser, SLUG, asked["id"], {"en": "Yes.", "ja": "はい。"}, public=True
    )
    assert "    はい。\n" in run("news", "--contest", SLUG, "--lang", "ja")[1]
