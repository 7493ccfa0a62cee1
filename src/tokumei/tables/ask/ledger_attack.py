"""`tokumei ledger attack`: a coalition with public files, and one that knows how they were made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.ask import Answer, option
from tokumei.core.errors import InputError, UsageError
from tokumei.core.figures import percent
from tokumei.core.options import encoding_option, sep_option
from tokumei.core.text import Text
from tokumei.ledger.ask import AskLedger, coalition_option
from tokumei.tables.ask.options import labels_option, qi_option, sa_option

if TYPE_CHECKING:
    from tokumei.ledger.book import Ledger
    from tokumei.tables.ledger.algorithm import Algorithm, Flagged

NULL = Text(
    "These attacks recovered no exact record here. That is a result of these attacks on these "
    "data, not a proof.",
    "これらの攻撃では正確なレコードは得られませんでした。このデータでのこれらの攻撃の結果であり、"
    "安全の証明ではありません。",
)
UNDONE = Text(
    "Exact records are known to whoever knows the method: take a larger k (5 or more), or --slack.",
    "手法を知る人には正確なレコードが分かります。k を大きく (5 以上) するか、--slack を使って"
    "ください。",
)


@dataclass(frozen=True, kw_only=True)
class AttackLedgerOfTable(AskLedger):
    """Attack what left, as recipients could who put their files together."""

    about: ClassVar = Text(
        "Attack the releases of a ledger as a coalition could: by all public files together; and, "
        "with --data and --secret of one release (--release NAME), as somebody who knows the "
        "algorithm: cheapest class, tight hull, minimal node, minimality. A null result proves "
        "nothing.",
        "台帳の匿名加工データを、受領者が持ち寄った場合の方法で攻撃します。一つ (--release 名前) に"
        "ついて --data と --secret を渡すと、手法を知る人の攻撃 (最安のクラス、端の値、最小の節、"
        "最小性) も試します。見つからないことは安全の証明ではありません。",
    )
    examples: ClassVar = (
        "tokumei ledger attack ledger --coalition A,B",
        "tokumei ledger attack ledger --release r1 --data x.csv --secret link.csv --qi age,sex "
        "--sa income",
    )

    coalition: tuple[str, ...] = coalition_option()
    release: str | None = option("a release by name", "匿名加工データの名前", default=None)
    data: str | None = option("its source", "その元データ", default=None)
    secret: str | None = option("its link", "その対応表", default=None)
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    hierarchies: str | None = labels_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> Answer:
        """What the attacks find."""
        from tokumei.ledger.words import unlinked_words

        book = self.book()
        if self.release is not None:
            found = self._algorithm(book)
            return Answer({"release": self.release, **found.as_json()}, _told(found))
        joint = book.check(self.coalition)
        return Answer(joint.as_json(), [*unlinked_words(joint), *joint.notes])

    def _algorithm(self, book: Ledger) -> Algorithm:
        from tokumei.files.containers import sha256
        from tokumei.files.writing import read_link
        from tokumei.tables.comparing import given_hierarchies
        from tokumei.tables.data.cell_reader import ColumnReader
        from tokumei.tables.ledger.algorithm import attack_algorithm
        from tokumei.tables.services.read_comparison import read_sides

        if self.data is None or self.secret is None:
            raise UsageError(
                "--release needs --data and --secret, by which the attack is judged",
                "--release には、攻撃を採点するための --data と --secret が必要です",
            )
        entry = book.entry(str(self.release))
        path = book.public_path(entry)
        if not path.is_file() or sha256(path) != entry.sha256:
            raise InputError(
                f"{path}: not the file that was recorded as '{entry.name}'",
                f"{path}: '{entry.name}' として記録されたファイルではありません",
            )
        form: dict[str, Any] = {"sep": self.sep, "encoding": self.encoding}
        sides = read_sides(self.data, str(path), self.qi, self.sa, self.hierarchies, **form)
        source, public = sides.source, sides.public
        labels = given_hierarchies(source, sides.hierarchies)
        qi = source.schema.qi
        return attack_algorithm(
            source.frame,
            public.frame,
            read_link(self.secret, public.rows, source.rows),
            qi,
            source.schema.sa,
            {n: ColumnReader.of(source.frame[n], public.frame[n], labels.get(n)) for n in qi},
            hierarchies=labels,
            k=entry.k or 2,
        )


def _told(found: Algorithm) -> list[Text]:
    lines = []
    if found.narrowing is not None:
        one = found.narrowing
        lines.append(
            Text(
                f"Cheapest class: {one.fitting:.1f} classes fit a person; the right one is found "
                f"for {percent(one.right)} (by chance {percent(one.by_chance)}); truths wrongly "
                f"excluded: {percent(one.excluded)}. Never below k.",
                f"最安のクラス: 一人に合うクラスは平均 {one.fitting:.1f} 個。正しいクラスが分かる"
                f"人は {percent(one.right)} (当て推量では {percent(one.by_chance)})、正解を"
                f"誤って外した割合は {percent(one.excluded)}。k 人未満にはなりません。",
            )
        )
    exact = found.exact
    lines.append(
        Text(
            f"Tight hull: values known in {percent(exact.columns_known)} of generalized cells of "
            f"classes; {exact.claimed} records claimed, {exact.right} of them exact "
            f"({percent(exact.share)} of people).",
            f"端の値: 一般化したセルのうち値が分かるものは {percent(exact.columns_known)}。"
            f"レコード {exact.claimed} 件を復元し、正確なものは {exact.right} 件 (人の "
            f"{percent(exact.share)})。",
        )
    )
    if (flagged := found.flagged) is not None and flagged.top_flagged is not None:
        lines.append(_minimality(flagged, flagged.top_flagged))
    return [*lines, UNDONE if exact.right else NULL]


def _minimality(one: Flagged, top: float) -> Text:
    control = "–" if one.top_control is None else percent(one.top_control)
    return Text(
        f"Minimality: {percent(one.people)} of people flagged; the top value of the class is right "
        f"for {percent(top)} of them, {control} of others in the same classes (the "
        f"fair control), {percent(one.top_everyone)} of everyone.",
        f"最小性: 該当者 {percent(one.people)}。クラスの最頻値が正しい割合は、該当者で "
        f"{percent(top)}、同じクラスの他の人 (公平な対照) で {control}、全体で "
        f"{percent(one.top_everyone)}。",
    )
