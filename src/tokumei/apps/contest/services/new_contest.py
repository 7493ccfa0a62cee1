"""A new contest from a form: no file of one's own is needed, and none is written by hand.

    create_from_plan(place, organiser, NewContestPlan(slug="cup", preset="table", …), folder)

The folder gets what `tokumei contest init` writes: contest.yaml, and data that were dropped or are
generated. The contest begins as a draft, so that the organiser sees every page as members will.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import yaml

from tokumei.apps.contest.services.contests import create_contest
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.contest.spec.folder import CONTEST_FILE
from tokumei.apps.contest.spec.formats import find_contest_format, load_preset
from tokumei.apps.contest.spec.model import LocalizedText, Phase, PhaseType
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message
from tokumei.files.atomic_write import write_all
from tokumei.files.writing import text_output
from tokumei.tables.services.profile import ProfileTableRequest, profile_table

ROLE_BY_FATE = {"generalize": "qi", "protect": "sa", "drop": "id"}
MAX_ROWS = 200_000


@dataclass(frozen=True, kw_only=True)
class NewContestPlan:
    """What an organiser answered; `rows` are generated where no file was dropped."""

    slug: str
    title: str
    about: str = ""
    preset: str
    starts: datetime
    attack_starts: datetime
    ends: datetime
    rows: int | None = None
    data: Path | None = None
    registration: str = "invite"
    feedback: str = "exact"
    leaderboard: str = "always"

    def phases(self) -> list[Phase]:
        """Two phases, one after the other; all that is wrong with them at once."""
        faults = [
            Violation(rule="contest-value", message=message)
            for ends, starts, message in (
                (self.attack_starts, self.starts, ANONYMIZE_ENDS_EARLY),
                (self.ends, self.attack_starts, ATTACK_ENDS_EARLY),
            )
            if ends <= starts
        ]
        if faults:
            raise InputError("the phases cannot be used", faults=faults)
        return [
            Phase(kind=PhaseType.ANONYMIZE, starts=self.starts, ends=self.attack_starts),
            Phase(kind=PhaseType.ATTACK, starts=self.attack_starts, ends=self.ends),
        ]


ANONYMIZE_ENDS_EARLY = Message("attacking must begin after anonymizing began")
ATTACK_ENDS_EARLY = Message("attacking must end after it began")


def create_from_plan(
    context: AppContext, viewer: Viewer, plan: NewContestPlan, folder: Path
) -> ContestView:
    """Write the contest's folder, and make a draft of it."""
    viewer.require_server()
    write_contest(plan, folder)
    return create_contest(context, viewer, folder, draft=True)


def write_contest(plan: NewContestPlan, folder: Path) -> None:
    """contest.yaml and its data in a folder."""
    if plan.rows is not None and plan.rows > MAX_ROWS:
        raise UnprocessableContent("at most {most:,} rows are generated", most=MAX_ROWS)
    phases = plan.phases()
    title = LocalizedText(en=plan.title, ja=plan.title)
    data, schema = _own_data(plan)
    write_sample_contest(
        folder,
        preset=plan.preset,
        rows=plan.rows,
        phases=phases,
        slug=plan.slug,
        title=title,
        data=data,
        schema=schema,
    )
    _write_answers(plan, folder / CONTEST_FILE)


def _own_data(
    plan: NewContestPlan,
) -> tuple[dict[str, str | Path] | None, dict[str, list[str]] | None]:
    """The file that was dropped, and for a table what its columns look like."""
    if plan.data is None:
        return None, None
    form = find_contest_format(load_preset(plan.preset)["format"])
    if form.judge.files != ("original",):
        raise UnprocessableContent(
            "this preset needs several files; generate the data, or bring a zip with contest.yaml"
        )
    if form.kind.name != "tables":
        return {"original": plan.data}, None
    profile = profile_table(ProfileTableRequest(data=str(plan.data)))
    schema: dict[str, list[str]] = {"qi": [], "sa": [], "id": []}
    for column in profile.columns:
        role = "id" if column.identifies else ROLE_BY_FATE.get(column.fate, "id")
        schema[role].append(column.name)
    table = plan.data.with_name("table.csv")  # as it was understood: title lines, encoding, sheet
    profile.source.frame.write_csv(table)
    return {"original": table}, schema


def _write_answers(plan: NewContestPlan, path: Path) -> None:
    """The answers that `contest init` does not ask for; its comments stay."""
    answers = {
        "feedback": plan.feedback,
        "leaderboard": plan.leaderboard,
        "registration": plan.registration,
    }
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        key = line.partition(":")[0]
        lines.append(f"{key}: {answers[key]}" if key in answers else line)
    text = "\n".join(lines) + "\n"
    if plan.about:
        about = yaml.safe_dump(
            {"about": {"en": plan.about, "ja": plan.about}}, allow_unicode=True, sort_keys=False
        )
        text = text.replace('about:\n  en: ""\n  ja: ""\n', about)
    write_all([text_output(text, path)])
