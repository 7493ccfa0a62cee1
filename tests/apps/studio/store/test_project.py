"""Pages over results as jobs write them: every page, both languages, hostile names, two tabs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apps.studio.conftest import Studio
from tokumei.apps.studio.store.project import Project

EVIL = "<script>alert(1)</script>"


SECRET = "Ann-Smith-1234"


def candidate(id: str, loss: float, people: float | None, order: int) -> dict[str, Any]:
    found = {"attack": "x", "low": 0, "high": 9, "baseline": 1, "of": 40, "sample": None}
    known = None if people is None else {**found, "people": people, "share": people / 40}
    return {
        "id": id,
        "title_en": f"Mondrian {EVIL}",
        "title_ja": "マンドリアン",
        "reason_en": "because",
        "reason_ja": "なぜなら",
        "on_front": people is not None,
        "counted": "known",
        "near": None,
        "order": order,
        "request": {
            "kind": "tables",
            "steps": [{"method": "mondrian", "k": 2}],
            "columns": {"name": "drop", EVIL: "generalize"},
            "person": "none",
            "consent": [],
        },
        "figures": {
            "loss": loss, "losses": {EVIL: loss}, "smallest": 2, "joint": 1, "alone": 3,
            "at_risk": 0, "rows_kept": 1.0, "people": 40, "counts_people": False,
            "estimate": None, "known": known, "everything": None, "telling": {}, "more": {},
        },
    }  # fmt: skip


def column(name: str, *, masked: bool) -> dict[str, Any]:
    return {
        "name": name, "role": "identifier" if masked else "quasi", "type": "name",
        "title": ["a name", "氏名"], "certainty": ["sure", "確実"], "shares": [1.0],
        "bins": [] if masked else [1, 2, 3], "frequent": [], "masked": masked,
        "identifies": masked, "unique_share": 1.0, "inside": [], "pii": [], "shapes": ["Aaa"],
        "reason_en": EVIL, "reason_ja": "理由", "distinct": 3, "missing": 0, "question": None,
        "kind": "text",
    }  # fmt: skip


@pytest.fixture
def project(studio: Studio, tmp_path: Path) -> Project:
    content = tmp_path / "content"
    content.write_text(f"name,{EVIL}\n{SECRET},1\n", encoding="utf-8")
    made = studio.home.begin(f"{EVIL}.csv", content)
    state = made.change(roles={"name": "identifier", EVIL: "quasi"}, selected=["a"])
    made.write_result(
        "look",
        {
            "inputs": state.inputs("look"), "rows": 1, "people": True, "person": None,
            "file_line": ["f", "f"], "people_line": ["p", "p"], "rules": [], "warnings": [],
            "columns": [column("name", masked=True), column(EVIL, masked=False)],
            "first": [[["Aaa-Aaaaa-9999", True], ["1", False]]],
            "exposure": {"columns": [EVIL], "k": 1, "unique": 1, "people": 1, "unique_share": 1.0},
            "dialect": {"plain": True, "sheet": None, "header_row": 1},
        },
    )  # fmt: skip
    for order, (id, loss, people) in enumerate(
        (("a", 0.1, 5.0), ("b", 0.2, 0.2), ("c", 0.3, None))
    ):
        made.write_result(f"candidates/{id}", candidate(id, loss, people, order))
        rows = {"before": [[["Aaa", True], ["1", False]]], "after": [[None, ["[1;2]", False]]]}
        told = {"columns": ["name", EVIL], **rows, "left_out": 0, "sizes": [["2", 40]]}
        made.write_result(f"previews/{id}", told)
    advice = {"inputs": state.inputs("candidates"), "ended": True, "skipped": []}
    made.write_result("advice", advice)
    attack = {
        "name": "x",
        "title": ["X", "X"],
        "rate": 0.1,
        "low": 0.0,
        "high": 0.2,
        "baseline": 0.02,
    }
    told = {"attacks": [attack], "people": 40, "exposed": [], "helps": ["b"]}
    made.write_result("attacks/a", told)
    verdict = [["Was somebody in the data?", "?"], [f"No {EVIL}", "いいえ"]]
    audit = {
        "counts": {"members": 20, "control": 12}, "verdicts": [verdict], "model": ["m", "m"],
        "not_tried": [["n", "n"]], "warnings": [["w", "w"]], "page": "<p>AUC</p>",
    }  # fmt: skip
    made.write_result("audits/a", audit)
    return made


JOINT = {
    "checked": "2026-01-01T00:00:00Z", "level": "bad", "verdict": ["v", "v"], "added": ["a", "a"],
    "faults": [[f"joint k 1 {EVIL}", "1"]], "k": 5, "words": [["w", "w"]],
    "linkage": [[True, ["same order", "同じ順"]]], "notes": [],
    "entries": [{"name": EVIL, "recipient": EVIL, "made": "2026-01-01", "k": 5, "people": 9,
                 "below": 3, "of": 9}],
}  # fmt: skip


@pytest.fixture
def recording(project: Project, tmp_path: Path) -> Project:
    """The project with a ledger, and a check that broke the limit."""
    folder = tmp_path / "ledger"
    folder.mkdir()
    (folder / "ledger.jsonl").write_text("", encoding="utf-8")
    asked = {"folder": str(folder), "key_file": None, "recipient": EVIL, "id": "name"}
    state = project.change(ledger=asked)
    project.write_result("joint/a", {"inputs": state.inputs("joint"), **JOINT})
    return project


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_page_is_shown_escaped_and_masked(
    studio: Studio, project: Project, lang: str
) -> None:
    pages = ["look", "purpose", "candidates", "candidates?c=b", "compare?c=a&c=b", "compare"]
    for page in [*pages, "attack", "release"]:
        sign = "&" if "?" in page else "?"
        answer = studio.ask("GET", f"/p/{project.id}/{page}{sign}lang={lang}")
        assert answer.status_code == 200, page
        assert f'<html lang="{lang}">' in answer.text
        assert EVIL not in answer.text
        assert SECRET not in answer.text
        assert " style=" not in answer.text


@pytest.mark.parametrize("page", ["attack", "release"])
def test_what_earlier_releases_add_is_told_and_a_broken_limit(
    studio: Studio, recording: Project, page: str
) -> None:
    text = studio.ask("GET", f"/p/{recording.id}/{page}?lang=en").text
    assert "breaks the limit" in text
    assert "not yet released" in text
    assert EVIL not in text
    assert "AUC" not in text
    recording.change(ledger={**recording.state().model_dump()["ledger"], "recipient": "other"})
    text = studio.ask("GET", f"/p/{recording.id}/{page}?lang=en").text
    assert "breaks the limit" not in text
    assert "Being checked" in text


def test_a_ledger_is_named_and_taken_away(studio: Studio, project: Project, tmp_path: Path) -> None:
    path, folder = f"/p/{project.id}/ledger", tmp_path / "ledger"
    form = {"folder": str(folder), "recipient": "A", "id": "name"}
    refused = studio.ask("POST", path, json=form)
    assert refused.status_code == 422
    assert "tokumei ledger init" in refused.text
    folder.mkdir()
    (folder / "ledger.jsonl").write_text("", encoding="utf-8")
    for wrong in ({"id": EVIL}, {"recipient": ""}, {"folder": "relative"}):
        assert studio.ask("POST", path, json={**form, **wrong}).status_code == 422
    assert studio.ask("POST", path, json=form).status_code == 303
    found = project.state().ledger
    assert found is not None
    assert (found.recipient, found.id, found.key_file) == ("A", "name", None)
    assert studio.ask("POST", path, json={"without": "yes"}).status_code == 303
    assert project.state().ledger is None


def test_figures_of_an_audit_stand_behind_its_sentences(studio: Studio, project: Project) -> None:
    answer = studio.ask("GET", f"/p/{project.id}/audit")
    assert answer.text == "<p>AUC</p>"
    assert answer.headers["content-security-policy"].startswith("sandbox")


def test_a_hierarchy_of_a_masked_column_shows_no_value(studio: Studio, project: Project) -> None:
    project.write_result("trees/00", {"rows": [[SECRET, "*"]], "counts": {SECRET: 1}, "bins": []})
    answer = studio.ask("GET", f"/p/{project.id}/hierarchy/0")
    assert answer.status_code == 200
    assert SECRET not in answer.text


def test_a_hierarchy_is_checked_as_it_is_saved(studio: Studio, project: Project) -> None:
    project.write_result("trees/01", {"rows": [], "counts": {"1": 2, "2": 1}, "bins": []})
    path = f"/p/{project.id}/hierarchy/1"
    good = [["1", "low", "*"], ["2", "high", "*"]]
    torn = [["1", "low", "*"], ["2", "low", "x"]]
    assert studio.ask("POST", path, json={"rows": good}).json() == {"ok": True}
    assert studio.ask("POST", path, json={"rows": torn}).json()["faults"]
    assert studio.ask("POST", path, json={"rows": good[:1]}).json()["faults"]
    export = studio.ask("GET", f"{path}/export")
    assert export.text.splitlines() == ["1;low;*", "2;high;*"]
    assert project.state().trees == {EVIL: 1}


def test_what_depends_on_a_change_is_out_of_date(studio: Studio, project: Project) -> None:
    path = f"/p/{project.id}/candidates"
    assert "earlier ones" not in studio.ask("GET", f"{path}?lang=en").text
    project.change(roles={"name": "identifier", EVIL: "drop"})
    assert "earlier ones" in studio.ask("GET", f"{path}?lang=en").text
    assert "out of date" in studio.ask("GET", f"/p/{project.id}/look?lang=en").text


def test_the_later_of_two_tabs_wins_and_is_told(studio: Studio, project: Project) -> None:
    stamp = project.state().stamp
    path = f"/p/{project.id}/look"
    first = studio.ask("POST", path, json={"stamp": stamp, "column": "name", "role": "drop"})
    second = studio.ask("POST", path, json={"stamp": stamp, "column": EVIL, "role": "keep"})
    assert (first.json()["elsewhere"], second.json()["elsewhere"]) == (False, True)
    assert project.state().roles == {"name": "drop", EVIL: "keep"}


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("look", {"stamp": 0, "column": "nobody", "role": "keep"}),
        ("look", {"stamp": 0, "column": "name", "role": "admin"}),
        ("look", {"stamp": 0, "rule": "../x"}),
        ("purpose", {"recipient": "everybody", "known": ["name"]}),
        ("purpose", {"recipient": "public"}),
        ("purpose", {"recipient": "public", "known": ["name"], "k": 1}),
        ("near", {"id": "../look", "wish": "safer"}),
        ("near", {"id": "a", "wish": "drop", "column": "nobody"}),
        ("choose", {"id": "zzz"}),
        ("release", {"folder": "relative"}),
        ("job/rm/again", {}),
        ("job/look/again", {}),
        ("hierarchy/9", {"rows": [["a", "*"]]}),
    ],
)
def test_answers_that_cannot_be_are_refused(
    studio: Studio, project: Project, path: str, form: dict[str, Any]
) -> None:
    answer = studio.ask("POST", f"/p/{project.id}/{path}", json=form)
    assert answer.status_code in (404, 422), answer.text
