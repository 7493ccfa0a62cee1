"""Re-identification risk of people: k, unicity, attacks, lifetime, audits (item 5).

The law sets no figures. Without a limit of the user's own, high figures are left to a human. An
audit is made by `tokumei audit … --json`: membership, inference, singling out (items 4 and 5). A
weak result passes as what it is: these attacks found no more than an upper end (WP 216; ISO/IEC
27559, 8.2.3).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np
import polars as pl

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.conformity.pseudonym_linkage import row_months
from tokumei.core.conformity_case import AttackFigure, ConformityCase
from tokumei.core.errors import InputError
from tokumei.core.formatting import FormattedValue, format_percent_range
from tokumei.core.messages import Message, join_messages

PERSON_COLUMN = "tokumei_who"
HIGH_RATE = 0.1
HIGH_UNICITY = 0.5


class _Interval(TypedDict):
    value: float
    low: float
    high: float


class _MembershipAttack(TypedDict):
    attack: str
    auc: float
    auc_low: float
    auc_high: float
    tpr: NotRequired[dict[str, _Interval]]


class _AttributeAttack(_Interval):
    attack: str


class _SinglingOutAttempt(TypedDict):
    columns: int
    people: int
    members: int
    control: int
    risk: _Interval


def check_person_k(case: ConformityCase) -> Finding:
    """How many people look exactly alike: by QI in a table, by whole history otherwise."""
    title = Message("People who look alike (k)")
    if case.roles.qi:
        person_ids = np.arange(case.release.height) if case.person is None else case.person
        rows = case.release.select(case.roles.qi).with_columns(pl.Series(PERSON_COLUMN, person_ids))
        size = pl.col(PERSON_COLUMN).n_unique().alias("size")
        classes: pl.DataFrame | None = rows.group_by(case.roles.qi).agg(size)
    else:
        classes = _history_classes(case)
    if classes is None or not classes.height:
        missing_message = Message("no QI were named")
        return Finding("person-k", 5, Verdict.HUMAN, title, missing_message)
    k = int(classes["size"].min() or 0)  # type: ignore[arg-type]
    single_person_groups = int((classes["size"] == 1).sum())
    summary = Message(
        "smallest group: {k}; {alone} of {groups} groups hold one person",
        k=k,
        alone=single_person_groups,
        groups=classes.height,
    )
    people_unknown = case.roles.person is not None and case.person is None
    if people_unknown:
        summary = Message(
            "smallest group: {k} rows, perhaps of fewer people: --truth would tell whose they are",
            k=k,
        )
    verdict = Verdict.PASS if k >= case.limits.k and not people_unknown else Verdict.HUMAN
    if k < case.limits.k and case.roles.qi:
        verdict = Verdict.FAIL
    return Finding(
        "person-k", 5, verdict, title, summary, (), {"k": k, "alone": single_person_groups}
    )


def check_customers_k(customers: pl.DataFrame, columns: Sequence[str], *, limit: int) -> Finding:
    """The customers' own table (M): the smallest group by the given columns."""
    title = Message("Customers' attributes are shared")
    sizes = customers.group_by(columns).len()["len"]
    k = int(sizes.min())  # type: ignore[arg-type]
    summary = Message("k = {k} on {columns}", k=k, columns=" × ".join(columns))
    verdict = Verdict.PASS if k >= limit else Verdict.FAIL
    return Finding("customers-k", 5, verdict, title, summary, (), {"k": k})


def unicity_finding(case: ConformityCase, shares: Mapping[int, float]) -> Finding:
    """The share of people singled out by p known points of their history."""
    title = Message("Singled out by a few known points")
    if not shares:
        missing_message = Message("there are no points (item and day)")
        return Finding("unicity", 5, Verdict.NOTHING, title, missing_message)
    summary = join_messages(
        Message("p={points}: {share:percent}", points=points, share=share)
        for points, share in shares.items()
    )
    verdict = _verdict_by_limit(max(shares.values()), case.limits.unicity, HIGH_UNICITY)
    figures = {str(points): round(share, 4) for points, share in shares.items()}
    return Finding("unicity", 5, verdict, title, summary, (), figures)


def check_pseudonym_lifetime(case: ConformityCase) -> Finding:
    """In how many months the longest-lived pseudonym occurs."""
    title = Message("Lifetime of pseudonyms")
    name = case.roles.pseudonym
    if name is None or case.roles.day is None:
        missing_message = Message("there are no pseudonyms over time")
        return Finding("lifetime", 5, Verdict.NOTHING, title, missing_message)
    rows = pl.DataFrame({"who": case.release[name], "month": row_months(case)})
    months_by_pseudonym = (
        rows.filter(pl.col("month") != "").group_by("who").agg(pl.col("month").n_unique())
    )
    longest = int(months_by_pseudonym["month"].max() or 0)  # type: ignore[arg-type]
    months = rows.filter(pl.col("month") != "")["month"].n_unique()
    summary = Message("up to {longest} of {months} months", longest=longest, months=months)
    verdict = Verdict.PASS
    if longest > (case.limits.lifetime or 1):
        verdict = Verdict.HUMAN if case.limits.lifetime is None else Verdict.FAIL
    return Finding("lifetime", 5, verdict, title, summary, (), {"months": longest})


def attack_finding(case: ConformityCase, place: int, figure: AttackFigure) -> Finding:
    """The strongest attack under one knowledge, the `place`-th that was tried."""
    title = Message("Attack, whatever the scenario: {knowledge}", knowledge=figure.knowledge)
    verdict = _verdict_by_limit(figure.high, case.limits.rate, HIGH_RATE)
    summary = Message(
        "{attack} finds {rate:percent} ({low:percent} to {high:percent}; a blind guess "
        "{baseline:percent})",
        attack=figure.attack,
        rate=figure.rate,
        low=figure.low,
        high=figure.high,
        baseline=figure.baseline,
    )
    return Finding(f"attack-{place + 1}", 5, verdict, title, summary, (), figure.as_json())


def _verdict_by_limit(figure: float, limit: float | None, high: float) -> Verdict:
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
        audit = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        audit = None
    if not isinstance(audit, dict) or not {"membership", "control_test", "model"} <= audit.keys():
        raise InputError("{path}: no audit; make one with tokumei audit --json", path=path)
    return audit


def audit_findings(audit: Mapping[str, Any]) -> list[Finding]:
    """A finding for each question that was asked; doubtful people behind it need a person."""
    warnings = tuple(Evidence(Message.verbatim(entry)) for entry in audit["warnings"])
    doubtful = _is_audit_doubtful(audit)
    findings = []
    if audit["membership"] is not None:
        findings.append(_membership_finding(audit["membership"]["strongest"], doubtful, warnings))
    findings += [
        _attribute_finding(name, entry["strongest"], doubtful, warnings)
        for name, entry in audit["attribute"].items()
    ]
    measured = [entry for entry in audit["singling_out"] if entry["risk"] is not None]
    if measured:
        highest_risk = max(measured, key=lambda entry: float(entry["risk"]["value"]))
        findings.append(_singling_out_finding(highest_risk, doubtful, warnings))
    return findings


def _is_audit_doubtful(audit: Mapping[str, Any]) -> bool:
    """Whether the control differs, the reference is mixed with others, or files are exchanged."""
    control_test, membership = audit["control_test"], audit["membership"]
    exchanged = membership is not None and membership["strongest"]["auc_high"] < 0.5
    return bool(control_test["differs"] or control_test.get("reference_mixed") or exchanged)


def _membership_finding(
    strongest: _MembershipAttack, doubtful: bool, warnings: tuple[Evidence, ...]
) -> Finding:
    interval = f"{strongest['auc_low']:.3f}–{strongest['auc_high']:.3f}"
    summary = Message(
        "{attack} distinguishes members from others with AUC {auc:.3f} ({interval}; chance .5)",
        attack=strongest["attack"],
        auc=strongest["auc"],
        interval=interval,
    )
    title = Message("Audit: who was in the data")
    verdict = _verdict_if_found(_members_stand_out(strongest) or doubtful)
    return Finding("audit-membership", 5, verdict, title, summary, warnings, dict(strongest))


def _members_stand_out(strongest: _MembershipAttack) -> bool:
    """Whether members stand out, all of them a little or a few very much."""
    rates = strongest.get("tpr", {}).items()
    return bool(
        strongest["auc_low"] > 0.5 or any(bounds["low"] > float(rate) for rate, bounds in rates)
    )


def _attribute_finding(
    name: str, strongest: _AttributeAttack, doubtful: bool, warnings: tuple[Evidence, ...]
) -> Finding:
    interval = FormattedValue(format_percent_range, strongest["low"], strongest["high"])
    summary = Message(
        "{attack} infers {value:percent} ({interval}) beyond the control",
        attack=strongest["attack"],
        value=strongest["value"],
        interval=interval,
    )
    title = Message("Audit: {column} inferred", column=name)
    verdict = _verdict_if_found(strongest["low"] > 0 or doubtful)
    return Finding(f"audit-attribute-{name}", 5, verdict, title, summary, warnings, dict(strongest))


def _singling_out_finding(
    attempt: _SinglingOutAttempt, doubtful: bool, warnings: tuple[Evidence, ...]
) -> Finding:
    risk = attempt["risk"]
    interval = FormattedValue(format_percent_range, risk["low"], risk["high"])
    summary = Message(
        "descriptions by {columns} columns single out {members:,} of {people:,} members and "
        "{control:,} controls; {value:percent} ({interval}) beyond the control",
        columns=attempt["columns"],
        members=attempt["members"],
        people=attempt["people"],
        control=attempt["control"],
        value=risk["value"],
        interval=interval,
    )
    title = Message("Audit: people singled out")
    verdict = _verdict_if_found(risk["low"] > 0 or doubtful)
    return Finding("audit-singling-out", 4, verdict, title, summary, warnings, dict(attempt))


def _verdict_if_found(is_risky: bool) -> Verdict:
    return Verdict.HUMAN if is_risky else Verdict.PASS
