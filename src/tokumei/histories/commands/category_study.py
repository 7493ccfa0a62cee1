"""`tokumei categories` maps items; `categories study` measures the effect on analyses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import CommandResult, TextTable, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.shared_options import refuse_overwriting_inputs, seed_option
from tokumei.histories.commands.history_file import HistoryFileCommand, items_option

if TYPE_CHECKING:
    from tokumei.histories.category_mapping_study import CategoryStudyLine

HONEST_LOSS_NOTE = Message(
    "Compare mappings by the honest loss (against the real items) and the analyses; the contest's "
    "loss falls with coarser categories by itself. RFM uses no items: it is the same everywhere."
)


@dataclass(frozen=True, kw_only=True)
class CategoriesOfHistory(HistoryFileCommand):
    """Categorize the items of a history."""

    about: ClassVar = Message(
        "Put every item of a history into a category and write the mapping (item,category), which "
        "a person can edit and `sweep --categories` takes. --by: keywords (of the item "
        "descriptions, 19 built-in categories), prefix:N (first N characters of the code), "
        "co-purchase:N (N groups bought by the same people). `categories study` compares mappings."
    )
    examples: ClassVar = (
        "tokumei categories --format pws2018 --data T.csv --items items.csv --by keywords "
        "--out categories.csv",
    )

    by: str = option("keywords, prefix:N, co-purchase:N", default="keywords")
    items: str | None = items_option()
    rules: str | None = option(
        "own keyword rules (YAML), or paper: fitted to a published table of 19 categories",
        default=None,
    )
    out: str | None = option("mapping to write", default=None)
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Read, categorize, write."""
        from tokumei.histories.categories.keywords import RULE_PROFILES
        from tokumei.histories.categories.mapping import write_categories
        from tokumei.histories.services.read import choose_item_categories

        own = None if self.rules in RULE_PROFILES else self.rules
        refuse_overwriting_inputs((self.data, self.items, own), (self.out,))
        request = self.category_request(self.by, self.items, self.seed, self.rules)
        read = self.read()
        mapping = choose_item_categories(read.history, request)
        if self.out is not None:
            write_categories(mapping, self.out)
        sizes = mapping.sizes()
        total = sum(sizes.values())
        rows = [[name, str(size), f"{size / total:.1%}"] for name, size in sizes.items()]
        header = [Message("category"), Message("items"), Message("share")]
        data = {"by": mapping.name, "items": len(mapping.of), "categories": sizes, "out": self.out}
        return CommandResult(data, [TextTable(Message("Categories"), header, rows)], read.notes)


@dataclass(frozen=True, kw_only=True)
class StudyCategories(HistoryFileCommand):
    """Compare mappings of items to categories."""

    about: ClassVar = Message(
        "What the choice of item categories does to marketing: for no categories, every mapping "
        "and one dealt at random with the same sizes, both losses and what is left of sales by "
        "category and month, best sellers, baskets, the next category, and RFM."
    )
    examples: ClassVar = (
        "tokumei categories study --format pws2018 --data T.csv --by prefix:2 --by prefix:3 --k 6",
    )

    by: list[str] = option(
        "a mapping file, keywords, prefix:N or co-purchase:N; repeat for several", default=[]
    )
    items: str | None = items_option()
    k: int = option("k", default=6, least=2)
    method: str = option("the anonymizer", default="rank-match")
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """A line per mapping."""
        from tokumei.histories.category_mapping_study import study_categories
        from tokumei.histories.services.read import choose_item_categories

        if not self.by:
            raise UsageError("--by is needed")
        read = self.read()
        requests = {by: self.category_request(by, self.items, self.seed) for by in self.by}
        mappings = {
            by: choose_item_categories(read.history, mapping_source)
            for by, mapping_source in requests.items()
        }
        study_lines = study_categories(
            read.history, mappings, k=self.k, method=self.method, seed=self.seed
        )
        data = [line.as_json() for line in study_lines]
        return CommandResult(
            data, [_study_table(study_lines, self.k), HONEST_LOSS_NOTE], read.notes
        )


def _study_table(study_lines: Sequence[CategoryStudyLine], k: int) -> TextTable:
    rows = []
    for line in study_lines:
        losses = [f"{line.categories:,}", f"{line.contest_loss:.4f}", f"{line.honest_loss:.4f}"]
        analyses = [f"{line.month_error:.2f}", f"{line.top_kept:.0%}", f"{line.basket_f1:.2f}"]
        following = f"{line.next_original:.1%} → {line.next_released:.1%}"
        rows.append([line.name, *losses, *analyses, following, f"{line.rfm:.4f}"])
    names: list[Message | str] = [Message("mapping"), Message("categories")]
    names += [Message("contest loss"), Message("honest loss")]
    names += [Message("error by month"), Message("top 20 kept")]
    names += [Message("baskets F1"), Message("next category"), "RFM"]
    return TextTable(Message("Categories, k = {k}", k=k), names, rows)
