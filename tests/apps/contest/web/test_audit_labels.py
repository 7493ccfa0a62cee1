"""Tests of tokumei.apps.contest.web.audit_labels."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tokumei
from tokumei.apps.contest.services.admin_views import AuditRecordView
from tokumei.apps.contest.web.audit_labels import ACTION_GROUPS, ACTION_LABELS, about, details
from tokumei.core.language import language_context


def logged(action: str, about: str = "cup", **details: Any) -> AuditRecordView:
    return AuditRecordView(
        id=1,
        at=datetime(2026, 11, 2, tzinfo=UTC),
        by="Olga",
        action=action,
        subject=about,
        about=about,
        details=details,
    )


def test_the_log_tells_what_changed_and_nothing_else():
    old = {"about": {"en": "a"}, "quotas": {"submissions": 100, "members": 20}, "feedback": "exact"}
    new = {"about": {"en": "a"}, "quotas": {"submissions": 7, "members": 20}, "feedback": "banded"}
    row = logged("contest.settings", old=old, new=new, reason="fewer", account=3)
    with language_context("ja"):
        assert [(str(word), value) for word, value in details(row)] == [
            ("提出回数（合計）", "100 → 7"),
            ("攻撃結果の通知", "正確な値をすぐに表示 → 範囲のみをすぐに表示"),
            ("理由", "fewer"),
        ]


def test_the_log_has_words_for_states_stages_and_things_without_a_name():
    with language_context("ja"):
        (stage,) = {value for _, value in details(logged("contest.stage", old="open", new="open"))}
        assert stage == "公開"
        assert details(logged("entry.upload", state="queued"))[0][1] == "採点待ち"
        assert details(logged("team.name", old="open"))[0][1] == "open"
        assert about(logged("news.ask", "notice 2")) == "お知らせ・質問 2"
        assert about(logged("phase.change", "phase 0")) == "フェーズ 1"
        assert about(logged("team.new", "Cats")) == "Cats"


def test_the_log_tells_times_in_the_contests_zone():
    times = {"old": ["2026-11-02T00:00:00+00:00"] * 2, "new": ["2026-11-03T00:00:00+09:00"] * 2}
    told = details(logged("phase.change", "phase 0", **times), minutes=540)
    assert told[0][1] == "2 Nov 09:00:00 – 2 Nov 09:00:00"
    assert told[1][1] == "3 Nov 00:00:00 – 3 Nov 00:00:00"


def test_every_action_can_be_filtered():
    assert [name for name in ACTION_LABELS if not name.startswith(tuple(ACTION_GROUPS))] == []


def test_every_action_has_words():
    source = Path(tokumei.__file__).parent / "apps" / "contest"
    text = "".join(path.read_text(encoding="utf-8") for path in source.rglob("*.py"))
    named = set(re.findall(r'(?:log|record)\((?:place, session, viewer, )?"([a-z.-]+)"', text))
    assert len(named) > 20
    assert named <= {*ACTION_LABELS, "team.ban"}  # an example in a docstring
