"""The job `ledger`: what a candidate would say together with what was released before.

It asks the very functions that `ledger:` of a recipe asks when the release leaves, which asks them
again: what is shown here may be old by then.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.core.yaml_models import validated
from tokumei.studio.recipes import ledger_part
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import now
from tokumei.studio.tasks.parts import opened
from tokumei.studio.tasks.preview import candidate_request

if TYPE_CHECKING:
    from tokumei.ledger.check import Check
    from tokumei.studio.jobs.child import Teller

CHECKING = Text("checking with earlier releases", "これまでの公開と突き合わせています")


def check_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Check the release of a candidate as if it left now; nothing is recorded."""
    from tokumei.kinds import kind_of
    from tokumei.ledger.recipe import LedgerSpec, Watch

    state, _, kind, source = opened(project)
    spec = validated(LedgerSpec, ledger_part(state)["ledger"], "ledger")
    with meter(CHECKING, None):
        adviser = kind.adviser(source, project, state)
        # A key of its own, as the release will have: rows are not put in the order of candidates.
        release = adviser.release(candidate_request(project, args["id"]), seed=_key())
        watch = Watch.of(spec, kind_of(source), {spec.release or "": release}, source, spec.id)
        (found,) = watch.required().values()
    project.write_result(f"joint/{args['id']}", {"inputs": state.inputs("joint"), **told(found)})


def _key() -> int:
    return secrets.randbits(256) | 1 << 255


def told(found: Check) -> dict[str, Any]:
    """The check as a page shows it: no person, no value."""
    from tokumei.ledger.page import added, level
    from tokumei.ledger.words import linked_words, unlinked_words, verdict

    more = added(found)
    entries = [
        {"name": one.name, "recipient": one.recipient, "made": one.made, "k": one.k,
         "people": one.people, "below": step.anyone.below_people, "of": step.anyone.people}
        for one, step in zip(_stepped(found), found.growth, strict=True)
    ]  # fmt: skip
    return {
        "checked": now(),
        "level": level(found).value,
        "verdict": list(verdict(found)) if len(found.entries) > 1 else None,
        "added": None if more is None else list(more),
        "faults": [list(one.message) for one in found.faults],
        "entries": entries,
        "k": found.k,
        "words": [list(one) for one in (*linked_words(found), *unlinked_words(found))],
        "linkage": [[bool(one.linked), list(one.sentence)] for one in found.linkage],
        "notes": [list(one) for one in found.notes],
    }


def _stepped(found: Check) -> list[Any]:
    """The releases that the growth of the joint risk tells of: those whose link is known."""
    return [one for one in found.entries if one.linked]
