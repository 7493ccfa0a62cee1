"""What one candidate gives away: the jobs `attack` (the whole suite, what would help), `audit`
and `ledger` (what it would say together with what was released before).

The last asks the very functions that `ledger:` of a recipe asks when the release leaves, which asks
them again: what is shown here may be old by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound
from tokumei.studio.store.project import Project
from tokumei.studio.tasks.advise import Log, candidate_of, candidate_request, opened

if TYPE_CHECKING:
    from tokumei.studio.jobs.child import Teller
import secrets
from typing import TYPE_CHECKING

from tokumei.core.yaml_models import validated
from tokumei.studio.recipes import ledger_part
from tokumei.studio.store.state import now

if TYPE_CHECKING:
    from tokumei.ledger.check import Check
    from tokumei.studio.jobs.child import Teller

ATTACKING = Text("attacking", "攻撃しています")
AUDITING = Text("auditing with people held out", "対照を取り分けて監査しています")
CHECKING = Text("checking with earlier releases", "これまでの公開と突き合わせています")
HELPING = Text("looking for what would help", "改善案を探しています")


def attack_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Attack the release of a candidate; then try what comes near it and is safer."""
    state, _, parts, source = opened(project)
    found = project.result(f"candidates/{args['id']}")
    if found is None:
        raise NotFound
    candidate = candidate_of(found)
    adviser = parts.adviser(source, project, state)
    adviser.found.update({one["id"]: candidate_of(one) for one in project.results("candidates")})
    with meter(ATTACKING, None):
        release = adviser.release(candidate.request)
    told = parts.attacked(source, release)
    name = f"attacks/{candidate.id}"
    project.write_result(name, {**told, "helps": None})
    teller.fresh()
    teller.progress(None, HELPING)
    helps = list[str]()
    log = Log(project, state, adviser, len(adviser.found))
    for one in adviser.near(candidate, "safer", seconds=float(args["seconds"])):
        helps += [] if one.id in helps else [one.id]
        log.write()
    project.write_result(name, {**told, "helps": helps})


def audit_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Hold people out, make the release from the others, and attack it with both."""
    state, _, kind, source = opened(project)
    with meter(AUDITING, None):
        told = kind.audited(source, project, state, candidate_request(project, args["id"]))
    project.write_result(f"audits/{args['id']}", told)


def check_candidate(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Check the release of a candidate as if it left now; nothing is recorded."""
    from tokumei.kinds import kind_of
    from tokumei.ledger.recipe import LedgerSpec, Watch

    state, _, kind, source = opened(project)
    spec = validated(LedgerSpec, ledger_part(state)["ledger"], "ledger")
    with meter(CHECKING, None):
        adviser = kind.adviser(source, project, state)
        # A key of its own, as the release will have: rows are not put in the order of candidates.
        key = secrets.randbits(256) | 1 << 255
        release = adviser.release(candidate_request(project, args["id"]), seed=key)
        rows = kind.rows(source, release)
        watch = Watch.of(spec, kind_of(rows), {spec.release or "": release}, rows, spec.id)
        (found,) = watch.required().values()
    project.write_result(f"joint/{args['id']}", {"inputs": state.inputs("joint"), **told(found)})


def told(found: Check) -> dict[str, Any]:
    """The check as a page shows it: no person, no value."""
    from tokumei.ledger.page import added, level
    from tokumei.ledger.words import linked_words, unlinked_words, verdict

    more = added(found)
    stepped = [one for one in found.entries if one.linked]  # of which the growth tells
    entries = [
        {"name": one.name, "recipient": one.recipient, "made": one.made, "k": one.k,
         "people": one.people, "below": step.anyone.below_people, "of": step.anyone.people}
        for one, step in zip(stepped, found.growth, strict=True)
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
