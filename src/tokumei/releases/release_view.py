"""What `tokumei release` says: the verdict, what leaves, what was taken for granted, what helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokumei.assessment.text_view import verdict_sentence
from tokumei.assessment.verdict import UNIT_WORDS
from tokumei.core.command import TextTable
from tokumei.core.formatting import format_percent
from tokumei.core.message_lines import indent_message
from tokumei.core.messages import Message, as_sentence, join_messages
from tokumei.releases.release_folder import ReleaseFolder
from tokumei.releases.release_table import PreparedRelease
from tokumei.releases.trial import POOR
from tokumei.tables.advice.choose_k import shorten_names

SHOWN = 6
MAX_CANDIDATES = 5


def build_document(
    prepared: PreparedRelease, *, anyway: str | None = None, files: Mapping[str, str] | None = None
) -> dict[str, object]:
    """The assessment with questions, dropped columns and candidates, as plain data."""
    document: dict[str, object] = {
        **prepared.assessment.to_dict(),
        "questions": [question.to_dict() for question in prepared.questions],
        "dropped": [column.to_dict() for column in prepared.decisions.dropped],
        "candidates": [trial.to_dict() for trial in prepared.trials],
        "anyway": anyway,
    }
    return document if files is None else {**document, "files": dict(files)}


def describe_release(
    prepared: PreparedRelease, written: ReleaseFolder | None
) -> list[TextTable | Message]:
    """What is printed, the verdict first."""
    assessment, decisions = prepared.assessment, prepared.decisions
    parts: list[TextTable | Message] = [verdict_sentence(assessment)]
    if assessment.kept is not None:
        parts.append(
            Message(
                "Information kept: {kept:percent}, of {total:,} {unit} in {rows:,} rows.",
                kept=assessment.kept,
                total=assessment.total,
                unit=UNIT_WORDS[assessment.unit],
                rows=assessment.rows,
            )
        )
    parts += _describe_columns(prepared)
    parts += _describe_losses(prepared)
    if decisions.dropped:
        dropped = shorten_names([item.column for item in decisions.dropped], SHOWN)
        parts.append(Message("Dropped: {columns}.", columns=dropped))
    if prepared.questions:
        parts += _describe_questions(prepared)
    if not prepared.fits:
        parts += _describe_candidates(prepared)
    if written is None:
        parts.append(Message("Nothing is written."))
    else:
        parts += _list_files(written)
    return parts


def _describe_columns(prepared: PreparedRelease) -> list[Message]:
    """What the recipient is taken to know, and what it is known by besides."""
    known = prepared.decisions.known
    if prepared.request.recipient == "public":
        return []
    if not known.columns:
        return [Message("Taken as known of a person: nothing. No column is made coarser.")]
    parts = [
        Message(
            "Taken as known of a person: {columns}. These are coarser where that is needed, "
            "everything else is exact.",
            columns=shorten_names(known.columns, 2 * SHOWN),
        )
    ]
    if known.derived:
        pairs = [
            Message("{column} (follows from {source})", column=column, source=source)
            for column, source in known.derived.items()
        ]
        parts.append(
            Message("Known with them: {columns}.", columns=join_messages(pairs[: 2 * SHOWN]))
        )
    return parts


def _describe_losses(prepared: PreparedRelease) -> list[Message]:
    """Which columns lost so much that their owner must hear of it, and what would help."""
    best = prepared.best
    parts = list[Message]()
    if best.empty_columns:
        parts.append(
            Message(
                "Empty in more than half of the rows: {columns}. So few people share them with "
                "the other known columns; drop one of these ({drop}), or say that the recipient "
                "does not know it ({knows}).",
                columns=shorten_names(best.empty_columns, SHOWN),
                drop="--id",
                knows="--knows",
            )
        )
    if prepared.assessment.kept is not None and prepared.assessment.kept < POOR:
        parts.append(
            Message(
                "Much information is lost, most of it in: {columns}.",
                columns=join_messages(best.gives_up[:SHOWN]),
            )
        )
    return parts


def _describe_questions(prepared: PreparedRelease) -> list[Message]:
    """Each question, what was taken for the answer, and the options that answer otherwise."""
    parts = [Message("Only you can answer this; without an answer the safe choice is taken:")]
    for question in prepared.questions:
        parts.append(
            indent_message(
                Message(
                    "{question} Taken: {taken}.", question=question.text, taken=question.default
                )
            )
        )
        parts += [
            Message.verbatim(f"    {option}")
            for option in question.options
            if option != question.taken or len(question.options) == 1
        ]
    return parts


def _describe_candidates(prepared: PreparedRelease) -> list[TextTable | Message]:
    rows = [
        (
            f"{trial.request.method}, k = {trial.request.k}" if trial.request.k else "–",
            as_sentence(trial.verdict.reason).show(),
            "–" if trial.kept is None else format_percent(trial.kept),
            join_messages(trial.gives_up[:SHOWN]).show(),
        )
        for trial in prepared.trials[:MAX_CANDIDATES]
    ]
    header: Sequence[Message | str] = [
        "",
        Message("verdict"),
        Message("kept", context="of information"),
        Message("gives up"),
    ]
    title = Message("The nearest candidates")
    parts: list[TextTable | Message] = [TextTable(title, header, list(dict.fromkeys(rows)))]
    if prepared.assessment.remedy_note is not None:
        parts.append(as_sentence(prepared.assessment.remedy_note))
    parts += [
        Message("It would fit after this: {change}.", change=remedy.what)
        for remedy in prepared.assessment.remedies
        if remedy.verdict == "fits"
    ][:SHOWN]
    return parts


def _list_files(written: ReleaseFolder) -> list[Message]:
    words = {
        "release": Message("for the recipient, with its manifest"),
        "assessment": Message("the assessment, for your records"),
        "report": Message("the report, for your records"),
        "recipe": Message("makes the same release again (tokumei run)"),
        "link": Message("secret: which row is whose; the key is next to it"),
    }
    lines = [
        indent_message(Message("{path}: {meaning}", path=path, meaning=words[key]))
        for key, path in written.files.items()
    ]
    return [Message("Written:"), *lines]
