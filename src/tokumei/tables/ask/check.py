"""`tokumei check` of a table: does a file keep its claim, whoever made it?"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.ask import Answer, Ask, fault_answer, option
from tokumei.core.errors import UsageError
from tokumei.core.options import (
    cluster_option,
    encoding_option,
    engine_option,
    release_option,
    require_spark,
    sep_option,
)
from tokumei.core.text import Text
from tokumei.tables.ask.options import (
    asked_claims,
    l_option,
    model_option,
    person_option,
    t_option,
)

if TYPE_CHECKING:
    from polars import DataFrame

    from tokumei.core.claims import Found
    from tokumei.core.errors import Fault
    from tokumei.core.release import Claim


@dataclass(frozen=True, kw_only=True)
class CheckTable(Ask):
    """Recompute privacy models from a public file."""

    about: ClassVar = Text(
        "Recompute k-anonymity and other privacy models from a public file made by any tool. "
        "The exit code is 1 if a model does not hold. Of a folder that `tokumei run` wrote, also "
        "the k that is left to somebody who holds all its releases.",
        "どのツールで作られた公開ファイルでも k-匿名性などのプライバシーモデルを再計算します。"
        "成り立たなければ終了コードは 1 です。`tokumei run` が書いたフォルダでは、"
        "すべての匿名加工データを突き合わせたときに残る k も計算します。",
    )
    examples: ClassVar = ("tokumei check --format table --release y.csv --qi age,sex --k 5",)

    release: str = release_option()
    qi: tuple[str, ...] = option(
        "columns to count: a,b (default: the quasi-identifiers of its manifest or side file)",
        "数える列: a,b (既定はマニフェストかサイドファイルの準識別子)",
        default=(),
    )
    k: int | None = option("k", "k", default=None)
    l: int | None = l_option()  # noqa: E741  the literature's name
    t: float | None = t_option()
    model: list[str] = model_option()
    person: str | None = person_option()
    sa: tuple[str, ...] = option("columns the models protect", "モデルで保護する列", default=())
    hierarchies: str | None = option(
        "t-ordered, t-hierarchical: path of the hierarchies with {column} in it",
        "t-ordered、t-hierarchical: 階層ファイルのパス ({column} を含む)",
        default=None,
    )
    engine: Literal["local", "stream", "spark"] = engine_option()
    cluster: str | None = cluster_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> Answer:
        """Check where the rows are; without --qi, what was said of the columns before."""
        from tokumei.tables.services.read_comparison import roles_said

        if self.qi:
            return self._checked()
        said, notes = roles_said(self.release)
        if said is None:
            raise UsageError(
                "--qi is needed: nothing beside the file says what its columns are",
                "--qi が必要です。列の役割を書いたファイルが隣にありません",
            )
        asked = replace(self, qi=tuple(said[0]), sa=self.sa or tuple(said[1]))
        claims = self._claimed()
        if claims and self.engine == "local":
            answer = fault_answer(asked._here(claims))
            rules = ", ".join(dict.fromkeys(claim.rule for claim in claims))
            notes += [
                Text(f"Checked as its manifest claims: {rules}", f"目録の主張どおりに検査: {rules}")
            ]
        else:
            answer = asked._checked()
        return replace(answer, notes=[*notes, *answer.notes])

    def _claimed(self) -> list[Claim]:
        """What the release says of itself; nothing if something was asked."""
        from tokumei.core.release import Claim
        from tokumei.tables.hierarchies.released import read_manifest

        if any((self.k, self.l, self.t, self.model, self.person)):
            return []
        found = read_manifest(self.release).get("claims", [])
        good = [one for one in found if isinstance(one, dict) and {"rule", "params"} <= one.keys()]
        return [Claim(one["rule"], one["params"]) for one in good]

    def _checked(self) -> Answer:
        from tokumei.files.containers import too_large
        from tokumei.tables.services.method_steps import list_privacy_models

        claims = asked_claims(
            list_privacy_models(self.model, l=self.l, t=self.t),
            qi=self.qi,
            sensitive=self.sa,
            k=self.k,
            person=self.person,
            hierarchies=self.hierarchies,
        )
        if self.engine == "spark":
            found = self._on_spark(claims)
            return fault_answer(found.faults, found.total)
        require_spark(self.engine, cluster=self.cluster)
        from tokumei.tables.ask.check_folder import is_experiment

        if is_experiment(self.release):
            return self._together(claims)
        if self.engine == "stream" or too_large(self.release):
            return fault_answer(self._on_disk(claims))
        return fault_answer(self._here(claims))

    def _together(self, claims: list[Claim]) -> Answer:
        """Every release of a folder, and what they come to if somebody holds them all."""
        from tokumei.tables.ask.check_folder import joint_k, releases_in

        files, faults = releases_in(self.release), []
        for path in files:
            for fault in replace(self, release=str(path))._here(claims):
                message = Text(*(f"{path.name}: {words}" for words in fault.message))
                faults.append(replace(fault, message=message))
        joint = joint_k(files, self.qi, self.k)
        faults += [joint.fault()] if joint.below and len(files) > 1 else []
        answer = fault_answer(faults)
        return replace(answer, data={**answer.data, "joint": asdict(joint)})

    @property
    def _names(self) -> list[str]:
        return [*self.qi, *self.sa]

    def _here(self, claims: list[Claim]) -> list[Fault]:
        from tokumei.core.progress import notice
        from tokumei.files.column_types import typed
        from tokumei.files.reading import read_cells
        from tokumei.tables.data.table import Table
        from tokumei.tables.look.word_gaps import value_notes
        from tokumei.tables.verify.claims import claim_faults

        cells = read_cells(self.release, sep=self.sep, encoding=self.encoding)
        table = Table.of(typed(cells))
        table.schema.require(self._names, where=self.release)
        _tell_other_classes(cells.select(self.qi))
        for said in (said for name in self.sa for said in value_notes(cells[name])):
            notice(said)
        return claim_faults(table, claims, Table.of(cells))

    def _on_disk(self, claims: list[Claim]) -> list[Fault]:
        from tokumei.tables.engines.stream_files import open_stream
        from tokumei.tables.releasing.far import Roles
        from tokumei.tables.verify.elsewhere import DiskRows, streamed_faults

        source = open_stream(self.release, sep=self.sep, encoding=self.encoding)
        Roles(self._names).schema(source.names, where=self.release)
        source.require_whole_lines()
        _tell_other_classes(DiskRows(source).counted(self.qi).select(self.qi))
        return streamed_faults(source, claims)

    def _on_spark(self, claims: list[Claim]) -> Found:
        from tokumei.files.spark.files import read_spark
        from tokumei.files.spark.session import spark_session
        from tokumei.tables.releasing.spark import check_on_spark

        with spark_session(self.cluster) as session:
            table = read_spark(session, self.release, sep=self.sep, encoding=self.encoding)
            return check_on_spark(table, claims, columns=self._names)


def _tell_other_classes(cells: DataFrame) -> None:
    """Say so if numbers would make other classes of the cells than their text does."""
    from tokumei.core.progress import notice
    from tokumei.files.column_types import typed

    texts, numbers = cells.n_unique(), typed(cells).n_unique()
    if texts != numbers:
        notice(
            Text(
                f"Read as text, the columns make {texts} classes; read as numbers, {numbers}. "
                "Classes are those of the text",
                f"列を文字列として読むとクラスは {texts} 個、数値として読むと {numbers} 個です。"
                "クラスは文字列で数えます",
            )
        )
