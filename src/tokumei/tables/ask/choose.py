"""`tokumei choose`: which k, and what else is to be done, for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.ask import Answer, Listing, option
from tokumei.core.options import (
    attacks_option,
    out_folder_option,
    seed_option,
    set_option,
    spare_sources,
)
from tokumei.core.text import Text
from tokumei.tables.ask.options import paths_option
from tokumei.tables.ask.table_file import DEFAULT, TableFile

if TYPE_CHECKING:
    from tokumei.core.advice.request import Request
    from tokumei.tables.choosing.choose import Choice
    from tokumei.tables.choosing.trials import KPoint
    from tokumei.tables.data.account import Account
    from tokumei.tables.releasing.opening import Opened

RESULTS = ("choose.csv", "choose.json", "choose.svg", "remedy.svg", "report.html")

READ_SO = Text(
    "Least: the smallest class. Found: the strongest attack of someone who knows the "
    "quasi-identifiers of all people, and of someone who knows every public column. *: within "
    "the limit.",
    "最小: 最も小さいクラス。特定: 全員の準識別子を知る人と、公開列をすべて知る人による"
    "最も強い攻撃。*: 許容値以内。",
)


@dataclass(frozen=True, kw_only=True)
class ChooseTable(TableFile):
    """Choose k."""

    about: ClassVar = Text(
        "Which k? Anonymizes a table with several k and shows what each loses, the rows kept, and "
        "the strongest attack of someone who knows the quasi-identifiers and of someone who knows "
        "everything that is public; then one paragraph of advice with its reason. Nothing is "
        "released. With --out also CSV, JSON, chart and report.",
        "k をいくつにするか。いくつかの k で表を匿名加工し、それぞれの損失、残る行、"
        "準識別子を知る人と公開データをすべて知る人による最も強い攻撃を示し、理由とともに助言を一段落で述べます。"
        "公開用のデータは作りません。--out で CSV・JSON・図・レポートも作ります。",
    )
    examples: ClassVar = (
        "tokumei choose --data x.csv",
        "tokumei choose --data x.csv --qi age,sex --sa income --k 2,5,10 --max-rate 0.2 --out k",
    )

    k: tuple[int, ...] = option("2-20 or 2,3,6", "2-20 や 2,3,6", default=(2, 3, 5, 10, 20, 50))
    max_rate: float = option(
        "the share of people that may be found at most (advice, not law)",
        "特定されてよい人の割合の上限 (法律上の基準ではありません)",
        default=0.09,
    )
    attacks: tuple[str, ...] = attacks_option()
    hierarchies: str | None = paths_option()
    set: dict[str, Any] = set_option()
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen method, whose fields are options."""
        from tokumei.tables.registry import anonymizers

        return {name: anonymizers.get(name) for name in given.get("method", DEFAULT)}

    def answer(self) -> Answer:
        """Try every k, write, and say which to take."""
        from tokumei.files.atomic import write_all
        from tokumei.files.releases import make_folder
        from tokumei.tables.report.choice import choice_outputs
        from tokumei.tables.services.choose import ChooseTableRequest, choose_table

        if self.out is not None:
            spare_sources((self.data,), tuple(f"{self.out}/{name}" for name in RESULTS))
        chosen = choose_table(
            ChooseTableRequest(
                table=self.request,
                values=self.k,
                params=dict(self.set),
                max_rate=self.max_rate,
                attacks=self.attacks,
                seed=self.seed,
            )
        )
        choice = chosen.choice
        if self.out is not None:
            write_all(choice_outputs(choice, make_folder(self.out)))
        command = self._next(choice, chosen.planned)
        shows = shown(choice)
        if command is not None:
            shows.append(Text(f"Next:  {command}", f"次に:  {command}"))
        return Answer(choice.as_json() | {"command": command}, shows, chosen.planned.notes)

    def _next(self, found: Choice, opened: Opened) -> str | None:
        """The command that makes the advised release; None: none is within the limit.

        What a side file says of the reading, it says to that command, too.
        """
        from tokumei.tables.services.advise import command_of, describe_reading

        remedied = None if found.remedy is None else found.good(found.remedy.points)
        if len(self.method) > 1 or not (found.good() or remedied):
            return None
        given: dict[str, Any] = {"hierarchies": self.hierarchies, "roles": self.roles_file}
        given |= {"sets": [*self.sets], "scrub": [*self.scrub], "no_roles": self.no_roles}
        reading = describe_reading(self.request) | {
            name: value for name, value in given.items() if value
        }
        request = advised_request(found, opened.account, dict(self.set), self.person or "")
        out = f"{Path(self.data).stem}-release.csv"
        return command_of(replace(request, reading=reading), self.data, out)


def advised_request(
    found: Choice, account: Account, params: Mapping[str, Any], person: str
) -> Request:
    """What `anonymize` is to be asked for: the method at the advised k, and the step after it."""
    from tokumei.core.advice.request import DROP, GENERALIZE, PASS, PROTECT, Request
    from tokumei.tables.data.account import Fate

    fates = {Fate.GENERALIZED: GENERALIZE, Fate.PROTECTED: PROTECT, Fate.DROPPED: DROP}
    columns = {name: fates.get(one.fate, PASS) for name, one in account.entries.items()}
    steps: list[dict[str, Any]] = [{"method": found.method, **params, "k": found.advised.k}]
    remedy = found.remedy if found.good() is None else None
    left: list[str] = []
    if remedy is not None:
        became = {"generalize": GENERALIZE, "drop": DROP}.get(remedy.name, PROTECT)
        if became == PROTECT:
            steps.append({"method": remedy.name})
            left = [n for n, one in columns.items() if one == PROTECT and n not in remedy.columns]
            columns |= dict.fromkeys(left, PASS)
        columns |= dict.fromkeys(remedy.columns, became)
    consent = tuple(n for n, one in account.entries.items() if one.consent or n in left)
    return Request("table", tuple(steps), columns, account.person or person, consent)


def shown(found: Choice) -> list[Listing | Text]:
    """The tables and the paragraph."""
    parts: list[Listing | Text] = [_listing(found, found.points, Text("Which k?", "k の選択"))]
    if found.remedy is not None:
        parts.append(_listing(found, found.remedy.points, found.remedy.words))
    return [*parts, READ_SO, found.advice]


def _listing(found: Choice, points: Sequence[KPoint], title: Text) -> Listing:
    from tokumei.core.figures import percent, percent_range
    from tokumei.tables.choosing.advice import unit

    best = found.good(points)
    rows = [
        [
            f"{one.k}{'*' if one is best else ''}",
            f"{one.smallest}",
            percent(one.loss),
            percent(one.rows_kept),
            *(
                f"{percent(x.rate)} [{percent_range(x.low, x.high)}]"
                for x in (one.by_qi, one.by_all)
            ),
        ]
        for one in points
    ]
    what = unit(found)
    header: list[Text | str] = [
        "k",
        Text(f"least {what.en}", f"最小 ({what.ja})"),
        Text("loss", "損失"),
        Text("kept", "残る行"),
        Text("found by QI", "QI で特定"),
        Text("found by all", "全列で特定"),
    ]
    return Listing(title, header, rows)
