"""Whole experiments: the same bytes for the same seed, nothing for a broken claim, no secrets."""

import hashlib
import html
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tables.experiment_helpers import RECIPE
from tokumei.api.recipes import load_recipe, parse_recipe
from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.recipe import run_recipe
from tokumei.core.releases_folder import to_file_name
from tokumei.files.release_files import save_experiment

SEED = 424242


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The folder of one run, to be looked at."""
    folder = tmp_path_factory.mktemp("saved")
    save_experiment(run_recipe(parse_recipe(RECIPE), seed=SEED), folder)
    return folder


def digests(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


@pytest.mark.long
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(tmp_path):
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(RECIPE, encoding="utf-8")
    found = []
    for number, threads in enumerate(("1", "2", "4")):
        out = tmp_path / f"out{number}"
        env = {**os.environ, "POLARS_MAX_THREADS": threads, "OMP_NUM_THREADS": threads}
        env |= {"OPENBLAS_NUM_THREADS": threads, "PYTHONHASHSEED": str(number)}
        command = [sys.executable, "-m", "tokumei", "run", str(recipe), "--seed", "1"]
        subprocess.run([*command, "--out", str(out)], check=True, env=env, capture_output=True)
        found.append(digests(out))
    assert found[0] == found[1] == found[2]
    assert "report.html" in found[0]
    assert len(found[0]) == 3 + 3 * (4 + 2)  # with the assessment of each, as page and document


def test_secrets_are_apart_and_closed(saved):
    assert stat.S_IMODE((saved / "secret").stat().st_mode) == 0o700
    for path in (saved / "secret").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    seeds = [
        str(json.loads(path.read_text())["seed"]) for path in (saved / "secret").glob("*.json")
    ]
    assert len(set(seeds)) == 3
    for path in saved.rglob("*"):
        if path.is_file() and "secret" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert not any(secret in text for secret in [*seeds, str(SEED)])


def test_a_broken_claim_stops_everything():
    broken = RECIPE.replace(
        "[{method: mondrian, k: 5}]", "[{method: mondrian, k: 5}, {method: delete, share: 0.5}]"
    )
    with pytest.raises(ClaimError):
        run_recipe(parse_recipe(broken), seed=1)


def test_the_printed_recipe_has_no_seed_and_parses_again():
    recipe = parse_recipe(RECIPE + "seed: 99\n")
    again = parse_recipe(recipe.text())
    assert again.seed is None
    assert again.releases == recipe.releases


@pytest.mark.parametrize(
    ("label", "name"),
    [("A+F k=5", "a-f-k-5"), ("平均 化", "平均-化"), ("../../etc", "etc"), ("///", "release")],
)
def test_release_names_become_harmless_file_names(label, name):
    assert to_file_name(label) == name


@pytest.mark.long
def test_the_recipe_in_the_report_runs_as_it_stands(saved, tmp_path):
    page = (saved / "report.html").read_text(encoding="utf-8")
    shown = html.unescape(re.search(r"<pre[^>]*>(?:<code>)?(.*?)(?:</code>)?</pre>", page, re.S)[1])
    save_experiment(run_recipe(parse_recipe(shown), seed=SEED), tmp_path)
    assert digests(saved / "releases") == digests(tmp_path / "releases")


@pytest.mark.long
def test_a_file_that_was_read_is_never_replaced(saved, tmp_path):
    source = tmp_path / "releases" / "01-a-five-alike.csv"
    source.parent.mkdir()
    source.write_bytes((saved / "releases" / "02-b-f-平均.csv").read_bytes())
    before = source.read_bytes()
    (tmp_path / "r.yaml").write_text(
        RECIPE.replace("sample: {rows: 300, seed: 5}", f"file: {source.relative_to(tmp_path)}"),
        encoding="utf-8",
    )
    experiment = run_recipe(load_recipe(tmp_path / "r.yaml"), seed=1)
    with pytest.raises(UsageError, match="would replace the original"):
        save_experiment(experiment, tmp_path)
    assert source.read_bytes() == before
    assert not (tmp_path / "secret").exists()


@pytest.mark.long
def test_a_run_that_cannot_be_written_leaves_no_folders(tmp_path):
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000));"
        "from tokumei.apps.cli.app import main; main(sys.argv[1:])"
    )
    recipe = tmp_path / "r.yaml"
    recipe.write_text(RECIPE, encoding="utf-8")
    out = tmp_path / "out"
    ran = subprocess.run(
        # -B: Python would leave cut-off bytecode behind.
        [sys.executable, "-B", "-c", script, "run", str(recipe), "--out", str(out / "in" / "side")],
        capture_output=True,
    )
    assert ran.returncode == 2
    assert not out.exists()
