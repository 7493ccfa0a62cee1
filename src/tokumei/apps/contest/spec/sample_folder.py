"""Creates a new contest folder: a commented contest.yaml and generated data.

write_sample("spring", preset="pws2017")
write_sample("spring", preset="table", rows=500, phases=[Phase(kind="anonymize", …)])
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

from tokumei.apps.contest.spec.folder import CONTEST_FILE, parse_contest
from tokumei.apps.contest.spec.formats import find_contest_format, load_preset
from tokumei.apps.contest.spec.model import LocalizedText, Phase, PhaseType, Quotas
from tokumei.core.errors import OutputError
from tokumei.core.format_judge import ContestTerms, SampleData
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output, write_all
from tokumei.files.file_formats import AnyPath, FileFormat, load_bytes
from tokumei.files.writing import text_output

PHASE_LENGTH = timedelta(days=14)
COMMENTS = {
    "about_file": Message("A contest. All fields: docs/contest-file.md"),
    "check": Message("Check it: {command}", command="tokumei contest check . --release A.csv"),
    "about_slug": Message("the contest's address on the server"),
    "about_data": Message("Files in the same folder"),
    "about_phases": Message(
        "Uploads of a kind are taken from `starts` until just before `ends`; times need a zone"
    ),
    "about_quotas": Message("Per team"),
    "about_feedback": Message(
        "What an attacker learns at once: exact, banded or delayed (until the phase ends)"
    ),
    "about_leaderboard": Message("When others see figures: always, after-phase or after-contest"),
    "about_registration": Message("Who may register: open (anybody) or invite (with a code)"),
    "about_preset": Message("Everything below is the preset's; write it out to change it"),
    "about_extra": Message("your own rules, measures and attacks"),
    "about_attacks": Message("every attack of the library"),
}
ABOUT_SCHEMA = Message("What the columns mean")
SAMPLE_TITLE = Message("A sample contest")


def format_contest_yaml(
    *,
    preset: str,
    slug: str,
    title: LocalizedText,
    data: Mapping[str, object],
    schema: Mapping[str, Sequence[str]],
    phases: Sequence[Phase],
) -> str:
    """The file, with comments in the language in force; words are quoted as JSON, which is YAML."""
    quotas = Quotas()
    quota_names = (
        "submissions",
        "submissions_per_day",
        "published",
        "attempts_per_target",
        "megabytes",
    )
    template = files(__package__).joinpath("sample_contest.yaml").read_text(encoding="utf-8")
    return template.format(
        preset=preset,
        slug=slug,
        title_en=_quote_yaml(title.en),
        title_ja=_quote_yaml(title.ja),
        data="\n".join(f"  {key}: {name}" for key, name in data.items()),
        schema=_format_schema(schema),
        phases="\n".join(map(_format_phase, phases)),
        quotas="\n".join(f"  {name}: {getattr(quotas, name)}" for name in quota_names),
        **{name: comment.show() for name, comment in COMMENTS.items()},
    )


def _format_schema(schema: Mapping[str, Sequence[str]]) -> str:
    if not schema:
        return ""
    lines = [f"  {role}: [{', '.join(map(_quote_yaml, names))}]" for role, names in schema.items()]
    return "\n".join([f"# {ABOUT_SCHEMA}", "schema:", *lines, ""])


def _format_phase(phase: Phase) -> str:
    starts, ends = phase.starts.isoformat(), phase.ends.isoformat()
    return f'  - {{kind: {phase.kind}, starts: "{starts}", ends: "{ends}"}}'


def _quote_yaml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def write_sample_contest(
    folder: AnyPath,
    *,
    preset: str = "pws2017",
    rows: int | None = None,
    customers: int | None = None,
    seed: int = 1,
    phases: Sequence[Phase] | None = None,
    slug: str = "sample",
    title: LocalizedText | None = None,
    data: Mapping[str, AnyPath] | None = None,
    schema: Mapping[str, Sequence[str]] | None = None,
    made: SampleData | None = None,
) -> Path:
    """Write the folder (it must not hold a contest already); the path of its contest.yaml.

    With `data` (key → file) these files are copied and nothing is generated; a table then needs
    its `schema` (qi, sa, id). `made` is data that was made elsewhere. Without phases: two weeks to
    anonymize from now on, then two weeks to attack.
    """
    target = Path(folder)
    if (target / CONTEST_FILE).exists():
        existing = target / CONTEST_FILE
        raise OutputError("{existing}: there is a contest already", existing=existing)
    sample = made or (
        _copied_data(data, schema) if data else _generated_data(preset, rows, customers, seed)
    )
    text = format_contest_yaml(
        preset=preset,
        slug=slug,
        title=title or LocalizedText.of(SAMPLE_TITLE),
        data={key: str(output.path) for key, output in sample.files.items()},
        schema=sample.schema,
        phases=phases or two_phases(datetime.now(UTC)),
    )
    parse_contest(text)
    target.mkdir(parents=True, exist_ok=True)
    outputs = [
        Output(target / data_output.path, data_output.write)
        for data_output in sample.files.values()
    ]
    write_all([*outputs, text_output(text, target / CONTEST_FILE)])
    return target / CONTEST_FILE


def two_phases(now: datetime) -> list[Phase]:
    """Two weeks to anonymize, then two weeks to attack."""
    start = now.replace(microsecond=0)
    return [
        Phase(kind=PhaseType.ANONYMIZE, starts=start, ends=start + PHASE_LENGTH),
        Phase(kind=PhaseType.ATTACK, starts=start + PHASE_LENGTH, ends=start + 2 * PHASE_LENGTH),
    ]


def _copied_data(
    data: Mapping[str, AnyPath], schema: Mapping[str, Sequence[str]] | None
) -> SampleData:
    files = {key: _copy_output(Path(path)) for key, path in data.items()}
    return SampleData(files, {role: names for role, names in (schema or {}).items() if names})


def _copy_output(path: Path) -> Output:
    content = load_bytes(path, FileFormat.CSV)
    return Output(path.name, lambda stream: stream.write(content))


def _generated_data(name: str, rows: int | None, customers: int | None, seed: int) -> SampleData:
    form = find_contest_format(load_preset(name)["format"])
    terms = preset_terms(name)
    return form.judge.sample(terms, rows=rows, customers=customers, seed=seed)


def preset_terms(name: str) -> ContestTerms:
    """What a preset says of a contest's data, which is not there yet."""
    preset_values = load_preset(name)
    form = find_contest_format(preset_values["format"])
    return ContestTerms(form.kind, form.name, {}, None, preset_values.get("knowledge", ()))
