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
    default=None,
)
"""The quasi-identifiers."""
sa_option = partial(option, "sensitive columns: x,y", default=None)
"""The sensitive columns."""
kind_option = partial(
    option, "read a column as integer, real, date or category: industry=category", default={}
)
"""How columns are read."""
truth_option = partial(
    option,
    "the link: CSV released,original (default: same order, refused where the rows cannot fit)",
    default=None,
)
"""The link between released and original rows."""
cross_option = partial(
    option, "columns of the cross table (default: the first six QI)", default=None
)
"""The columns of the cross table."""
hierarchy_paths_option = partial(
    option, "path of the hierarchies with {column} in it, or auto", default=None
)
"""Where the hierarchies of a method are."""
label_hierarchies_option = partial(
    option,
    "what the release's labels stand for: path with {column}, or auto (default: its manifest)",
    default=None,
)
"""What the labels of a release stand for."""
l_option = partial(option, "distinct l-diversity", default=None, name="l")
"""Distinct l-diversity."""
t_option = partial(option, "t-closeness (equal)", default=None, name="t")
"""The equal-distance t-closeness."""
model_option = partial(
    option,
    "a privacy model, repeatable: entropy-l=2.5, recursive=3,2, alpha=0.5, t-ordered=0.2, "
    "t-hierarchical=0.2, beta=1, enhanced-beta=1, delta=1.5, highest-risk=0.1, "
    "average-risk=0.05, records-at-risk=0.2,0.05",
    default=[],
)
"""Any privacy model, as text."""
pass_option = partial(
    option, "columns released although they may identify people: a,b", default=(), name="pass"
)
"""The columns released in spite of an alarm."""
qi_anyway_option = partial(
    option, "quasi-identifiers that may identify people by themselves: a,b", default=()
)
"""The columns generalized in spite of an alarm."""
strict_option = partial(
    option, "a column without a name, or with that of another, is an error", default=False
)
"""Whether columns must have names of their own."""
sheet_option = partial(
    option, "sheet of a workbook (default: the one with most cells)", default=None
)
"""The sheet of a workbook."""
date_order_option = partial(
    option, "how days are written where no cell decides it: dmy, mdy or ymd", default=None
)
"""Which number of a day is which, where no cell decides it."""
two_digit_years_option = partial(
    option,
    "the last year of two digits that is 20xx (default: 68; of births: this year)",
    default=None,
)
"""The century of years of two digits."""
header_row_option = partial(
    option, "line of the column names, or none (default: detected)", default=None
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


def person_option(*, or_none: bool = False) -> str | None:
    """The column that names persons; `or_none`: the word "none" may stand for "there is none"."""
    person: str | None = option(
        "count k in people, told apart by this column (anonymize drops it; none: every row is "
        "another person)"
        if or_none
        else "count k in people, told apart by this column (anonymize drops it)",
        default=None,
    )
    return person
