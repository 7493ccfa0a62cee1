"""What a look at the columns of a release tells: births in any writing, identifiers nobody named,
texts, postal codes with few people, and rows that are alone over all public columns together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.conformity.finding import Evidence, Finding, Verdict, worst
from tokumei.core.conformity import ConformityCase
from tokumei.core.text import Text
from tokumei.tables.data.account import Together
from tokumei.tables.look.column_cells import normal_text
from tokumei.tables.look.types import TYPES

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look, LookColumn

GENERAL = r"^\s*[\[({].*[\])}]\s*$|^\*$"
WRITTEN = r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
BIRTH_HEADER = r"(?i)birth|\bdob\b|born|生年月日|誕生|生まれ"
POSTAL_HEADER = r"(?i)post ?code|postal ?code|\bzip\b|郵便番号|〒"
YEARS_OF_LIVES = 15
"""Purchases span few years, births many."""
UNMISTAKABLE = frozenset(
    [
        "name",
        "kana",
        "email",
        "phone",
        "address",
        "my_number",
        "insurance_no",
        "passport",
        "ssn",
        "card",
        "bank_account",
    ]
)
LIKELY = 0.7


def look_findings(case: ConformityCase) -> list[Finding]:
    """All of them, from one look at the released columns."""
    from tokumei.tables.look.first_rows import looked_at

    seen = looked_at(case.release)
    return [
        birth_dates(case, seen),
        identifying_columns(case, seen),
        free_text(case, seen),
        few_at_a_postal_code(case, seen),
        all_columns(case),
    ]


def birth_dates(case: ConformityCase, seen: Look) -> Finding:
    """No column of full birth dates, however they are written (a year or decade is none)."""
    names = [name for name in case.release.columns if name != case.roles.day]
    found = [hit for name in names if (hit := _births(case, seen[name]))]
    summary = Text(
        f"no column of full birth dates among {len(names)}",
        f"{len(names)} 列に完全な生年月日の列はありません",
    )
    if found:
        columns = ", ".join(evidence.column or "" for _, evidence in found)
        summary = Text(f"full dates in: {columns}", f"完全な日付のある列: {columns}")
    verdict = worst([verdict for verdict, _ in found]) if names else Verdict.NOTHING
    title = Text("Full birth dates", "完全な生年月日")
    return Finding("birth-dates", 1, verdict, title, summary, tuple(e for _, e in found))


def _births(case: ConformityCase, column: LookColumn) -> tuple[Verdict, Evidence] | None:
    cells = normal_text(case.release[column.name].cast(pl.String))
    single = cells.filter(~cells.str.contains(GENERAL)).drop_nulls().unique()
    announced = column.type == "birth_date" or re.search(BIRTH_HEADER, column.name) is not None
    announced |= bool(single.str.contains(r"(?i)born|birth|生年月日|生まれ").any())
    if not announced and column.kind != "date":
        single = single.filter(single.str.contains(WRITTEN))  # numbers alone may be anything
    days = {t: day for t in single if (day := column.style.day(_date_in(t))) is not None}
    full = [text for text, day in days.items() if (day.month, day.day) != (1, 1)]
    if not full or (not announced and not _spans_lives([days[text].year for text in full])):
        return None
    if _only_months(full):
        return None
    what = Text("full dates, as of births", "生年月日のような完全な日付")
    at = cells.is_in(pl.Series(full).implode()).fill_null(False).to_numpy()
    verdict = Verdict.FAIL if announced else Verdict.HUMAN
    return verdict, Evidence.at(what, column.name, case.lines_of(at).tolist())


def _date_in(text: str) -> str:
    """The date of a cell that says more, such as `born 1980-02-03`."""
    found = re.search(WRITTEN, text)
    return found[0] if found else text


def _only_months(texts: list[str]) -> bool:
    """Whether no cell names a day: 1980-02, 198002, 昭和55年2月."""
    return all(re.fullmatch(r"\D*\d{1,4}\D{0,2}\d{1,2}\D?|\d{6}", text) for text in texts)


def _spans_lives(years: list[int]) -> bool:
    return float(np.ptp(np.percentile(years, [5, 95]))) > YEARS_OF_LIVES


def identifying_columns(case: ConformityCase, seen: Look) -> Finding:
    """No column looks like what identifies a person by itself, whether anybody named it or not."""
    known = {case.roles.pseudonym, case.roles.item, case.roles.invoice, case.roles.day}
    looked = [one for one in seen.columns if one.name not in known]
    found = [one for one in looked if one.identifies and one.confidence >= LIKELY]
    share = max((one.unique_share for one in found), default=0.0)
    summary = Text(
        f"none of {len(looked)} columns looks like an identifier",
        f"{len(looked)} 列に識別子のような列はありません",
    )
    if found:
        names = ", ".join(one.name for one in found)
        summary = Text(
            f"look like identifiers: {names}; up to {share:.1%} of the values are unique",
            f"識別子のような列: {names} (値の最大 {share:.1%} が一意)",
        )
    verdicts = [Verdict.FAIL if one.type in UNMISTAKABLE else Verdict.HUMAN for one in found]
    evidence = tuple(Evidence(TYPES[one.type].title, one.name, one.distinct) for one in found)
    title = Text("Columns that identify people", "個人を特定する列")
    verdict = worst(verdicts) if looked else Verdict.NOTHING
    figures = {"unique_share": round(share, 4)} if found else {}
    return Finding("identifying-columns", 1, verdict, title, summary, evidence, figures)


def free_text(case: ConformityCase, seen: Look) -> Finding:
    """Texts hold no personal data that can be found; names in them cannot be ruled out."""
    title = Text("Free text", "自由記述")
    told = [one for one in seen.columns if one.pii or one.type == "free_text"]
    told = [one for one in told if one.name not in case.roles.qi]
    if not told:
        none = Text("there is no free text", "自由記述の列はありません")
        return Finding("free-text", 1, Verdict.NOTHING, title, none)
    evidence = [
        Evidence(TYPES[inside.type].title, one.name, inside.cells)
        for one in told
        for inside in one.pii
    ]
    names = ", ".join(one.name for one in told)
    summary = Text(
        f"{names}: names in it cannot be ruled out", f"{names}: 氏名が含まれないとは言い切れません"
    )
    if evidence:
        summary = Text(f"personal data inside: {names}", f"個人情報を含む列: {names}")
    verdict = Verdict.FAIL if evidence else Verdict.HUMAN
    return Finding("free-text", 1, verdict, title, summary, tuple(evidence))


def few_at_a_postal_code(case: ConformityCase, seen: Look) -> Finding:
    """Nobody is nearly alone at a postal code."""
    title = Text("Postal codes with few people", "人数の少ない郵便番号")
    columns = [
        one.name
        for one in seen.columns
        if one.type == "postal" or re.search(POSTAL_HEADER, one.name) is not None
    ]
    if not columns:
        none = Text("there is no column of postal codes", "郵便番号の列はありません")
        return Finding("postal-codes", 4, Verdict.NOTHING, title, none)
    least = max(case.limits.k, case.limits.few_people)
    evidence = []
    for name in columns:
        few = _few(case, name, least)
        if few.any():
            what = Text(f"codes with fewer than {least} people", f"{least} 人未満の郵便番号")
            evidence.append(Evidence.at(what, name, case.lines_of(few).tolist()))
    summary = Text(
        f"every code is shared by at least {least} people", f"どの郵便番号も {least} 人以上います"
    )
    if evidence:
        summary = Text("some codes are nearly one person's", "人数の少ない郵便番号があります")
    verdict = Verdict.FAIL if evidence else Verdict.PASS
    return Finding("postal-codes", 4, verdict, title, summary, tuple(evidence))


def _few(case: ConformityCase, name: str, least: int) -> np.ndarray:
    cells = case.release[name].cast(pl.String)
    who = np.arange(len(cells)) if case.person is None else case.person
    rows = pl.DataFrame({"code": cells, "who": who})
    few = (pl.col("who").n_unique().over("code") < least) & ~pl.col("code").str.contains(GENERAL)
    return rows.select(few.fill_null(False)).to_series().to_numpy()


def all_columns(case: ConformityCase) -> Finding:
    """How many rows are alone for whoever knows every public column, named or not."""
    title = Text("All public columns together", "公開列すべての組み合わせ")
    if case.roles.pseudonym is not None:
        none = Text("rows are told apart by pseudonyms", "行は仮名で区別されています")
        return Finding("all-columns", 5, Verdict.NOTHING, title, none)
    found = Together.of(case.release)
    share = found.alone / max(found.rows, 1)
    summary = Text(
        f"{found.alone:,} of {found.rows:,} rows are unlike all others; the smallest class has "
        f"{found.smallest:,}",
        f"{found.rows:,} 行中 {found.alone:,} 行は同じ行がほかにありません。"
        f"最小のクラスは {found.smallest:,} 行です",
    )
    verdict = Verdict.HUMAN if found.smallest < case.limits.k else Verdict.PASS
    figures = {"smallest": found.smallest, "alone": found.alone, "share": round(share, 4)}
    return Finding("all-columns", 5, verdict, title, summary, (), figures)
