"""Options that several commands on tables share, and privacy models by name.

--k 5 --l 3 --t 0.2 --model entropy-l=2.5 --model recursive=3,2 --person patient
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, chosen_methods, option

if TYPE_CHECKING:
    from tokumei.tables.services.comparison_requests import ComparisonRequest


qi_option = partial(
    option,
    "quasi-identifiers: a,b,c; a name with a comma in quotation marks: '\"a,b\",c'",
    "準識別子の列: a,b,c (コンマを含む列名は引用符で囲む: '\"a,b\",c')",
    default=None,
)
"""The quasi-identifiers."""
sa_option = partial(option, "sensitive columns: x,y", "機密属性の列: x,y", default=None)
"""The sensitive columns."""
kind_option = partial(
    option,
    "read a column as integer, real, date or category: industry=category",
    "列の読み方 (integer, real, date, category): industry=category",
    default={},
)
"""How columns are read."""
truth_option = partial(
    option,
    "the link: CSV released,original (default: same order, refused where the rows cannot fit)",
    "対応表 CSV released,original (既定は同じ行順。行が対応し得ない場合は中止)",
    default=None,
)
"""The link between released and original rows."""
cross_option = partial(
    option,
    "columns of the cross table (default: the first six QI)",
    "クロス集計の列 (既定は最初の 6 つの準識別子)",
    default=None,
)
"""The columns of the cross table."""
hierarchy_paths_option = partial(
    option,
    "path of the hierarchies with {column} in it, or auto",
    "階層ファイルのパス ({column} を含む) か auto",
    default=None,
)
"""Where the hierarchies of a method are."""
label_hierarchies_option = partial(
    option,
    "what the release's labels stand for: path with {column}, or auto (default: its manifest)",
    "公開データのラベルの意味: 階層ファイルのパス ({column} を含む) か auto (既定はマニフェスト)",
    default=None,
)
"""What the labels of a release stand for."""
l_option = partial(option, "distinct l-diversity", "l-多様性", default=None, name="l")
"""Distinct l-diversity."""
t_option = partial(option, "t-closeness (equal)", "t-近接性", default=None, name="t")
"""The equal-distance t-closeness."""
model_option = partial(
    option,
    "a privacy model, repeatable: entropy-l=2.5, recursive=3,2, alpha=0.5, t-ordered=0.2, "
    "t-hierarchical=0.2, beta=1, enhanced-beta=1, delta=1.5",
    "プライバシーモデル (複数可): entropy-l=2.5、recursive=3,2、alpha=0.5、t-ordered=0.2、"
    "t-hierarchical=0.2、beta=1、enhanced-beta=1、delta=1.5",
    default=[],
)
"""Any privacy model, as text."""
pass_option = partial(
    option,
    "columns released although they may identify people: a,b",
    "個人を特定し得ると承知のうえで公開する列: a,b",
    default=(),
    name="pass",
)
"""The columns released in spite of an alarm."""
qi_anyway_option = partial(
    option,
    "quasi-identifiers that may identify people by themselves: a,b",
    "単独で個人を特定し得ると承知のうえで準識別子とする列: a,b",
    default=(),
)
"""The columns generalized in spite of an alarm."""
strict_option = partial(
    option,
    "a column without a name, or with that of another, is an error",
    "列名が空または重複していればエラーとする",
    default=False,
)
"""Whether columns must have names of their own."""
sheet_option = partial(
    option,
    "sheet of a workbook (default: the one with most cells)",
    "シート名 (既定は最も埋まったもの)",
    default=None,
)
"""The sheet of a workbook."""
date_order_option = partial(
    option,
    "how days are written where no cell decides it: dmy, mdy or ymd",
    "日付の数の順序 (セルから決まらない場合): dmy、mdy、ymd",
    default=None,
)
"""Which number of a day is which, where no cell decides it."""
two_digit_years_option = partial(
    option,
    "the last year of two digits that is 20xx (default: 68; of births: this year)",
    "2 桁の年のうち 20xx 年と読む最後の年 (既定は 68、生年月日では今年)",
    default=None,
)
"""The century of years of two digits."""
header_row_option = partial(
    option,
    "line of the column names, or none (default: detected)",
    "見出しの行番号、または none (既定は自動判別)",
    default=None,
)
"""The line that names the columns."""


class ComparisonCommand(Command):
    """A command that holds a release against its original."""

    original: str
    release: str
    truth: str | None
    qi: tuple[str, ...] | None
    sa: tuple[str, ...] | None
    kind: dict[str, str]
    cross: tuple[str, ...] | None
    hierarchies: str | None
    sep: str | None
    encoding: str
    attacks: ClassVar[tuple[str, ...]] = ()
    """The attacks that are named unless others are."""

    @property
    def comparison(self) -> ComparisonRequest:
        """The request that these options make."""
        from tokumei.tables.services.comparison_requests import ComparisonRequest

        return ComparisonRequest(
            original=self.original,
            release=self.release,
            link=self.truth,
            qi=self.qi,
            sa=self.sa,
            kind=getattr(self, "kind", {}),
            cross=getattr(self, "cross", None) or (),
            hierarchies=self.hierarchies,
            person=getattr(self, "person", None),
            sep=self.sep,
            encoding=self.encoding,
        )

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen attacks, whose fields are options."""
        from tokumei.tables.registry import attackers, resolve_attack_names

        names = resolve_attack_names(chosen_methods(given, cls.attacks))
        return {name: attackers.get(name) for name in names}


def person_option(more_en: str = "", more_ja: str = "") -> str | None:
    """The column that names persons; `more` is what else may be given."""
    person: str | None = option(
        "count k in people, told apart by this column (anonymize drops it)" + more_en,
        "k を人数で数える。個人を表す列 (匿名加工では削除)" + more_ja,
        default=None,
    )
    return person
