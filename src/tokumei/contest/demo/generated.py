"""A contest on generated data, beginning when it is wanted: `write_contest(folder, starts=now)`."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from tokumei.contest.demo.player import PRESET, player
from tokumei.contest.spec.model import Kind, Phase, Words
from tokumei.contest.spec.sample_folder import write_sample

TITLE = Words(en="Demonstration cup", ja="デモ杯")
ABOUT = {
    "en": "A year of purchases of generated customers. Give every customer changing pseudonyms and "
    "hide their habits without spoiling the data; then say who is who in the others' releases.",
    "ja": "架空の顧客による 1 年分の購買履歴です。顧客の仮名を変えながら、データの価値を損なわずに"
    "習慣を隠してください。そのあと、ほかのチームのデータで誰が誰かを当てます。",
}


def write_contest(
    folder: Path,
    *,
    starts: datetime,
    anonymize: timedelta = timedelta(hours=1),
    attack: timedelta = timedelta(hours=1),
    slug: str = "demo",
    rows: int = 3000,
    customers: int = 60,
    seed: int = 1,
    **more: Any,
) -> Any:
    """Write contest.yaml and its data; `more` are further keys of the file. Gives the original."""
    between = starts + anonymize
    path = write_sample(
        folder,
        preset=PRESET,
        rows=rows,
        customers=customers,
        seed=seed,
        slug=slug,
        title=TITLE,
        phases=[
            Phase(kind=Kind.ANONYMIZE, starts=starts, ends=between),
            Phase(kind=Kind.ATTACK, starts=between, ends=between + attack),
        ],
    )
    contest = yaml.safe_load(path.read_text(encoding="utf-8"))
    contest |= {"about": ABOUT, "registration": "open", **more}
    path.write_text(yaml.safe_dump(contest, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return player().read_source(folder)
