"""`tokumei curves`: time and success of an attack against the data it uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import CommandResult, TextTable, option
from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    encoding_option,
    original_option,
    release_option,
    seed_option,
    sep_option,
    set_option,
)
from tokumei.tables.commands.options import (
    ComparisonCommand,
    label_hierarchies_option,
    qi_option,
    sa_option,
    truth_option,
)

if TYPE_CHECKING:
    from tokumei.tables.evaluation_suite import CurvePoint


@dataclass(frozen=True, kw_only=True)
class DrawAttackCurves(ComparisonCommand):
    """Draw attack curves."""

    about: ClassVar = Message(
        "Time and success of attacks against the number of QI, of SA, or of rows they use (the "
        "paper's Figures 2–6); with --out also CSV and SVG."
    )
    examples: ClassVar = (
        "tokumei curves --original x.csv --release y.csv --truth link.csv --qi age,sex "
        "--sa income,rent --by qi --out curves",
    )
    attacks: ClassVar = ("EUC1", "EUC2")

    original: str = original_option()
    release: str = release_option()
    by: Literal["qi", "sa", "rows"] = option("what to vary", default="qi")
    method: tuple[str, ...] = option(
        "all, or attacks: EUC1,EUC2", default=attacks, aliases=("methods", "attacks")
    )
    set: dict[str, object] = set_option()
    out: str | None = option("folder for CSV and SVG", default=None)
    truth: str | None = truth_option()
    hierarchies: str | None = label_hierarchies_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Attack again and again, and write what came out."""
        from tokumei.core.registry import resolve_method_names, split_params_by_method
        from tokumei.tables.registry import attackers
        from tokumei.tables.services.attack_curve import draw_attack_curve
        from tokumei.tables.services.comparison_requests import AttackCurveRequest

        names = resolve_method_names(attackers, self.method)
        curve = draw_attack_curve(
            AttackCurveRequest(
                comparison=self.comparison,
                by=self.by,
                methods=tuple(names),
                params=split_params_by_method(attackers, names, self.set),
                seed=self.seed,
            )
        )
        points = curve.points
        self._write_curves(points)
        data = {"points": [point.as_json() for point in points]}
        return CommandResult(data, [_curve_table(points)], curve.notes)

    def _write_curves(self, points: list[CurvePoint]) -> None:
        import polars as pl

        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.files.writing import frame_output, text_output
        from tokumei.tables.report.sweep_page import curve_svg

        if self.out is None:
            return
        base_path = make_folder(self.out) / f"curve-{self.by}"
        frame = pl.DataFrame([point.as_json() for point in points])
        picture = curve_svg(points, current_language())
        write_all(
            [frame_output(frame, f"{base_path}.csv"), text_output(picture, f"{base_path}.svg")]
        )


def _curve_table(points: list[CurvePoint]) -> TextTable:
    rows = [[p.attack, str(p.used), f"{p.rate:.4f}", f"{p.seconds:.3f}"] for p in points]
    header = [Message("used"), Message("rate"), Message("seconds")]
    return TextTable(Message("Attack curve"), ["", *header], rows)
