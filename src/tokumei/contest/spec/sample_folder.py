"""A contest to begin with: a commented contest.yaml and generated data that runs at once.

write_sample("spring", preset="pws2017")
write_sample("spring", preset="table", rows=500, phases=[Phase(kind="anonymize", …)])
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tokumei.contest.spec.folder import FILE, parse_contest
from tokumei.contest.spec.formats import contest_format, preset
from tokumei.contest.spec.model import Kind, Phase, Quotas, Words
from tokumei.core.errors import OutputError
from tokumei.core.judging import SampleData, Terms
from tokumei.files.atomic import Output, write_all
from tokumei.files.containers import AnyPath, Format, load_bytes
from tokumei.files.writing import text_output

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
PHASE = timedelta(days=14)


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


def write_sample(
    folder: AnyPath,
    *,
    preset: str = "pws2017",
    rows: int | None = None,
    customers: int | None = None,
    seed: int = 1,
    phases: Sequence[Phase] | None = None,
    slug: str = "sample",
    title: Words | None = None,
    data: Mapping[str, AnyPath] | None = None,
    schema: Mapping[str, Sequence[str]] | None = None,
) -> Path:
    """Write the folder (it must not hold a contest already); the path of its contest.yaml.

    With `data` (key → file) these files are copied and nothing is generated; a table then needs
    its `schema` (qi, sa, id). Without phases: two weeks to anonymize from now on, then two weeks
    to attack.
    """
    place = Path(folder)
    if (place / FILE).exists():
        told = place / FILE
        raise OutputError(
            f"{told}: there is a contest already", f"{told}: すでにコンテストがあります"
        )
    made = _given(data, schema) if data else _generated(preset, rows, customers, seed)
    text = contest_yaml(
        preset=preset,
        slug=slug,
        title=title or Words(en="A sample contest", ja="コンテストの見本"),
        data={key: str(output.path) for key, output in made.files.items()},
        schema=made.schema,
        phases=phases or _two_weeks_each(datetime.now(UTC)),
    )
    parse_contest(text)
    place.mkdir(parents=True, exist_ok=True)
    outputs = [Output(place / one.path, one.write) for one in made.files.values()]
    write_all([*outputs, text_output(text, place / FILE)])
    return place / FILE


def _two_weeks_each(now: datetime) -> list[Phase]:
    start = now.replace(microsecond=0)
    return [
        Phase(kind=Kind.ANONYMIZE, starts=start, ends=start + PHASE),
        Phase(kind=Kind.ATTACK, starts=start + PHASE, ends=start + 2 * PHASE),
    ]


def _given(data: Mapping[str, AnyPath], schema: Mapping[str, Sequence[str]] | None) -> SampleData:
    files = {key: _copy(Path(path)) for key, path in data.items()}
    return SampleData(files, {role: names for role, names in (schema or {}).items() if names})


def _copy(path: Path) -> Output:
    content = load_bytes(path, Format.CSV)
    return Output(path.name, lambda stream: stream.write(content))


def _generated(name: str, rows: int | None, customers: int | None, seed: int) -> SampleData:
    plain = preset(name)
    form = contest_format(plain["format"])
    terms = Terms(form.kind, form.name, {}, None, plain.get("knowledge", ()))
    return form.judge.sample(terms, rows=rows, customers=customers, seed=seed)
