"""`tokumei anonymize table`: a release in memory, from disk to disk, or on a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import (
    cluster_option,
    encoding_option,
    key_option,
    require_engine,
    seed_option,
    sep_option,
    set_option,
    spare_sources,
)
from tokumei.core.text import Text
from tokumei.tables.ask.options import (
    asked_models,
    hierarchies_option,
    kind_option,
    l_option,
    model_option,
    pass_option,
    person_option,
    qi_anyway_option,
    qi_option,
    sa_option,
    t_option,
)

if TYPE_CHECKING:
    from tokumei.tables.ask.engines import Made
    from tokumei.tables.data.account import Consent

DEFAULT = ("mondrian",)
UNCHANGED = Text(
    "WARNING: the released rows are unchanged originals; anyone who knows a row can find it",
    "警告: 公開される行は元データのままです。元の行を知る人は、その行を特定できます",
)

EXACT_PAIRS = Text(
    "WARNING: Mondrian with k = 2 gives exact records away: a class of two rows that differ in one "
    "column shows both (13 % of Adult's people; none with k = 5)",
    "警告: k = 2 の Mondrian では正確なレコードが分かることがあります。1 列だけが異なる 2 行の"
    "クラスは両方を示します (Adult では 13 % の人。k = 5 では 0)",
)


@dataclass(frozen=True, kw_only=True)
class AnonymizeTable(Ask):
    """Make a release and prove its claims."""

    about: ClassVar = Text(
        "Anonymize a table. Nothing is written unless its claims have been verified.\n\n"
        "Methods: see `tokumei methods`. Several, one after the other: --method unify,mondrian "
        "(parameters then as --set unify.columns=[age] --set mondrian.k=5).",
        "表を匿名加工します。主張を検証できなければ何も書き出しません。\n\n"
        "手法は `tokumei methods` を参照。続けて適用: --method unify,mondrian "
        "(パラメータは --set unify.columns=[age] --set mondrian.k=5)。",
    )
    examples: ClassVar = (
        "tokumei anonymize table --data x.csv --qi age,sex --sa income --method mondrian --k 5 "
        "--out y.csv --secret link.csv",
    )

    data: str = option("the table to anonymize", "元の表")
    out: str = option("the release to write", "出力ファイル")
    method: tuple[str, ...] = option("method name(s): a,b", "手法名: a,b", default=DEFAULT)
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    id: tuple[str, ...] | None = option(
        "identifiers, dropped: a,b", "識別子の列 (削除): a,b", default=None
    )
    kind: dict[str, str] = kind_option()
    k: int | None = option("k", "k", default=None)
    diversity: int | None = l_option()
    closeness: float | None = t_option()
    model: list[str] = model_option()
    person: str | None = person_option(
        " (none: every row is another person)", "。none: 1 行が 1 人"
    )
    passed: tuple[str, ...] = pass_option()
    pass_rest: bool = option(
        "where no role is given: release columns of no known use instead of dropping them",
        "役割を指定しない場合: 用途の分からない列を削除せずに公開する",
        default=False,
    )
    qi_anyway: tuple[str, ...] = qi_anyway_option()
    answers: Literal["ask", "defaults"] = option(
        "where no role is given: ask about columns in doubt, or drop them (defaults)",
        "役割を指定しない場合: 判断できない列を確認する (ask) か、削除する (defaults)",
        default="ask",
    )
    sheet: str | None = option(
        "sheet of a workbook (default: the fullest)",
        "シート名 (既定は最も埋まったもの)",
        default=None,
    )
    header_row: str | None = option(
        "line of the column names, or none (default: found)",
        "見出しの行番号、または none (既定は自動判別)",
        default=None,
    )
    no_normalize: tuple[str, ...] = option(
        "rules that are not applied to QI and SA: a,b or all (see tokumei look)",
        "準識別子・機密属性に適用しない規則: a,b または all (tokumei look 参照)",
        default=(),
    )
    bad_cells: Literal["refuse", "missing"] = option(
        "cells that fit neither number nor date in a column of them: refuse, or make them gaps",
        "数値・日付の列に合わないセル: 拒む (refuse) か欠損とする (missing)",
        default="refuse",
    )
    roles_file: str | None = option(
        "side file with the roles (default: DATA.tokumei.json, if it is there)",
        "役割を書いたサイドファイル (既定は DATA.tokumei.json、あれば)",
        default=None,
        name="roles",
    )
    no_roles: bool = option("ignore the side file", "サイドファイルを無視する", default=False)
    hierarchies: str | None = hierarchies_option(
        "path of the hierarchies with {column} in it, or auto",
        "階層ファイルのパス ({column} を含む) か auto",
    )
    set: dict[str, Any] = set_option()
    secret: str | None = option("write the link here (mode 0600)", "対応表の出力先", default=None)
    keep_order: bool = option("do not shuffle the rows", "行を並べ替えない", default=False)
    engine: Literal["local", "stream", "spark"] = option(
        "local; stream: rows stay on disk (as they do anyway if memory is too small); "
        "spark: they stay on a cluster (see --cluster)",
        "local、stream (行はディスクに置かれます。メモリが足りなければ自動)、"
        "spark (クラスターに置かれます。--cluster 参照)",
        default="local",
    )
    cluster: str | None = cluster_option()
    fragments: int | None = option(
        "spark: work in about this many fragments instead of on the driver (mondrian)",
        "spark: ドライバーではなく、およそこの数の断片で処理 (mondrian)",
        default=None,
        least=1,
    )
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()
    key: str | None = key_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen methods, whose fields are options; all of them if none is chosen."""
        from tokumei.tables.registry import anonymizers

        names = given.get("method", DEFAULT if "data" in given else anonymizers.names())
        return {name: anonymizers.get(name) for name in names}

    def answer(self) -> Answer:
        """Anonymize where the rows are, verify, write, and say what was done."""
        from tokumei.files.containers import too_large
        from tokumei.tables.ask import engines
        from tokumei.tables.ask.said_before import with_side_file

        made_here = (self.out, f"{self.out}.manifest.json")
        secrets = (self.secret, f"{self.secret}.provenance.json") if self.secret else ()
        spare_sources((self.data,), (*made_here, *secrets))
        require_engine("spark", self.engine, cluster=self.cluster, fragments=self.fragments)
        asked, notes = with_side_file(self)
        if self.engine == "spark":
            return self._told(engines.on_spark(asked), notes)
        if self.engine == "stream" or too_large(self.data):
            return self._told(engines.on_disk(asked), notes)
        return self._told(engines.in_memory(asked), notes)

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The methods with their parameters."""
        from tokumei.tables.ask.engines import steps_of

        models = self._models
        given = {
            "k": self.k,
            "conditions": models or None,
            "sensitive": list(self.sa) if models and self.sa is not None else None,
            "person": None if self.person == "none" else self.person,
            "hierarchies": self.hierarchies,
        }
        asked = {name: value for name, value in given.items() if value is not None}
        return steps_of(self.method, {**asked, **self.set})

    @property
    def roles(self) -> dict[str, Any]:
        """The columns by role; all None: to be inferred."""
        ids = (*(self.id or ()), *([self.person] if self.person not in (None, "none") else []))
        return {"qi": self.qi, "sa": self.sa, "ids": None if self.inferred else ids}

    @property
    def inferred(self) -> bool:
        """Whether nobody said what the columns are; identifiers may be named all the same."""
        return self.qi is None and self.sa is None

    @property
    def consent(self) -> Consent:
        """What was said about columns that may identify people."""
        from tokumei.tables.data.account import Consent

        return Consent(
            self.passed,
            self.pass_rest,
            self.qi_anyway,
            self.id or (),
            self.answers == "defaults",
            self.person or "",
        )

    @property
    def _models(self) -> list[str]:
        return asked_models(self.model, self.diversity, self.closeness)

    def _told(self, made: Made, before: Sequence[Text]) -> Answer:
        from tokumei.core.claims import MOST_LISTED, verified_words
        from tokumei.tables.registry import rules

        release, notes = made.release, [*before, *made.notes]
        notes += [UNCHANGED] if made.unchanged else []
        notes += [EXACT_PAIRS] if self.k == 2 and "mondrian" in self.method else []
        notes += [search.note for search in release.provenance.searches]
        notes += release.provenance.notes
        notes += release.account.lines()
        notes += made.together
        claims = verified_words(rules, release.claims, most=MOST_LISTED)
        told = Text(
            f"{self.out}: {made.rows} of {made.source_rows} rows; {claims.en}",
            f"{self.out}: {made.source_rows} 行中 {made.rows} 行。{claims.ja}",
        )
        data = {"out": self.out, "secret": self.secret, **release.manifest()}
        return Answer(data, notes=[*notes, told])
