"""The text of a contest.yaml with a comment on what organisers change first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.contest.spec.model import Phase, Quotas, Words

_FRAME = """\
# A contest / コンテストの設定. All fields: docs/contest-file.md
# Check it / 確認:        tokumei contest check . --release A.csv
preset: {preset}
slug: {slug}                  # the contest's address on the server / サーバー上のアドレス
title:
  en: {title_en}
  ja: {title_ja}
about:
  en: ""
  ja: ""

# Files beside this one / このファイルと同じ場所にあるデータファイル
data:
{data}
{schema}
# Uploads of a kind are taken from `starts` until just before `ends`; times need a zone
# starts から ends の直前まで受け付けます。時刻にはタイムゾーンが必要です
phases:
{phases}

# Per team / チームごとの上限
quotas:
{quotas}

# What an attacker learns at once: exact, banded or delayed (until the phase ends)
# 攻撃の結果の知らせ方: exact (値)、banded (区間)、delayed (期間の終了後)
feedback: exact
# When others see figures: always, after-phase or after-contest
# 成績をほかのチームに見せる時期
leaderboard: always
# Who may register: open or invite / 登録: open (誰でも) か invite (招待された人)
registration: invite

# Everything below is the preset's; write it out to change it
# 以下はプリセットの値です。変えるときだけ書いてください
# extra: rules.py             # your own rules, measures and attacks / 独自の規則・指標・攻撃
# scoring:
#   attacks: [all]            # every attack of the library / すべての攻撃
"""


def contest_yaml(
    *,
    preset: str,
    slug: str,
    title: Words,
    data: Mapping[str, Any],
    schema: Mapping[str, Sequence[str]],
    phases: Sequence[Phase],
) -> str:
    """The file; words are quoted as JSON, which is YAML as well."""
    quotas = Quotas()
    shown = ("submissions", "submissions_per_day", "published", "attempts_per_target", "megabytes")
    return _FRAME.format(
        preset=preset,
        slug=slug,
        title_en=_quoted(title.en),
        title_ja=_quoted(title.ja),
        data="\n".join(f"  {key}: {name}" for key, name in data.items()),
        schema=_schema(schema),
        phases="\n".join(map(_phase, phases)),
        quotas="\n".join(f"  {name}: {getattr(quotas, name)}" for name in shown),
    )


def _schema(schema: Mapping[str, Sequence[str]]) -> str:
    if not schema:
        return ""
    lines = [f"  {role}: [{', '.join(map(_quoted, names))}]" for role, names in schema.items()]
    return "\n".join(["# What the columns mean / 列の役割", "schema:", *lines, ""])


def _phase(phase: Phase) -> str:
    starts, ends = phase.starts.isoformat(), phase.ends.isoformat()
    return f'  - {{kind: {phase.kind}, starts: "{starts}", ends: "{ends}"}}'


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
