"""What the tests split from test_project share."""

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


def attacker(found: float) -> dict[str, Any]:
    return {
        "code": "exact", "knows": [EVIL], "found": found, "share": found / 40, "low": 0.0,
        "high": 0.4, "baseline": 0.025, "certain": 0.0, "certain_share": 0.0,
    }  # fmt: skip


def assessment(state: Any, found: float, word: str) -> dict[str, Any]:
    """What a candidate's assessment leaves in a project."""
    remedy = {
        "action": "drop", "parameters": {"columns": [EVIL]}, "verdict": "fits", "certain": 0.0,
        "share": 0.025, "kept": 0.0, "what_texts": {"en": f"drop {EVIL}", "ja": "除く"},
    }  # fmt: skip
    document = {
        "verdict": word, "unit": "rows", "total": 40, "kept": 1 - found / 40, "rows": 40,
        "rows_source": 40, "attackers": [attacker(found)], "bound": attacker(40.0),
        "columns": [{"name": EVIL, "treatment": "unchanged", "kept": 0.5, "empty": 0.0}],
        "assumptions": [{"code": "x", "columns": [], "text_en": f"assumes {EVIL}"}],
        "remedies": [] if word == "fits" else [remedy], "remedy_note": None,
    }  # fmt: skip
    return {
        "inputs": state.inputs("candidates"), "document": document,
        "sentence": {"en": f"Verdict on {EVIL}.", "ja": "判定です。"},
        "names": [{"en": f"links by {EVIL}"}], "bound": {"en": "holds the whole original"},
        "page": {"en": "<p>whole</p>", "ja": "<p>全体</p>"}, "full": True, "exposed": [],
    }  # fmt: skip


def column(name: str, *, masked: bool) -> dict[str, Any]:
    return {
        "name": name, "role": "identifier" if masked else "quasi", "type": "name",
        "title": {"en": "a name", "ja": "氏名"}, "certainty": {"en": "sure", "ja": "確実"},
        "shares": [1.0],
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
            "file_line": {"en": "f"}, "people_line": {"en": "p"}, "rules": [], "warnings": [],
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
        told = {"columns": ["name", EVIL], **rows, "left_out": 0}
        made.write_result(f"previews/{id}", told)
    advice = {"inputs": state.inputs("candidates"), "ended": True, "skipped": []}
    made.write_result("advice", advice)
    for id, found, word in (("a", 5.0, "does-not-fit"), ("b", 0.2, "fits")):
        made.write_result(f"assessments/{id}", assessment(state, found, word))
    verdict = [{"en": "Was somebody in the data?"}, {"en": f"No {EVIL}", "ja": "いいえ"}]
    audit = {
        "counts": {"members": 20, "control": 12}, "verdicts": [verdict], "model": {"en": "m"},
        "not_tried": [{"en": "n"}], "warnings": [{"en": "w"}], "page": "<p>AUC</p>",
    }  # fmt: skip
    made.write_result("audits/a", audit)
    return made
