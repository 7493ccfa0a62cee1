"""`tokumei anonymize history --format pws2017`: pseudonyms over time, and their options."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.core.text import Text

EXAMPLE = (
    "tokumei anonymize history --format pws2017 --data T.csv --master M.csv --method pseudonyms "
    "--lifetime 1 --day 15 --price-noise 0.1 --out AT.csv --public S.csv --secret F.csv"
)


def _option(en: str, ja: str) -> Any:
    return typer.Option(help=f"pws2017: {Text(en, ja).show()}")


Lifetime = Annotated[int | None, _option("months a pseudonym lives", "仮名の寿命 (月数)")]
Exposure = Annotated[
    str | None,
    _option(
        "new pseudonym before --bound rows, items or risk are exceeded",
        "rows, items, risk が --bound を超える前に仮名を替える",
    ),
]
Bound = Annotated[float | None, _option("bound of the exposure", "露出の上限")]
Exchange = Annotated[
    float | None,
    _option("share who exchange pseudonyms each month", "毎月仮名を交換する人の割合"),
]
Day = Annotated[
    str | None,
    _option("keep, random, or a day of the month (15)", "keep、random、または月の何日か (15)"),
]
DayShift = Annotated[int | None, _option("move days by at most so many", "日をずらす最大日数")]
Time = Annotated[
    str | None, _option("keep, hour, constant, random", "keep, hour, constant, random")
]
TimeShift = Annotated[int | None, _option("move times by so many minutes", "時刻をずらす最大分数")]
PriceNoise = Annotated[float | None, _option("relative noise on prices", "価格の相対ノイズ")]
QuantityNoise = Annotated[int | None, _option("quantities ± so many", "数量をずらす最大数")]
Replace = Annotated[float | None, _option("share of items replaced", "商品を置き換える行の割合")]
ReplaceBy = Annotated[str | None, _option("prefix or bought-together", "prefix か bought-together")]
Delete = Annotated[float | None, _option("share of rows deleted", "削除する行の割合")]
DeleteFirst = Annotated[
    str | None,
    _option("random, rare-items, heavy-customers", "random, rare-items, heavy-customers"),
]
Invoice = Annotated[
    str | None, _option("invoices: blank, renumber or keep", "伝票番号: blank, renumber, keep")
]


def anonymize_period_file(
    data: str,
    *,
    master: str,
    method: str,
    params: dict[str, Any],
    out: str | None,
    public: str | None,
    secret: str | None,
    encoding: str,
    seed: int | None,
    json: bool,
) -> None:
    """Release a file of 2017 and say what came of it."""
    from tokumei.cli.anonymize import spare_original
    from tokumei.cli.console import note, print_json
    from tokumei.files.containers import sha256
    from tokumei.flow import anonymize, save
    from tokumei.pseudonyms.formats.pws2017 import read_period_history

    spare_original(master, [out, public, secret])
    source = read_period_history(data, master, encoding=encoding)
    release = anonymize(source, method, seed=seed, sha256=sha256(data), **params)
    save(release, public, secret=secret, aligned=out)
    names = len(release.public.people)
    if json:
        print_json({"out": out, "public": public, "pseudonyms": names, **release.manifest()})
        return
    kept, rows = release.public.rows, source.rows.rows
    people, months = len(source.master.customers), source.months.count
    note(
        Text(
            f"{kept:,} of {rows:,} rows of {people:,} customers under {names:,} pseudonyms in "
            f"{months} months; verified: all rules of the format"
            + "".join(f", {claim.rule}" for claim in release.claims),
            f"顧客 {people:,} 人の {rows:,} 行中 {kept:,} 行を、{months} か月で {names:,} 個の"
            "仮名のもとに公開。検証済み: 形式の全規則"
            + "".join(f"、{claim.rule}" for claim in release.claims),
        )
    )
