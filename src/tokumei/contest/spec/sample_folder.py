"""A contest to begin with: a commented contest.yaml and generated data that runs at once.

write_sample("spring", preset="pws2017")
write_sample("spring", preset="table", rows=500, phases=[Phase(kind="anonymize", …)])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tokumei.contest.spec.folder import FILE, parse_contest
from tokumei.contest.spec.formats import contest_format
from tokumei.contest.spec.model import Kind, Phase, Words
from tokumei.contest.spec.preset import preset
from tokumei.contest.spec.sample_text import contest_yaml
from tokumei.core.errors import OutputError
from tokumei.core.judging import SampleData, Terms
from tokumei.files.atomic import Output, write_all
from tokumei.files.containers import AnyPath, Format, load_bytes
from tokumei.files.writing import text_output

PHASE = timedelta(days=14)


def write_sample(
    folder: AnyPath,
    *,
    preset: str = "pws2017",
    rows: int | None = None,
    customers: int | None = None,
    seed: int = 1,
    phases: Sequence[Phase] | None = None,
    slug: str = "sample",
    title: Words | None = None,
    data: Mapping[str, AnyPath] | None = None,
    schema: Mapping[str, Sequence[str]] | None = None,
) -> Path:
    """Write the folder (it must not hold a contest already); the path of its contest.yaml.

    With `data` (key → file) these files are copied and nothing is generated; a table then needs
    its `schema` (qi, sa, id). Without phases: two weeks to anonymize from now on, then two weeks
    to attack.
    """
    place = Path(folder)
    _require_new(place / FILE)
    made = _given(data, schema) if data else _generated(preset, rows, customers, seed)
    text = contest_yaml(
        preset=preset,
        slug=slug,
        title=title or Words(en="A sample contest", ja="コンテストの見本"),
        data={key: str(output.path) for key, output in made.files.items()},
        schema=made.schema,
        phases=phases or _two_weeks_each(datetime.now(UTC)),
    )
    parse_contest(text)
    place.mkdir(parents=True, exist_ok=True)
    outputs = [Output(place / one.path, one.write) for one in made.files.values()]
    write_all([*outputs, text_output(text, place / FILE)])
    return place / FILE


def _require_new(path: Path) -> None:
    if path.exists():
        raise OutputError(
            f"{path}: there is a contest already", f"{path}: すでにコンテストがあります"
        )


def _two_weeks_each(now: datetime) -> list[Phase]:
    start = now.replace(microsecond=0)
    return [
        Phase(kind=Kind.ANONYMIZE, starts=start, ends=start + PHASE),
        Phase(kind=Kind.ATTACK, starts=start + PHASE, ends=start + 2 * PHASE),
    ]


def _given(data: Mapping[str, AnyPath], schema: Mapping[str, Sequence[str]] | None) -> SampleData:
    files = {key: _copy(Path(path)) for key, path in data.items()}
    return SampleData(files, {role: names for role, names in (schema or {}).items() if names})


def _copy(path: Path) -> Output:
    content = load_bytes(path, Format.CSV)
    return Output(path.name, lambda stream: stream.write(content))


def _generated(name: str, rows: int | None, customers: int | None, seed: int) -> SampleData:
    plain = preset(name)
    form = contest_format(plain["format"])
    terms = Terms(form.kind, form.name, {}, None, plain.get("knowledge", ()))
    return form.judge.sample(terms, rows=rows, customers=customers, seed=seed)
