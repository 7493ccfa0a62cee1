"""`tokumei lifetime`: risk and utility against the lifetime of a pseudonym."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core import shared_options
from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.messages import Message
from tokumei.core.registry import split_params_by_method
from tokumei.pseudonyms.commands.anonymize import master_option

if TYPE_CHECKING:
    from tokumei.pseudonyms.lifetime_curve import LifetimeCurve
    from tokumei.pseudonyms.services.requests import PeriodSource

METHOD_NAME = "pseudonyms"
RESULT_FILES = (
    *("lifetime.csv", "lifetime.json", "report.html"),
    *("risk-lifetime.svg", "risk-knowledge.svg", "utility-lifetime.svg"),
)


@dataclass(frozen=True, kw_only=True)
class LifetimeCommand(Command):
    """Draw the lifetime curve of a history in any layout."""

    about: ClassVar = Message(
        "Make a release for every lifetime, attack each with the same knowledge, and find the "
        "longest lifetime whose link rate (upper end of its 95 % interval) stays under --rate. "
        "--halves asks instead what somebody who knows the first half of the months links in the "
        "second. With --out also CSV, JSON, charts and report."
    )

    data: str = shared_options.data_option()
    alpha: tuple[float, ...] = option("share of rows known: 0.25 (default) or 0.25,0.5", default=())
    lifetimes: tuple[int, ...] = option("1-12 or 1,3,6 (default: all)", default=())
    method: str | None = option(
        "the attack (default: best; with --halves: profile)",
        default=None,
        aliases=("attack", "attacks", "methods"),
    )
    rate: float = option("link rate allowed", default=0.1)
    halves: bool = option("known: first half of the months (attack profile)", default=False)
    prefix: dict[str, int] = option("known cells: item=2", default={})
    set: dict[str, object] = shared_options.set_option()
    out: str | None = shared_options.out_folder_option()
    seed: int | None = shared_options.seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The method that makes the releases, whose fields are options."""
        from tokumei.pseudonyms.registry import anonymizers

        return {METHOD_NAME: anonymizers.get(METHOD_NAME)}

    def period_source(self) -> tuple[PeriodSource, list[Message]]:
        """The history, and what its reader should know of it."""
        raise NotImplementedError

    def spare(self, *sources: str) -> None:
        """Fail if a result would replace what was read."""
        if self.out is not None:
            shared_options.refuse_overwriting_inputs(
                sources, tuple(f"{self.out}/{name}" for name in RESULT_FILES)
            )

    def answer(self) -> CommandResult:
        """Draw the curve, and write it."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.pseudonyms.data.knowledge import PartialKnowledge
        from tokumei.pseudonyms.registry import anonymizers
        from tokumei.pseudonyms.report.lifetime_page import lifetime_outputs
        from tokumei.pseudonyms.services.lifetime import measure_lifetimes
        from tokumei.pseudonyms.services.requests import CONTEST_KNOWLEDGE, LifetimeRequest

        if self.halves:
            shared_options.refuse_unused_options("--halves", alpha=self.alpha, prefix=self.prefix)
        params = split_params_by_method(anonymizers, [METHOD_NAME], self.set)[METHOD_NAME]
        source, notes = self.period_source()
        request = LifetimeRequest(
            source=source,
            lifetimes=self.lifetimes,
            alphas=self.alpha or (0.25,),
            halves=self.halves,
            attack=self.method or ("profile" if self.halves else "best"),
            rate=self.rate,
            knowledge=PartialKnowledge(prefix=self.prefix) if self.prefix else CONTEST_KNOWLEDGE,
            params=params,
            seed=self.seed,
        )
        curve = measure_lifetimes(request)
        if self.out is not None:
            write_all(lifetime_outputs(curve, make_folder(self.out)))
        return CommandResult(curve.as_json(), _curve_tables(curve), notes)


@dataclass(frozen=True, kw_only=True)
class PseudonymLifetimeCommand(LifetimeCommand):
    """Of the contest's T with its customers M."""

    examples: ClassVar = (
        "tokumei lifetime --data T.csv --master M.csv --alpha 0.25,0.5 --lifetimes 1-12 "
        "--rate 0.1 --out lifetime",
    )

    master: str = master_option()
    encoding: str = shared_options.encoding_option()

    def period_source(self) -> tuple[PeriodSource, list[Message]]:
        """T with its customers."""
        from tokumei.pseudonyms.formats.pws2017 import Pws2017
        from tokumei.pseudonyms.services.requests import PeriodSource

        self.spare(self.data, self.master)
        layout = Pws2017(master=self.master, encoding=self.encoding)
        return PeriodSource(data=self.data, layout=layout), []


def _curve_tables(curve: LifetimeCurve) -> list[TextTable | Message]:
    from tokumei.pseudonyms.report.lifetime_page import describe_recommendation

    header = [Message("months"), Message("known"), Message("linked")]
    header += [Message("95 % interval"), Message("chance")]
    header += [Message("all months"), Message("worst loss")]
    rows = []
    for point in curve.points:
        links = point.links
        mark = "*" if point.lifetime == curve.longest else ""
        known = "½" if point.alpha is None else f"{point.alpha:g}"
        span = f"{links.low:.3f}–{links.high:.3f}"
        others = (links.baseline, point.reid_all, point.utility["worst"])
        figures = [f"{links.rate:.4f}", span, *(f"{figure:.4f}" for figure in others)]
        rows.append([f"{point.lifetime}{mark}", known, *figures])
    title = Message("Links by {attack}", attack=curve.attack)
    return [TextTable(title, header, rows), *_volume_table(curve), describe_recommendation(curve)]


def _volume_table(curve: LifetimeCurve) -> list[TextTable]:
    """The longest lifetime of customers who buy little, and of those who buy much."""
    shown_lifetimes = {curve.lifetimes[0], curve.lifetimes[-1]}
    header = [Message("rows bought"), Message("customers"), Message("longest")]
    header += [Message("linked, {months} mo.", months=n) for n in sorted(shown_lifetimes)]
    rows = []
    for part, volume in enumerate(curve.volumes):
        links = {
            months: max(
                (p.volumes[part].links for p in curve.points if p.lifetime == months),
                key=lambda candidate: candidate.high,
            )
            for months in sorted(shown_lifetimes)
        }
        linked_cells = [f"{x.rate:.3f} [{x.low:.3f}–{x.high:.3f}]" for x in links.values()]
        longest = "–" if volume.longest is None else f"{volume.longest}"
        rows.append(
            [f"{volume.least}–{volume.most}", f"{volume.customers}", longest, *linked_cells]
        )
    title = Message("By how much customers buy")
    return [TextTable(title, header, rows)] if rows else []
