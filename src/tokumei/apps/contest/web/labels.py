"""Labels of states, phases and job types."""

from __future__ import annotations

from typing import NamedTuple

from tokumei.core.messages import Message


class StateLabel(NamedTuple):
    """A state's name, its colour, and what it means."""

    name: Message
    kind: str
    meaning: Message


STATES = {
    "received": StateLabel(
        Message("Received"),
        "busy",
        Message("Your file is stored. It will be checked and judged in turn."),
    ),
    "queued": StateLabel(
        Message("In the queue"), "busy", Message("No rule is broken. It is waiting to be judged.")
    ),
    "running": StateLabel(Message("Being judged"), "busy", Message("It is being judged.")),
    "scored": StateLabel(Message("Scored"), "good", Message("The figures are below.")),
    "rejected": StateLabel(
        Message("Rejected"),
        "bad",
        Message("The file breaks rules, so it was not judged and costs no submission."),
    ),
    "failed": StateLabel(
        Message("Failed"),
        "bad",
        Message(
            "The system could not judge it. This costs no submission; the organiser can see why."
        ),
    ),
    "cancelled": StateLabel(
        Message("Cancelled"),
        "",
        Message("Your team took it back before it was judged. It costs no submission."),
    ),
    "withdrawn": StateLabel(
        Message("Withdrawn"), "mid", Message("The organiser took it out of the contest.")
    ),
}
PHASES = {
    "anonymize": Message("Anonymize", context="a phase"),
    "attack": Message("Attack", context="a phase"),
}
PHASE_TASKS = {
    "anonymize": Message(
        "Teams upload anonymized versions of the data and choose which to publish."
    ),
    "attack": Message(
        "Teams download each other's published releases and try to find the people in them."
    ),
}
CONTEST_STATES = {
    "coming": StateLabel(Message("Not started"), "", Message.verbatim("")),
    "anonymize": StateLabel(Message("Anonymizing now"), "good", Message.verbatim("")),
    "attack": StateLabel(Message("Attacking now"), "good", Message.verbatim("")),
    "between": StateLabel(Message("Between phases"), "mid", Message.verbatim("")),
    "over": StateLabel(Message("Finished"), "", Message.verbatim("")),
}
KINDS = {"release": Message("Release"), "attack": Message("Attack")}
JOBS = {
    "judge": Message("Judge a release"),
    "attack": Message("Judge an attack"),
    "rejudge": Message("Judge again"),
    "recheck": Message("Check rules again"),
}
JOB_STATES = {
    "queued": Message("waiting"),
    "running": Message("running"),
    "done": Message("done"),
    "failed": Message("failed"),
    "cancelled": Message("cancelled"),
}
INVITES = {
    "register": Message("Register"),
    "team": Message("Join a team"),
    "organiser": Message("Organise"),
}
FEEDBACK = {
    "exact": Message("exact, at once"),
    "banded": Message("as a band, at once"),
    "delayed": Message("when the phase ends"),
}
LEADERBOARD_VISIBILITY = {
    "always": Message("always"),
    "after-phase": Message("when the phase ends"),
    "after-contest": Message("when the contest ends"),
}
QUOTAS = {
    "submissions": Message("Submissions in all"),
    "submissions_per_day": Message("Submissions in 24 hours"),
    "uploads_per_hour": Message("Uploads in an hour, rejected ones too"),
    "rejected_per_hour": Message("Rejected uploads in an hour"),
    "published": Message("Published releases"),
    "attempts_per_target": Message("Attempts per target"),
    "megabytes": Message("Megabytes per file"),
    "members": Message("Members"),
}
REGISTRATION = {
    "open": Message("open", context="who may register"),
    "invite": Message("with a code"),
}
SETTING_CHOICES = {
    "feedback": FEEDBACK,
    "leaderboard": LEADERBOARD_VISIBILITY,
    "registration": REGISTRATION,
}
"""The words of settings that are chosen from a few."""
STAGES = {
    "draft": Message("a draft: only organisers see it"),
    "open": Message("open"),
    "archived": Message("archived: nothing more is taken"),
}
SETTING_LABELS = {
    "title.en": Message("Title (English)"),
    "title.ja": Message("Title (Japanese)"),
    "about.en": Message("Text (English)"),
    "about.ja": Message("Text (Japanese)"),
    "feedback": Message("What attackers learn"),
    "leaderboard": Message("Scores shown to others"),
    "registration": Message("Registration"),
}
