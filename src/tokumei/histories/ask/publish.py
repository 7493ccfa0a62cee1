"""`tokumei publish` and `check` of histories: the rules, and what attackers see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core import options
from tokumei.core.ask import Answer, Ask, fault_answer, option
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import ReleasedHistory, mapping_option
from tokumei.histories.services.requests import CheckHistoryRequest, HistorySource

if TYPE_CHECKING:
    from tokumei.core.errors import Fault


@dataclass(frozen=True, kw_only=True)
class PublishHistory(Ask):
    """Write the public rows of a checked release, and the truth."""

    about: ClassVar = Text(
        "Make the public file (deleted rows gone, sorted as text) and the secret one "
        "(pseudonym,customer). All rules are checked first; with --k also that k people share "
        "every history. Exit code 1, and nothing written, if one is broken.",
        "公開ファイル (削除行なし、文字列順) と秘密の対応 (仮名,顧客) を作ります。"
        "先にすべての規則を検査し、--k があれば k 人が同じ履歴を持つことも確かめます。"
        "違反があれば何も書き出さず終了コード 1。",
    )
    examples: ClassVar = (
        "tokumei publish --format pws2018 --original T.csv --release A.csv --public A1.csv "
        "--secret F.csv",
    )

    original: str = option("the original T", "元の T")
    release: str = option("row-aligned A", "行順どおりの A")
    public: str = option("public file to write", "公開ファイル")
    secret: str = option("truth to write", "仮名と顧客の対応の出力先")
    k: int | None = option("verify k", "k を検証", default=None)
    encoding: str = options.encoding_option()

    def answer(self) -> Answer:
        """Check, write, and say how much there is."""
        from tokumei.histories.formats.pws2018 import Pws2018
        from tokumei.histories.services.check import publish_release

        source = HistorySource(data=self.original, layout=Pws2018(encoding=self.encoding))
        request = CheckHistoryRequest(original=source, release=self.release, k=self.k)
        counts = publish_release(request, public=self.public, secret=self.secret)
        return options.published(self.public, self.secret, counts)


@dataclass(frozen=True, kw_only=True)
class CheckHistory(ReleasedHistory):
    """Check a release with its original, a public file, or guesses."""

    about: ClassVar = Text(
        "Histories: a release and its --original against all rules; a --public file, made by any "
        "tool, for --k; or each --guess against the rules of guesses.",
        "履歴: 匿名加工データと --original がすべての規則を満たすか、公開ファイル (--public) が "
        "--k を満たすか、または各 --guess が推定の規則を満たすかを調べます。",
    )
    examples: ClassVar = ("tokumei check --format pws2018 --original T.csv --release A.csv --k 6",)

    original: str | None = options.original_option(default=None)
    release: str | None = options.release_option(default=None)
    public: str | None = options.public_option()
    guess: list[str] = option("histories: guess file(s)", "履歴: 推定ファイル", default=[])
    k: int | None = option("k", "k", default=None)
    categories: str | None = mapping_option()
    engine: Literal["local", "spark"] = options.engine_option()
    cluster: str | None = options.cluster_option()

    def answer(self) -> Answer:
        """All violations of what was given."""
        if self.engine == "spark":
            unused = {"original": self.original, "release": self.release, "guess": self.guess}
            unused |= {"categories": self.categories, "encoding": self.encoding}
            options.refuse_with("spark", **unused, columns=self.columns, sep=self.sep)
            needs = "--engine spark"
            return self._check_public(options.needed(self.public, "--public", needs), needs)
        options.require_spark(self.engine, cluster=self.cluster)
        if self.guess:
            return fault_answer(self._guess_faults())
        if self.public is not None and self.release is None:
            options.refuse_beside("--public", original=self.original, categories=self.categories)
            return self._check_public(self.public, "--public")
        return fault_answer(self._release_faults())

    def _guess_faults(self) -> list[Fault]:
        from tokumei.histories.services.check import check_guesses

        options.refuse_beside("--guess", release=self.release, k=self.k, categories=self.categories)
        original = options.needed(self.original, "--original", "--guess")
        public = options.needed(self.public, "--public", "--guess")
        source = self.original_source(original, public=public)
        guesses = tuple(self.guess)
        return check_guesses(CheckHistoryRequest(original=source, public=public, guesses=guesses))

    def _check_public(self, public: str, needs: str) -> Answer:
        from tokumei.histories.services.check import check_public

        request = CheckHistoryRequest(
            original=self.original_source("", public=public),
            public=public,
            k=options.needed(self.k, "--k", needs),
            engine=self.engine,
            cluster=self.cluster,
        )
        found = check_public(request)
        return fault_answer(found.faults, found.total)

    def _release_faults(self) -> list[Fault]:
        from tokumei.histories.services.check import check_release

        options.refuse_beside("--release", public=self.public)
        release = options.needed(self.release, "--release", f"--format {self.format}")
        original = options.needed(self.original, "--original", f"--format {self.format}")
        source = self.original_source(original, categories=self.categories)
        return check_release(CheckHistoryRequest(original=source, release=release, k=self.k))
