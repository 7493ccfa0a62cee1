"""`tokumei conform`: evidence for the person who answers for a release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.errors import UnknownNameError
from tokumei.core.options import (
    encoding_option,
    original_option,
    release_option,
    require_ending,
    require_share,
    sep_option,
    spare_sources,
)
from tokumei.core.text import Text, as_json_text, current_language
from tokumei.tables.ask.options import labels_option, qi_option, sa_option, truth_option

if TYPE_CHECKING:
    from tokumei.conformity.conform import Conformity
    from tokumei.core.conformity import CaseFiles
    from tokumei.files.atomic import Output

TAILS = {"age": 90.0, "年齢": 90.0}
ROLES = "day=Date,item=Code,price=Price,quantity=Qty,invoice=No"


@dataclass(frozen=True, kw_only=True)
class Conform(Ask):
    """Write the conformity report of a release."""

    about: ClassVar = Text(
        "Check a release against the five items of Article 34 of the APPI's enforcement rules "
        "(and the questions of the GDPR's guidance): PASS, FAIL, NEEDS-HUMAN or NOT-APPLICABLE "
        "with evidence, as a page (--out), as JSON, and as a manifest that may be published. Exit "
        "code 1 if a check fails. It shows evidence; it never declares lawfulness.",
        "匿名加工データを個人情報保護法施行規則 第 34 条の 5 つの号 (と GDPR の指針) に沿って"
        "検査し、合格・不合格・要確認・対象なしの別と根拠を、ページ (--out)、JSON、公開できる"
        "マニフェストとして出力します。不合格があれば終了コード 1。"
        "適法性を判定するものではありません。",
    )
    examples: ClassVar = (
        "tokumei conform --original x.csv --release y.csv --truth link.csv --qi age,sex "
        "--sa income --out conformity.html",
    )

    original: str = original_option()
    release: str = release_option()
    format: str = "table"
    master: str | None = option("the customers M", "顧客 M", default=None)
    public: str | None = option("the public file", "公開ファイル", default=None)
    out: str | None = option("the page to write", "出力する HTML", default=None)
    manifest: str | None = option(
        "public manifest to write", "公開用マニフェストの出力先", default=None
    )
    earlier: list[str] = option(
        "another release (repeatable)", "過去の匿名加工データ (複数可)", default=[]
    )
    truth: str | None = truth_option()
    hierarchies: str | None = labels_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    id: tuple[str, ...] = option("identifiers of the original", "元の識別子の列", default=())
    person: str | None = option("column that names people", "人を表す列", default=None)
    pseudonym: str | None = option("column of pseudonyms", "仮名の列", default=None)
    roles: dict[str, str] = option(
        f"columns of purchases: {ROLES}", f"購買の列: {ROLES}", default={}
    )
    price_sd: float = option("limit of unit prices in sd", "単価の限度 (標準偏差)", default=4.0)
    tail: dict[str, float] = option("column=limit, e.g. age=90", "列=限度 (例 age=90)", default={})
    k: int = option("people who must look alike", "区別できない人数の下限 (k)", default=2)
    max_rate: float | None = option(
        "attack rate from which the check fails", "不合格とする攻撃成功率", default=None
    )
    audit: str | None = option(
        "JSON of an inference audit to cite (tokumei audit --json)",
        "引用する監査の JSON (tokumei audit --json)",
        default=None,
    )
    max_lifetime: int | None = option(
        "months a pseudonym may be used", "仮名の有効期間の上限 (月)", default=None
    )
    effects: bool = option(
        "pseudonyms over time: also what the strongest attack loses without the rows that "
        "stand out",
        "期間ごとの仮名: 目立つ行を除いたとき、最も強い攻撃の結果がどう変わるかも測る",
        default=False,
    )
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int = option("seed of what is drawn", "乱数シード", default=0, least=0)

    def answer(self) -> Answer:
        """All findings; page and manifest, if they are wanted."""
        from tokumei.conformity.conform import conformity_of
        from tokumei.files.atomic import write_all

        read = (self.original, self.release, self.master, self.public, self.truth, *self.earlier)
        spare_sources((*read, self.audit), [self.out, self.manifest])
        require_ending(self.out, ".html")
        require_share(self.max_rate, "max_rate")
        found = conformity_of(self._files(), seed=self.seed, audit=self.audit)
        write_all(list(self._outputs(found)))
        return Answer(found.as_json(), _shown(found), code=1 if found.failed else 0)

    def _files(self) -> CaseFiles:
        from tokumei.core.conformity import ROLES, CaseFiles, Limits, Roles

        for name in self.roles:
            if name not in ROLES:
                raise UnknownNameError(Text("role", "役割"), name, ROLES, where="--roles")
        named = {"person": self.person, "pseudonym": self.pseudonym, **self.roles}
        return CaseFiles(
            self.format,
            self.original,
            self.release,
            master=self.master,
            public=self.public,
            earlier=tuple(self.earlier),
            truth=self.truth,
            sa=self.sa,
            hierarchies=self.hierarchies,
            sep=self.sep,
            encoding=self.encoding,
            roles=Roles(identifiers=self.id, qi=self.qi or (), **named),
            limits=Limits(
                price_sd=self.price_sd,
                tails=TAILS | self.tail,
                k=self.k,
                rate=self.max_rate,
                lifetime=self.max_lifetime,
            ),
            effects=self.effects,
        )

    def _outputs(self, found: Conformity) -> Iterable[Output]:
        from tokumei.conformity.page import render_conformity
        from tokumei.files.writing import text_output

        if self.out is not None:
            yield text_output(render_conformity(found, lang=current_language()), self.out)
        if self.manifest is not None:
            yield text_output(as_json_text(found.manifest()), self.manifest)


def _shown(found: Conformity) -> list[Text]:
    """A line for every check, and how many there are of each verdict."""
    from rich.cells import set_cell_size

    from tokumei.conformity.finding import Verdict

    lines = [
        Text(*(f"{set_cell_size(word, 14)} {title}: {said}" for word, title, said in both))
        for one in found.findings
        for both in [zip(one.verdict.word, one.title, one.summary, strict=True)]
    ]
    words = {Verdict(name).word: number for name, number in found.counts.items()}
    english = ", ".join(f"{number} {word.en}" for word, number in words.items())
    japanese = "、".join(f"{word.ja} {number}" for word, number in words.items())
    total = len(found.findings)
    looked = found.looked
    return [
        *lines,
        Text(
            f"{looked} of {total} checks had something to look at: {english}",
            f"全 {total} 項目のうち {looked} 項目を検査: {japanese}",
        ),
    ]
