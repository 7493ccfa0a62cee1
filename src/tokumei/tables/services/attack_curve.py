"""Runs attacks with more and more columns or rows, and times them."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.evaluation_suite import CurvePoint, attack_curve
from tokumei.tables.services.comparison_requests import AttackCurveRequest
from tokumei.tables.services.open_comparison import open_comparison


@dataclass(frozen=True)
class DrawnCurve:
    """The points of the curve, and remarks on how the files were read."""

    points: list[CurvePoint]
    notes: list[Message]


def draw_attack_curve(request: AttackCurveRequest) -> DrawnCurve:
    """Compare original and release, and attack step by step."""
    opened = open_comparison(request.comparison)
    rng = Randomness(request.seed)
    points = attack_curve(opened.case, request.by, request.methods, rng=rng, params=request.params)
    return DrawnCurve(points, opened.notes)
