"""An audit as a person reads it in a terminal: warnings, answers, then figures."""

from __future__ import annotations

from tokumei.core.ask import Listing
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.tables.audit.attribute import Attribute
from tokumei.tables.audit.audit import Audit
from tokumei.tables.audit.figures import Figures
from tokumei.tables.audit.membership import Membership
from tokumei.tables.audit.singling_out import SinglingOut
from tokumei.tables.report.audit_words import MODELS, not_tried, signed, signed_range, verdicts

MEMBERS, CONTROL = Text("members", "メンバー"), Text("control", "対照")
FOUND = Text(
    "Who is in the data: members found at 0.1, 1 and 10 % false alarms",
    "誰が含まれるか: 誤報 0.1 %・1 %・10 % で見つかるメンバー",
)
SINGLED = Text(
    "Singling out: descriptions of one released row that fit exactly one person",
    "絞り込み: 公開行の一つだけに当てはまる記述が、ただ一人に当てはまる割合",
)
TOO_FEW = Text("too few", "少数")


def audit_listings(found: Audit) -> list[Listing | Text]:
    """All of it; warnings stand on the first lines."""
    shown: list[Listing | Text] = [Text(f"! {one.en}", f"! {one.ja}") for one in found.warnings]
    shown += [Text(f"{q.en} {a.en}", f"{q.ja}: {a.ja}") for q, a in verdicts(found)]
    shown.append(MODELS[found.model])
    if found.membership is not None:
        shown += _membership(found.membership)
    shown += [_attribute(one) for one in found.attributes.values()]
    if found.singling_out:
        shown.append(_singling(found.singling_out))
    missing = not_tried(found)
    en, ja = "; ".join(one.en for one in missing), "、".join(one.ja for one in missing)
    return [*shown, Text(f"Not tried: {en}.", f"試していないこと: {ja}。")]


def _membership(found: Membership) -> list[Listing | Text]:
    rows = [_figures(name, one.figures) for name, one in found.attacks.items()]
    if found.stack is not None:
        rows.append(_figures("stack", found.stack))
    rows.append(_figures("ceiling", found.ceiling))
    header: list[Text | str] = [
        "",
        "AUC",
        "95 %",
        Text("at 0.1 %", "0.1 %"),
        Text("at 1 %", "1 %"),
        Text("at 10 %", "10 %"),
        Text("advantage", "優位"),
    ]
    groups = [
        [
            group.title.show(),
            f"{group.members:,}",
            f"{group.control:,}",
            TOO_FEW.show() if group.auc is None else f"{group.auc.value:.3f}",
            "–" if group.auc is None else f"{group.auc.low:.3f}–{group.auc.high:.3f}",
        ]
        for group in found.groups
    ]
    best = found.corrected
    said = f"{found.strongest} {best.value:.3f} ({best.low:.3f}–{best.high:.3f})"
    return [
        Listing(FOUND, header, rows),
        *_reweighted(found),
        Text(f"Strongest, at the corrected level: {said}", f"最も強い攻撃 (補正した水準): {said}"),
        Listing(Text("Groups", "集団別"), ["", MEMBERS, CONTROL, "AUC", "95 %"], groups),
    ]


def _reweighted(found: Membership) -> list[Text]:
    """What is left of the strongest attack where the control is made like the members."""
    if (one := found.reweighted) is None:
        return []
    said = f"{found.strongest} {one.value:.3f} ({one.low:.3f}–{one.high:.3f})"
    return [
        Text(
            f"Against controls weighted to be like the members (ten strata): {said}",
            f"メンバーに似るように重み付けした対照との比較 (10 層): {said}",
        )
    ]


def _figures(name: str, one: Figures) -> list[str]:
    rates = [percent(one.tpr[f].value) if f in one.tpr else "–" for f in (0.001, 0.01, 0.1)]
    ends = f"{one.auc.low:.3f}–{one.auc.high:.3f}"
    return [name, f"{one.auc.value:.3f}", ends, *rates, signed(one.advantage)]


def _attribute(found: Attribute) -> Listing:
    rows = [
        [
            name,
            percent(one.members),
            percent(one.control),
            signed(one.risk.value),
            signed_range(one.risk),
            f"{one.certain:,}",
            "–" if one.certain_right is None else percent(one.certain_right),
        ]
        for name, one in found.attacks.items()
    ]
    rows += [
        [name, percent(m), percent(c), "", "", "", ""] for name, (m, c) in found.baselines.items()
    ]
    risk, certain = Text("risk", "リスク"), Text("certain", "確実")
    header: list[Text | str] = ["", MEMBERS, CONTROL, risk, "95 %", certain, Text("right", "正解")]
    title = Text(f"Inference of {found.column}", f"{found.column} の推測")
    return Listing(title, header, rows)


def _singling(found: list[SinglingOut]) -> Listing:
    rows = []
    for one in found:
        rates = [percent(one.rate), percent(one.control_rate)] if one.risk else ["–", "–"]
        risk = [signed(one.risk.value), signed_range(one.risk)] if one.risk else ["–", "–"]
        people = f"{one.members:,} / {one.control:,}"
        name = f"{one.columns} =" if one.equal else str(one.columns)
        rows.append([name, f"{one.predicates:,}", *rates, *risk, people])
    header: list[Text | str] = [
        Text("columns", "列数"),
        Text("number", "記述数"),
        MEMBERS,
        CONTROL,
        Text("risk", "リスク"),
        "95 %",
        Text("people", "人数"),
    ]
    return Listing(SINGLED, header, rows)
