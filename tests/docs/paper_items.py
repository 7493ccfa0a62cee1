"""Writes the generated part of docs/papers-items.md: every block of every paper with its verdicts.

python -m docs.paper_items ../../shared/data        # from tests/, with the folder of real data
"""

from __future__ import annotations

import sys
from pathlib import Path

from tokumei.apps.papers.block_text import count_verdicts, describe_block
from tokumei.apps.papers.comparison import ComparedBlock
from tokumei.apps.papers.published_values import PAPER_NUMBERS
from tokumei.apps.papers.reproduction import PaperRun, run_paper
from tokumei.apps.papers.verdicts import VERDICT_LABELS, VERDICT_ORDER
from tokumei.core.language import language_context

PAGE = Path(__file__).parents[2] / "docs" / "papers-items.md"
HEADER = "| Item | Verdict of its lines | Not computed, or differs, because |"
START, END = "<!-- generated: python -m docs.paper_items -->", "<!-- end of what is generated -->"


def item_lines(folder: Path) -> list[str]:
    """The tables of all papers, computed now."""
    with language_context("en"):
        runs = [run_paper(number, folder=folder) for number in PAPER_NUMBERS]
        lines = [*_count_lines(runs)]
        for run in runs:
            lines += ["", f"### {run.book.number}: {run.book.title.show('en')}", ""]
            lines += [
                "| Item | Verdict of its lines | Not computed, or differs, because |",
                "|---|---|---|",
            ]
            lines += [_item_line(block) for block in run.blocks]
    return lines


def _count_lines(runs: list[PaperRun]) -> list[str]:
    names = [VERDICT_LABELS[verdict].show("en") for verdict in reversed(VERDICT_ORDER)]
    lines = ["| Paper | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for run in runs:
        counts = [str(run.counts[verdict] or "") for verdict in reversed(VERDICT_ORDER)]
        lines.append(f"| {run.book.number} | " + " | ".join(counts) + " |")
    return lines


def _item_line(block: ComparedBlock) -> str:
    verdicts = ", ".join(
        f"{VERDICT_LABELS[verdict].show('en')}: {count}" for verdict, count in count_verdicts(block)
    )
    reasons = [message for line in block.lines for message in line.explanations]
    reasons += [block.why] if block.why is not None else []
    shown = " ".join(dict.fromkeys(reason.show("en") for reason in reasons)).replace("|", "\\|")
    name = f"{describe_block(block).show('en')} (`--table {block.printed.id}`)"
    return f"| {name} | {verdicts} | {shown} |"


def page_with(lines: list[str]) -> str:
    """The page as it stands, with these lines between its marks."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    return before + "\n".join([START, "", *lines, "", END]) + after


if __name__ == "__main__":
    PAGE.write_text(page_with(item_lines(Path(sys.argv[1]))), encoding="utf-8")
