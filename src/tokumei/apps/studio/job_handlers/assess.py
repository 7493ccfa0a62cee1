"""The jobs `assess`, `audit` and `ledger`: measure the disclosure risk of one candidate.

`assess` judges it under the scenario and measures remedies, `audit` holds people out, and `ledger`
checks the candidate together with earlier releases. The recipe's `ledger:` calls the same functions
again when the release leaves: the result shown here may be old by then.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from tokumei.apps.studio.command_equivalents import recipe_ledger
from tokumei.apps.studio.job_handlers.advise import candidate_request, open_project
from tokumei.apps.studio.job_handlers.assess_release import assess_release
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import utc_now
from tokumei.apps.studio.store.records import JobArguments, PlainData
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.yaml_models import validate_model

if TYPE_CHECKING:
    from tokumei.apps.studio.jobs.worker import ProgressWriter
    from tokumei.ledger.joint_risk import Check

ASSESSING_MESSAGE = Message("assessing")
AUDITING_MESSAGE = Message("auditing with people held out")
CHECKING_MESSAGE = Message("checking with earlier releases")


def assess_candidate(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Assess the release of a candidate with everything, remedies included."""
    state, _, adapter, source = open_project(project)
    request = candidate_request(project, args["id"])
    with progress_bar(ASSESSING_MESSAGE, None):
        release = adapter.adviser(source, project, state).release(request)
        assess_release(project, state, adapter, source, release, args["id"], remedies=True)


def audit_candidate(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Hold people out, make the release from the others, and attack it with both."""
    state, _, kind, source = open_project(project)
    with progress_bar(AUDITING_MESSAGE, None):
        audit_result = kind.audited(source, project, state, candidate_request(project, args["id"]))
    project.write_result(f"audits/{args['id']}", audit_result)


def check_candidate(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Check the release of a candidate as if it left now; nothing is recorded."""
    from tokumei.kinds import kind_of
    from tokumei.ledger.recipe_section import LedgerSpec, RecipeLedger

    state, _, kind, source = open_project(project)
    spec = validate_model(LedgerSpec, recipe_ledger(state)["ledger"], "ledger")
    with progress_bar(CHECKING_MESSAGE, None):
        adviser = kind.adviser(source, project, state)
        # A key of its own, as the release will have: rows are not put in the order of candidates.
        key = secrets.randbits(256) | 1 << 255
        release = adviser.release(candidate_request(project, args["id"]), seed=key)
        rows = kind.rows(source, release)
        watch = RecipeLedger.of(spec, kind_of(rows), {spec.release or "": release}, rows, spec.id)
        (check_result,) = watch.required().values()
    project.write_result(
        f"joint/{args['id']}", {"inputs": state.inputs("joint"), **check_to_json(check_result)}
    )


def check_to_json(check: Check) -> PlainData:
    """The check as a page shows it: no person, no value."""
    from tokumei.ledger.check_messages import (
        describe_linked_risk,
        describe_unlinked_risk,
        describe_verdict,
    )
    from tokumei.ledger.ledger_page import describe_added_risk, risk_level

    added_message = describe_added_risk(check)
    linked_entries = [item for item in check.entries if item.linked]  # of which the growth tells
    entries = [
        {"name": item.name, "recipient": item.recipient, "made": item.made, "k": item.k,
         "people": item.people, "below": step.anyone.below_people, "of": step.anyone.people}
        for item, step in zip(linked_entries, check.growth, strict=True)
    ]  # fmt: skip
    return {
        "checked": utc_now(),
        "level": risk_level(check).value,
        "verdict": describe_verdict(check).texts() if len(check.entries) > 1 else None,
        "added": None if added_message is None else added_message.texts(),
        "faults": [fault.message.texts() for fault in check.faults],
        "entries": entries,
        "k": check.k,
        "words": [
            message.texts()
            for message in (*describe_linked_risk(check), *describe_unlinked_risk(check))
        ],
        "linkage": [[bool(item.linked), item.sentence.texts()] for item in check.linkage],
        "notes": [note.texts() for note in check.notes],
    }
