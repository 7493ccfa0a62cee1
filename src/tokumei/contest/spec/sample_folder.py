"""A contest to begin with: a commented contest.yaml and generated data that runs at once.

write_sample("spring", preset="pws2017")
write_sample("spring", preset="table", rows=500, phases=[Phase(kind="anonymize", …)])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tokumei.contest.spec.data_files import known_key
from tokumei.contest.spec.folder import FILE, parse_contest
from tokumei.contest.spec.model import Kind, Phase, Words
from tokumei.contest.spec.preset import PRESETS, preset
from tokumei.contest.spec.sample_text import contest_yaml
from tokumei.core.errors import OutputError, UnknownNameError
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.files.atomic import Output, write_all
from tokumei.files.containers import AnyPath, Format, load_bytes
from tokumei.files.contest_text import contest_output
from tokumei.files.writing import frame_output, text_output
from tokumei.histories.data.cell_text import history_text
from tokumei.histories.data.sample import sample_history
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.sample import sample_periods
from tokumei.pseudonyms.formats.pws2017 import master_output, rows_output
from tokumei.tables.sample.households import sample_table

ROWS = {"pws2017": 6_000, "pws2018": 6_000, "table": 1_000}
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
    if preset not in PRESETS:
        raise UnknownNameError(Text("preset", "プリセット"), preset, PRESETS)
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


@dataclass(frozen=True)
class _Made:
    """Data files by their keys, and what the contest says of their columns."""

    files: dict[str, Output]
    schema: Mapping[str, Sequence[str]] = field(default_factory=dict)


def _require_new(path: Path) -> None:
    if path.exists():
        raise OutputError(
            Text(f"{path}: there is a contest already", f"{path}: すでにコンテストがあります")
        )


def _two_weeks_each(now: datetime) -> list[Phase]:
    start = now.replace(microsecond=0)
    return [
        Phase(kind=Kind.ANONYMIZE, starts=start, ends=start + PHASE),
        Phase(kind=Kind.ATTACK, starts=start + PHASE, ends=start + 2 * PHASE),
    ]


def _given(data: Mapping[str, AnyPath], schema: Mapping[str, Sequence[str]] | None) -> _Made:
    files = {key: _copy(Path(path)) for key, path in data.items()}
    return _Made(files, {role: names for role, names in (schema or {}).items() if names})


def _copy(path: Path) -> Output:
    content = load_bytes(path, Format.CSV)
    return Output(path.name, lambda stream: stream.write(content))


def _generated(name: str, rows: int | None, customers: int | None, seed: int) -> _Made:
    rows = rows or ROWS[name]
    if name == "pws2018":
        history = sample_history(rows, customers=customers, seed=seed)
        return _Made({"original": contest_output(history_text(history), "T.csv")})
    if name == "table":
        table = sample_table(rows, seed=seed)
        schema = {"qi": table.schema.qi, "sa": table.schema.sa}
        return _Made({"original": frame_output(table.frame, "X.csv")}, schema)
    return _Made(_periods(rows, customers, seed))


def _periods(rows: int, customers: int | None, seed: int) -> dict[str, Output]:
    made = sample_periods(rows, customers=customers, seed=seed)
    files = {
        "original": rows_output(made.rows, "T.csv"),
        "master": master_output(made.master, "M.csv"),
    }
    for alpha in preset("pws2017")["knowledge"]:
        drawn = PartialKnowledge(alpha=alpha, prefix={"item": 2})
        known = drawn.of(made.rows, rng=Randomness(seed))
        files[known_key(alpha)] = rows_output(known, f"T{100 * alpha:g}.csv")
    return files
