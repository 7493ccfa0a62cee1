"""`tokumei anonymize history --format pws2017`: pseudonyms over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.errors import UsageError
from tokumei.core.options import encoding_option, seed_option, set_option, spare_sources
from tokumei.core.text import Text

DEFAULT = "pseudonyms"


@dataclass(frozen=True, kw_only=True)
class AnonymizePseudonyms(Ask):
    """Make a release under changing pseudonyms and prove its claims."""

    about: ClassVar = Text(
        "Pseudonyms over time (pws2017): customers appear under changing pseudonyms, and what "
        "they bought may be moved, coarsened, replaced or deleted.",
        "期間ごとの仮名 (pws2017): 顧客に、期間ごとに変わる仮名を付けます。"
        "購買の内容をずらす・粗くする・置き換える・削除することもできます。",
    )
    examples: ClassVar = (
        "tokumei anonymize history --format pws2017 --data T.csv --master M.csv "
        "--method pseudonyms --lifetime 1 --day 15 --price-noise 0.1 --out AT.csv --public S.csv "
        "--secret F.csv",
    )

    data: str = option("the history to anonymize", "元の履歴")
    master: str = option("pws2017: the customers M", "pws2017: 顧客データ M")
    out: str | None = option(
        "row-aligned release (secret)", "元の行順のままの出力 (秘密)", default=None
    )
    method: str = option("the method", "手法", default=DEFAULT)
    set: dict[str, Any] = set_option()
    public: str | None = option("what attackers see", "公開する行", default=None)
    secret: str | None = option("pseudonym,customer", "仮名と顧客の対応", default=None)
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen method, whose fields are options."""
        from tokumei.pseudonyms.registry import anonymizers

        names = [given.get("method", DEFAULT)] if "data" in given else anonymizers.names()
        return {name: anonymizers.get(name) for name in names}

    def answer(self) -> Answer:
        """Read, anonymize, verify, write, and say what came of it."""
        from tokumei.core.flow import make_release
        from tokumei.core.registry import params_of
        from tokumei.files.containers import sha256
        from tokumei.files.releases import save_release
        from tokumei.pseudonyms.formats.pws2017 import read_period_history
        from tokumei.pseudonyms.kind import PSEUDONYMS

        if self.out is None and self.public is None:
            raise UsageError("give --out, --public or both", "--out か --public を指定してください")
        spare_sources((self.data, self.master), (self.out, self.public, self.secret))
        params = params_of(PSEUDONYMS.anonymizers, [self.method], self.set)[self.method]
        method = PSEUDONYMS.anonymizers.build(self.method, params)
        source = read_period_history(self.data, self.master, encoding=self.encoding)
        digest = sha256(self.data)
        release = make_release(PSEUDONYMS, source, method, seed=self.seed, sha256=digest)
        save_release(PSEUDONYMS, release, self.public, secret=self.secret, aligned=self.out)
        names = len(release.public.people)
        data = {"out": self.out, "public": self.public, "pseudonyms": names}
        return Answer({**data, **release.manifest()}, notes=[_told(source, release, names)])


def _told(source: Any, release: Any, names: int) -> Text:
    kept, rows = release.public.rows, source.rows.rows
    people, months = len(source.master.customers), source.months.count
    claims = [claim.rule for claim in release.claims]
    return Text(
        f"{kept:,} of {rows:,} rows of {people:,} customers under {names:,} pseudonyms in "
        f"{months} months; verified: {', '.join(['all rules of the format', *claims])}",
        f"顧客 {people:,} 人の {rows:,} 行中 {kept:,} 行を、{months} か月で {names:,} 個の"
        f"仮名で公開。検証済み: {'、'.join(['形式の全規則', *claims])}",
    )
