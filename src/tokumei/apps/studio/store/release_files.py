"""Lists the files of a release: who may read each, which are public and which secret.

listed(folder)            # [{"path": "releases/01-release.csv", "reader": "publish", …}, …]
"""

from __future__ import annotations

from pathlib import Path

from tokumei.apps.studio.store.records import FileRecord, SentenceTexts
from tokumei.core.catalogs import available_languages
from tokumei.core.language import Language, language_context
from tokumei.core.messages import Message, join_sentences

READER_LABELS = {
    "publish": Message("The release itself"),
    "records": Message("For your records"),
    "secret": Message("Keep secret"),
}
_FILE_DESCRIPTIONS = (
    ("releases/*.manifest.json", "publish", Message("claims and methods, to go with the data")),
    ("releases/*", "publish", Message("the released data")),
    ("upload/*", "secret", Message("only for the contest's server: it shows who is who")),
    ("secret/released-anyway.json", "secret", Message("why it was released anyway")),
    ("secret/*.key", "secret", Message("the key that repeats this release")),
    ("secret/*.provenance.json", "secret", Message("seed and hash of the source")),
    ("secret/*", "secret", Message("which released row is whose")),
    ("assessment.html", "records", Message("the verdict with its evidence: read this first")),
    ("assessment.json", "records", Message("the verdict, and all figures it rests on")),
    ("report.html", "records", Message("figures, attacks and what was done")),
    ("conformity.html", "records", Message("evidence for each item of the law")),
    ("recipe.yaml", "records", Message("repeats everything, with the key")),
    ("hierarchies/*", "records", Message("groups of values")),
    ("README.md", "records", Message("what this folder holds")),
    ("*", "records", Message("figures")),
)


def list_release_files(folder: Path) -> list[FileRecord]:
    """Every file with its reader, those to be given out first."""
    files = [_describe_file(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    order = list(READER_LABELS)
    return sorted(files, key=lambda entry: (order.index(entry["reader"]), entry["path"]))


def _describe_file(path: Path, folder: Path) -> FileRecord:
    name = path.relative_to(folder)
    for pattern, reader, about in _FILE_DESCRIPTIONS:
        if name.match(pattern):
            return {
                "path": str(name),
                "reader": reader,
                "about": about.texts(),
                "size": path.stat().st_size,
            }
    raise AssertionError("the last pattern takes every name")


README_SECTIONS = (
    (
        READER_LABELS["publish"],
        Message("`releases/`. Nothing else in this folder leaves your hands."),
    ),
    (
        Message("What must stay secret"),
        Message(
            "`secret/`: who is behind which row, and the key. Whoever has one of them can undo the "
            "release."
        ),
    ),
    (
        READER_LABELS["records"],
        Message(
            "`assessment.json`, `report.html`, `conformity.html`, `recipe.yaml`: the verdict, what "
            "was done, and the evidence. No page here says that a release is lawful; that is for a "
            "person to decide."
        ),
    ),
)
REPEAT_TITLE = Message("The same again")
REPEAT_NOTE = Message(
    "Run this in this folder, with the source where it was: every file that it writes has the same "
    "bytes."
)
LEDGER_NOTE = Message(
    "The recipe uses a ledger: if it is run again, the release is checked again and gets its "
    "own line there."
)


ANYWAY_NOTE = Message("It was released anyway, for this reason: {reason}")


def format_readme(
    name: str,
    lang: Language,
    *,
    verdict: SentenceTexts,
    anyway: str = "",
    recorded: bool = False,
) -> str:
    """The text of the folder's README in every language, that of the release first."""
    languages = [lang, *(other for other in available_languages() if other != lang)]
    command = f"tokumei run recipe.yaml --key secret/release.key --out again --lang {lang}"
    repeat_notes = [REPEAT_NOTE, LEDGER_NOTE] if recorded else [REPEAT_NOTE]
    paragraphs = [f"# {name}"]
    for language in languages:
        with language_context(language):
            paragraphs.append(f"**{Message.of_texts(verdict)}**")
            paragraphs += [str(ANYWAY_NOTE.fill(reason=anyway))] if anyway else []
            paragraphs += [f"## {title}\n\n{text}" for title, text in README_SECTIONS]
            paragraphs += [f"## {REPEAT_TITLE}\n\n    {command}", str(join_sentences(repeat_notes))]
    return "\n\n".join(paragraphs) + "\n"
