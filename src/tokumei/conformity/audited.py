"""What an inference audit found, as evidence: membership, inference, singling out (items 4 and 5).

    findings = audit_findings(json.loads(Path("audit.json").read_text()))

The audit is made by `tokumei audit … --json`. A weak result passes as what it is: these attacks
found no more than an upper end (WP 216; ISO/IEC 27559, 8.2.3).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.core.errors import InputError
from tokumei.core.text import Text


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
