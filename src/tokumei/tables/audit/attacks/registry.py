"""Membership attacks, by name."""

from __future__ import annotations

from tokumei.core.registry import Registry
from tokumei.core.text import Text
from tokumei.tables.audit.attacks.protocol import MembershipAttack

_HOME = "tokumei.tables.audit.attacks"

membership_attacks: Registry[MembershipAttack] = Registry(
    "tokumei.tables.membership_attacks",
    Text("membership attack", "メンバーシップ攻撃"),
    {
        "dcr": f"{_HOME}.distance:Dcr",
        "dcr-rare": f"{_HOME}.distance:DcrRare",
        "local": f"{_HOME}.distance:Local",
        "ratio": f"{_HOME}.distance:Ratio",
        "ratio-3": f"{_HOME}.distance:Ratio3",
        "density": f"{_HOME}.density:Density",
        "lra": f"{_HOME}.density:Lra",
        "classifier": f"{_HOME}.density:Classifier",
        "explain": f"{_HOME}.explain:Explain",
        "explain-sum": f"{_HOME}.explain:ExplainSum",
        "copy": f"{_HOME}.copy:Copy",
        "box": f"{_HOME}.box:Box",
        "box-max": f"{_HOME}.box:BoxMax",
        "covered": f"{_HOME}.box:Covered",
    },
)
