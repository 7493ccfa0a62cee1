"""Writes the contests of an edition as that of 2017: drawn customers, preliminary and final round.

    write_retail_contest("spring", retail="online_retail.parquet", customers=500, seed=1)
    write_edition("edition", retail="online_retail.parquet", customers=500, seed=1)
    # edition/preliminary/contest.yaml, edition/final/contest.yaml

No customer is in both rounds; the final begins when the preliminary round has ended.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from tokumei.apps.contest.spec.model import LocalizedText, Phase
from tokumei.apps.contest.spec.sample_folder import (
    preset_terms,
    two_phases,
    write_sample_contest,
)
from tokumei.apps.papers.contest_data import ContestPurchases, draw_contest, retail_purchases
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath
from tokumei.files.reading import read_frame
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.judge.period_judge import PeriodJudge

EDITION_PRESET, PRESET = "pws2017-edition", "pws2017"
LAST_DAY = date(2011, 11, 30)
"""The twelve whole months of Online Retail end here."""
DEFAULT_CUSTOMERS = 500
ROUNDS = {"preliminary": Message("Preliminary round"), "final": Message("Final round")}


def write_retail_contest(
    folder: AnyPath, *, retail: AnyPath, customers: int | None, seed: int, slug: str = "sample"
) -> Path:
    """One contest of customers drawn from Online Retail; the path of its contest.yaml."""
    purchases = retail_purchases(read_frame(retail), last_day=LAST_DAY)
    history = _draw(purchases, customers, seed)
    return _write_round(folder, history, seed=seed, slug=slug)


def write_edition(
    folder: AnyPath, *, retail: AnyPath, customers: int | None, seed: int, slug: str = "sample"
) -> list[Path]:
    """Both rounds, of different customers; the paths of their contest.yaml."""
    purchases = retail_purchases(read_frame(retail), last_day=LAST_DAY)
    start, used, paths = datetime.now(UTC), list[str](), []
    for name, title in ROUNDS.items():
        history = _draw(purchases, customers, seed, without=used)
        phases = two_phases(start)
        paths.append(
            _write_round(
                Path(folder) / name,
                history,
                seed=seed,
                slug=f"{slug}-{name}",
                title=LocalizedText.of(title),
                phases=phases,
            )
        )
        start, used = phases[-1].ends, used + history.master.customers.to_list()
    return paths


def _draw(
    purchases: ContestPurchases,
    customers: int | None,
    seed: int,
    *,
    without: Collection[str] = (),
) -> PeriodHistory:
    wanted = customers or DEFAULT_CUSTOMERS
    return draw_contest(purchases, customers=wanted, seed=seed, without=without)


def _write_round(
    folder: AnyPath,
    history: PeriodHistory,
    *,
    seed: int,
    slug: str,
    title: LocalizedText | None = None,
    phases: Sequence[Phase] | None = None,
) -> Path:
    return write_sample_contest(
        folder,
        preset=PRESET,
        slug=slug,
        title=title,
        phases=phases,
        made=PeriodJudge.data_of(history, preset_terms(PRESET), seed=seed),
    )
