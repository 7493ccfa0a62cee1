"""`tokumei measure utility` and `safety` of pseudonyms over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core import options
from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.errors import UsageError
from tokumei.core.registry import params_of
from tokumei.core.text import Text
from tokumei.pseudonyms.ask.make import master_option
from tokumei.pseudonyms.services.requests import CheckPeriodsRequest, MeasurePeriodsRequest

if TYPE_CHECKING:
    from tokumei.core.measure import Score


@dataclass(frozen=True, kw_only=True)
class MeasurePseudonyms(Ask):
    """Measure a release."""

    about: ClassVar = Text(
        "Pseudonyms over time: the judge's measures (0 means nothing is lost), and further ones "
        "by name. --as-paper measures as the paper's text says where the judge's programs differ.",
        "期間ごとの仮名: 審判の指標 (0 は損失なし) と、名前で指定したほかの指標。"
        "--as-paper は、審判プログラムと論文の定義が異なる指標を論文の定義で測ります。",
    )
    examples: ClassVar = (
        "tokumei measure utility --format pws2017 --master M.csv --original T.csv --release AT.csv",
    )

    original: str = options.original_option()
    release: str = options.release_option()
    master: str | None = master_option(default=None)
    method: tuple[str, ...] = option(
        "default, all, or names: default,rfm",
        "default、all、または名前: default,rfm",
        default=("default",),
        aliases=("measures", "methods"),
    )
    set: dict[str, Any] = options.set_option()
    encoding: str = options.encoding_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen measures, whose fields are options."""
        from tokumei.pseudonyms.measures.judge import chosen_measures
        from tokumei.pseudonyms.registry import measures

        names = measures.names()
        if "method" in given:
            names = chosen_measures("master" in given, given["method"])
        return {name: measures.get(name) for name in names}

    def answer(self) -> Answer:
        """Read both and measure."""
        from tokumei.pseudonyms.measures.judge import chosen_measures
        from tokumei.pseudonyms.registry import measures
        from tokumei.pseudonyms.services.measure import measure_periods

        names = chosen_measures(self.master is not None, self.method)
        request = MeasurePeriodsRequest(
            original=self.original,
            release=self.release,
            master=self.master,
            methods=tuple(names),
            params=params_of(measures, names, self.set),
            encoding=self.encoding,
        )
        scores = measure_periods(request)
        return Answer({name: score.value for name, score in scores.items()}, [_measured(scores)])


def _measured(scores: Mapping[str, Score]) -> Listing:
    from tokumei.pseudonyms.registry import measures

    rows = []
    for name, score in scores.items():
        kind = measures.get(name)
        chance = "" if score.baseline is None else f"{score.baseline:,.4g}"
        cells = [f"{score.value:,.6g}", chance, kind.unit.show()]
        rows.append([f"{name}  {kind.title.show()}", *cells])
    header = [Text("value", "値"), Text("chance", "偶然"), Text("unit", "単位")]
    return Listing(Text("Measures", "指標"), ["", *header], rows)


@dataclass(frozen=True, kw_only=True)
class SafetyOfPseudonyms(Ask):
    """Score a guess."""

    about: ClassVar = Text(
        "Pseudonyms over time: how much of the secret table a guess found.",
        "期間ごとの仮名: 秘密の仮名表のどれだけを推定が当てたか。",
    )
    examples: ClassVar = ("tokumei measure safety --format pws2017 --secret F.csv --guess Fh.csv",)

    secret: str = option("pws2017: the true table F", "pws2017: 真の仮名表 F")
    guess: str | None = options.guess_option(default=None)
    guess_map: str | None = option(
        "pws2017, instead of --guess: lines period,pseudonym,customer",
        "pws2017、--guess の代わり: 期間,仮名,顧客 の行",
        default=None,
    )
    public: str | None = option(
        "pws2017: the public rows S, for reid_rows",
        "pws2017: 公開行 S (reid_rows 用)",
        default=None,
    )
    original: str | None = options.original_option(default=None)
    encoding: str = options.encoding_option()
    format: str = "pws2017"

    def answer(self) -> Answer:
        """Compare the guess with the truth."""
        from tokumei.pseudonyms.services.check import score_guess

        if (self.guess is None) == (self.guess_map is None):
            raise UsageError(
                f"--format {self.format} needs either --guess or --guess-map",
                f"--format {self.format} には --guess か --guess-map のどちらか一方が必要です",
            )
        request = CheckPeriodsRequest(
            secret=self.secret,
            guesses=() if self.guess is None else (self.guess,),
            guess_map=self.guess_map,
            public=self.public,
            original=self.original,
            encoding=self.encoding,
        )
        scores = score_guess(request)
        values = {name: score.value for name, score in scores.items()}
        details = {name: score.as_json() for name, score in scores.items()}
        return Answer({**values, "details": details}, [_rates(scores)])


def _rates(scores: Mapping[str, Score]) -> Listing:
    rows = [
        [name, f"{s.value:.6f}", f"{s.low:.4f}–{s.high:.4f}", f"{s.baseline:.3g}"]
        for name, s in scores.items()
    ]
    header = [Text("rate", "割合"), Text("95 % interval", "95 % 区間"), Text("chance", "偶然")]
    return Listing(Text("Re-identification", "再識別率"), ["", *header], rows)
