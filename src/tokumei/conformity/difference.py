"""How much a person's data differ from the others': k, unicity, attacks, lifetime, audits (item 5).

The law sets no figures. Without a limit of the user's own, high figures are left to a human. An
audit is made by `tokumei audit … --json`: membership, inference, singling out (items 4 and 5). A
weak result passes as what it is: these attacks found no more than an upper end (WP 216; ISO/IEC
27559, 8.2.3).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.conformity.lasting import months_of
from tokumei.core.conformity import AttackFigure, ConformityCase
from tokumei.core.errors import InputError
from tokumei.core.text import Text

WHO = "tokumei_who"
HIGH_RATE = 0.1
HIGH_UNICITY = 0.5


def person_k(case: ConformityCase) -> Finding:
    """How many people look exactly alike: by QI in a table, by whole history otherwise."""
    title = Text("People who look alike (k)", "区別できない人の数 (k)")
    if case.roles.qi:
        who = np.arange(case.release.height) if case.person is None else case.person
        rows = case.release.select(case.roles.qi).with_columns(pl.Series(WHO, who))
        size = pl.col(WHO).n_unique().alias("size")
        classes: pl.DataFrame | None = rows.group_by(case.roles.qi).agg(size)
    else:
        classes = _history_classes(case)
    if classes is None or not classes.height:
        none = Text("no QI were named", "準識別子が指定されていません")
        return Finding("person-k", 5, Verdict.HUMAN, title, none)
    k = int(classes["size"].min() or 0)  # type: ignore[arg-type]
    alone = int((classes["size"] == 1).sum())
    summary = Text(
        f"smallest group: {k}; {alone} of {classes.height} groups hold one person",
        f"最小のグループは {k} 人です。"
        f"{classes.height} グループのうち {alone} グループは一人だけです",
    )
    unknown = case.roles.person is not None and case.person is None
    if unknown:
        summary = Text(
            f"smallest group: {k} rows, perhaps of fewer people: --truth would tell whose they are",
            f"最小のグループは {k} 行です。同じ人の行を含む可能性があります "
            "(--truth があれば人数を数えます)",
        )
    verdict = Verdict.PASS if k >= case.limits.k and not unknown else Verdict.HUMAN
    if k < case.limits.k and case.roles.qi:
        verdict = Verdict.FAIL
    return Finding("person-k", 5, verdict, title, summary, (), {"k": k, "alone": alone})


def customers_k(customers: pl.DataFrame, columns: Sequence[str], *, limit: int) -> Finding:
    """The customers' own table (M): the smallest group by the given columns."""
    title = Text("Customers' attributes are shared", "顧客属性の k-匿名性")
    sizes = customers.group_by(columns).len()["len"]
    k = int(sizes.min())  # type: ignore[arg-type]
    summary = Text(f"k = {k} on {' × '.join(columns)}", f"{' × '.join(columns)} で k = {k}")
    verdict = Verdict.PASS if k >= limit else Verdict.FAIL
    return Finding("customers-k", 5, verdict, title, summary, (), {"k": k})


def unicity_finding(case: ConformityCase, shares: Mapping[int, float]) -> Finding:
    """The share of people singled out by p known points of their history."""
    title = Text("Singled out by a few known points", "少数の購買の知識による絞り込み")
    if not shares:
        none = Text("there are no points (item and day)", "購買の情報 (商品と日) がありません")
        return Finding("unicity", 5, Verdict.NOTHING, title, none)
    listed = ", ".join(f"p={points}: {share:.0%}" for points, share in shares.items())
    verdict = _limited(max(shares.values()), case.limits.unicity, HIGH_UNICITY)
    figures = {str(points): round(share, 4) for points, share in shares.items()}
    return Finding("unicity", 5, verdict, title, Text(listed, listed), (), figures)


def lifetime(case: ConformityCase) -> Finding:
    """In how many months the longest-lived pseudonym occurs."""
    title = Text("Lifetime of pseudonyms", "仮名の有効期間")
    name = case.roles.pseudonym
    if name is None or case.roles.day is None:
        none = Text("there are no pseudonyms over time", "期間ごとの仮名はありません")
        return Finding("lifetime", 5, Verdict.NOTHING, title, none)
    rows = pl.DataFrame({"who": case.release[name], "month": months_of(case)})
    lived = rows.filter(pl.col("month") != "").group_by("who").agg(pl.col("month").n_unique())
    longest = int(lived["month"].max() or 0)  # type: ignore[arg-type]
    months = rows.filter(pl.col("month") != "")["month"].n_unique()
    summary = Text(f"up to {longest} of {months} months", f"最長 {longest} か月 (全 {months} か月)")
    verdict = Verdict.PASS
    if longest > (case.limits.lifetime or 1):
        verdict = Verdict.HUMAN if case.limits.lifetime is None else Verdict.FAIL
    return Finding("lifetime", 5, verdict, title, summary, (), {"months": longest})


def attack_finding(case: ConformityCase, place: int, figure: AttackFigure) -> Finding:
    """The strongest attack under one knowledge, the `place`-th that was tried."""
    title = Text(f"Strongest attack: {figure.knowledge.en}", f"最も強い攻撃: {figure.knowledge.ja}")
    verdict = _limited(figure.high, case.limits.rate, HIGH_RATE)
    summary = Text(
        f"{figure.attack} finds {figure.rate:.1%} ({figure.low:.1%} to {figure.high:.1%}; "
        f"a blind guess {figure.baseline:.1%})",
        f"{figure.attack} が {figure.rate:.1%} を特定 ({figure.low:.1%}〜{figure.high:.1%}。"
        f"当てずっぽうでは {figure.baseline:.1%})",
    )
    return Finding(f"attack-{place + 1}", 5, verdict, title, summary, (), figure.as_json())


def _limited(figure: float, limit: float | None, high: float) -> Verdict:
    """FAIL beyond a limit that was given; beyond what counts as high otherwise, NEEDS-HUMAN."""
    if limit is None:
        return Verdict.HUMAN if figure > high else Verdict.PASS
    return Verdict.FAIL if figure > limit else Verdict.PASS


def _history_classes(case: ConformityCase) -> pl.DataFrame | None:
    name = case.roles.pseudonym
    if name is None:
        return None
    cells = [column for column in case.release.columns if column != name]
    line = pl.concat_str(pl.col(cells).cast(pl.String).fill_null(""), separator="\x1f")
    histories = (
        case.release.select(who=pl.col(name), line=line)
        .group_by("who")
        .agg(pl.col("line").sort().str.join("\x1e"))
    )
    return histories.group_by("line").agg(size=pl.len())


def read_audit(path: str) -> dict[str, Any]:
    """The JSON document of an audit."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or not {"membership", "control_test", "model"} <= found.keys():
        raise InputError(
            f"{path}: no audit; make one with tokumei audit --json",
            f"{path}: 監査の結果ではありません。tokumei audit --json で作ってください",
        )
    return found


def audit_findings(audit: Mapping[str, Any]) -> list[Finding]:
    """A finding for each question that was asked; doubtful people behind it need a person."""
    warned = tuple(Evidence(Text(one, one)) for one in audit["warnings"])
    doubtful = _doubtful(audit)
    found = []
    if audit["membership"] is not None:
        found.append(_membership(audit["membership"]["strongest"], doubtful, warned))
    found += [
        _attribute(name, one["strongest"], doubtful, warned)
        for name, one in audit["attribute"].items()
    ]
    tried = [one for one in audit["singling_out"] if one["risk"] is not None]
    if tried:
        worst = max(tried, key=lambda one: float(one["risk"]["value"]))
        found.append(_singling_out(worst, doubtful, warned))
    return found


def _doubtful(audit: Mapping[str, Any]) -> bool:
    """Whether the control differs, the reference is mixed with others, or files are exchanged."""
    tested, found = audit["control_test"], audit["membership"]
    exchanged = found is not None and found["strongest"]["auc_high"] < 0.5
    return bool(tested["differs"] or tested.get("reference_mixed") or exchanged)


def _membership(best: Mapping[str, Any], doubtful: bool, warned: tuple[Evidence, ...]) -> Finding:
    span = f"{best['auc_low']:.3f}–{best['auc_high']:.3f}"
    summary = Text(
        f"{best['attack']} tells members from others with AUC {best['auc']:.3f} ({span}; chance "
        ".5)",
        f"{best['attack']} がメンバーを見分ける AUC は {best['auc']:.3f}（{span}、偶然なら .5）",
    )
    title = Text("Audit: who was in the data", "監査: 含まれていたかどうか")
    verdict = _verdict(_told(best) or doubtful)
    return Finding("audit-membership", 5, verdict, title, summary, warned, dict(best))


def _told(best: Mapping[str, Any]) -> bool:
    """Whether members stand out, all of them a little or a few very much."""
    rates = best.get("tpr", {}).items()
    return bool(best["auc_low"] > 0.5 or any(one["low"] > float(rate) for rate, one in rates))


def _attribute(
    name: str, best: Mapping[str, Any], doubtful: bool, warned: tuple[Evidence, ...]
) -> Finding:
    span = f"{best['low']:.1%} … {best['high']:.1%}"
    summary = Text(
        f"{best['attack']} infers {best['value']:.1%} ({span}) beyond the control",
        f"{best['attack']} が対照を超えて推測する割合は {best['value']:.1%}（{span}）",
    )
    title = Text(f"Audit: {name} inferred", f"監査: {name} の推測")
    verdict = _verdict(best["low"] > 0 or doubtful)
    return Finding(f"audit-attribute-{name}", 5, verdict, title, summary, warned, dict(best))


def _singling_out(one: Mapping[str, Any], doubtful: bool, warned: tuple[Evidence, ...]) -> Finding:
    risk = one["risk"]
    span = f"{risk['low']:.1%} … {risk['high']:.1%}"
    summary = Text(
        f"descriptions by {one['columns']} columns single out {one['members']:,} of "
        f"{one['people']:,} members and {one['control']:,} controls; {risk['value']:.1%} ({span}) "
        "beyond the control",
        f"{one['columns']} 列の記述で {one['people']:,} 人中 {one['members']:,} 人のメンバーと "
        f"{one['control']:,} 人の対照が絞り込まれます。対照を超える分は {risk['value']:.1%}"
        f"（{span}）",
    )
    title = Text("Audit: people singled out", "監査: 一人への絞り込み")
    verdict = _verdict(risk["low"] > 0 or doubtful)
    return Finding("audit-singling-out", 4, verdict, title, summary, warned, dict(one))


def _verdict(found: bool) -> Verdict:
    return Verdict.HUMAN if found else Verdict.PASS
