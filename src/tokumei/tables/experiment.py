"""Running a recipe: data → releases → attacks, measures → scorecard, report, files."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import yaml

from tokumei.core.errors import OutputError
from tokumei.core.json_text import as_json_text
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.recipe import Recipe
from tokumei.core.text import Text, current_language
from tokumei.files.atomic import Output, write_all
from tokumei.files.containers import sha256
from tokumei.files.writing import text_output
from tokumei.flow import anonymize
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation, evaluate
from tokumei.tables.releasing.local import release_outputs
from tokumei.tables.report.html import render_report
from tokumei.tables.report.scorecard import scorecard
from tokumei.tables.sample.households import sample_table


@dataclass(frozen=True, eq=False)
class Experiment:
    """A recipe and all it gave."""

    recipe: Recipe
    original: Table
    evaluations: list[Evaluation]


def run_recipe(recipe: Recipe, *, seed: int | None = None) -> Experiment:
    """Make, verify, attack and measure every release; nothing is written."""
    if seed is not None:
        recipe = recipe.model_copy(update={"seed": seed})
    original, digest = load_data(recipe)
    found = []
    for number, spec in enumerate(track(recipe.releases, Text("releases", "匿名加工データ"))):
        release = anonymize(original, spec.steps, seed=_seed(recipe, number), sha256=digest)
        found.append(
            evaluate(
                original,
                release,
                label=spec.name,
                rng=Randomness(recipe.seed).child("evaluate", number),
                cross=recipe.data.cross,
                attacks=list(recipe.attacks),
                measures=list(recipe.measures),
                params=recipe.params,
            )
        )
    return Experiment(recipe, original, found)


def load_data(recipe: Recipe) -> tuple[Table, str | None]:
    """The recipe's table, and the hash of its file."""
    data = recipe.data
    if data.sample is not None:
        seed = data.sample.seed if data.sample.seed is not None else recipe.seed
        made = sample_table(data.sample.rows, seed=seed)
        return Table.of(made, qi=data.qi, sa=data.sa, ids=data.ids, kinds=data.kinds), None
    path = str(data.file)
    table = read_table(
        path,
        qi=data.qi,
        sa=data.sa,
        ids=data.ids,
        kinds=data.kinds,
        sep=data.sep,
        encoding=data.encoding,
    )
    return table, sha256(path)


def save_experiment(experiment: Experiment, out: str | Path) -> Path:
    """Write report, scorecard, releases and their secrets into a folder; the report's path.

    Secrets go to `secret/`, which only the owner may enter.
    """
    folder = Path(out)
    public, secret = folder / "releases", folder / "secret"
    outputs = _report_outputs(experiment, folder)
    for number, found in enumerate(experiment.evaluations, 1):
        name = f"{number:02d}-{file_name(found.label)}.csv"
        outputs += release_outputs(found.release, public / name, secret=secret / name)
    try:
        public.mkdir(parents=True, exist_ok=True)
        secret.mkdir(mode=0o700, exist_ok=True)
        secret.chmod(0o700)
        write_all(outputs)
    except OSError as err:
        raise OutputError(
            Text(f"{out}: {err.strerror}", f"{out}: 作成できません ({err.strerror})")
        ) from None
    except OutputError:
        for made in (public, secret, folder):
            with suppress(OSError):  # not empty: it was there before
                made.rmdir()
        raise
    return folder / "report.html"


def file_name(label: str) -> str:
    """A release's name as a file name."""
    return re.sub(r"[^\w-]+", "-", label).strip("-").lower() or "release"


def recipe_text(recipe: Recipe) -> str:
    """The recipe as YAML, without its seed, which would give the shuffle away."""
    data = recipe.model_dump(exclude_defaults=True, exclude={"seed"})
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
    return text


def _report_outputs(experiment: Experiment, folder: Path) -> list[Output]:
    html = render_report(
        experiment.evaluations,
        title=experiment.recipe.title_text,
        recipe=recipe_text(experiment.recipe),
        lang=current_language(),
    )
    card = as_json_text([row.as_json() for row in scorecard(experiment.evaluations)])
    return [
        text_output(html, folder / "report.html"),
        text_output(card, folder / "scorecard.json"),
    ]


def _seed(recipe: Recipe, number: int) -> int | None:
    """Releases of one recipe must not share their shuffle."""
    if recipe.seed is None:
        return None
    return int(Randomness(recipe.seed).child("release", number).generator.integers(2**63))
