"""Privacy models from the command line: asked for, verified, checked again from the file."""

import json
from pathlib import Path

import polars as pl
import pytest

QI = "head_sex,head_age_band,region"


def sample(tokumei, rows=300):
    tokumei("sample", "table", "--rows", rows, "--seed", 1, "--out", "x.csv")
    frame = pl.read_csv("x.csv")
    jobs = pl.Series("job", ["teacher", "nurse", "cook", "clerk", "teacher"] * (rows // 5))
    people = pl.Series("who", [f"P{i % 7}" for i in range(rows)])
    frame.with_columns(jobs, people).write_csv("x.csv")
    Path("x.csv.tokumei.json").unlink()


def anonymize(tokumei, *more, method="local"):
    consent = [] if "--person" in more else ["--pass", "who"]
    return tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", QI, "--method", method, "--k", 4,
        "--seed", 1, "--out", "y.csv", *consent, *more,
    )  # fmt: skip


def check(tokumei, *more):
    return tokumei("check", "--format", "table", "--release", "y.csv", "--qi", QI, *more)


MODELS = [
    (["--l", 3], "l-diversity"),
    (["--t", 0.4], "t-closeness"),
    (["--model", "entropy-l=2.5"], "entropy-l-diversity"),
    (["--model", "recursive=2,2"], "recursive-l-diversity"),
    (["--model", "alpha=0.6"], "alpha-k"),
    (["--model", "beta=1"], "beta-likeness"),
    (["--model", "enhanced-beta=1"], "beta-likeness"),
    (["--model", "delta=0.9"], "delta-disclosure"),
    (["--l", 2, "--t", 0.5, "--model", "beta=2"], "l-diversity, t-closeness, beta-likeness"),
]


@pytest.mark.long
@pytest.mark.parametrize(("model", "rule"), MODELS, ids=lambda part: str(part))
def test_a_model_is_kept_and_named_and_the_file_shows_it(tokumei, model, rule):
    sample(tokumei)
    plain = anonymize(tokumei)
    assert plain.code == 0
    assert check(tokumei, "--k", 4, "--sa", "job", *model).code == 1
    ran = anonymize(tokumei, "--sa", "job", *model)
    assert ran.code == 0, ran.err
    assert all(f"({name})" in ran.err for name in ("k-anonymity", *rule.split(", ")))
    assert check(tokumei, "--k", 4, "--sa", "job", *model).code == 0
    claims = json.loads(Path("y.csv.manifest.json").read_text())["claims"]
    assert claims[1]["params"]["sensitive"] == ["job"]


@pytest.mark.long
def test_orders_and_hierarchies_of_texts(tokumei):
    sample(tokumei)
    Path("h_job.csv").write_text("cook;hands;*\nclerk;desk;*\nteacher;desk;*\nnurse;hands;*\n")
    for name in QI.split(","):
        made = tokumei("hierarchy", "build", "--data", "x.csv", "--column", name, "--out",
                       f"h_{name}.csv")  # fmt: skip
        assert made.code == 0, made.err
    for model in ("t-ordered=0.1", "t-hierarchical=0.15"):
        asked = ["--sa", "job", "--model", model, "--hierarchies", "h_{column}.csv"]
        assert anonymize(tokumei, "--hierarchies", "h_{column}.csv").code == 0
        assert check(tokumei, *asked).code == 1
        ran = anonymize(tokumei, *asked)
        assert ran.code == 0, ran.err
        assert check(tokumei, *asked).code == 0


@pytest.mark.long
@pytest.mark.parametrize("method", ["mondrian", "flash", "local"])
def test_persons_are_counted_and_dropped(tokumei, method):
    sample(tokumei)
    ran = anonymize(tokumei, "--person", "who", method=method)
    assert ran.code == 0, ran.err
    assert "rows of at least" in ran.err
    assert "people (k-per-person)" in ran.err
    assert ran.err.count("dropped and not in the file: who") == 1
    assert "who" not in pl.read_csv("y.csv").columns
    plain = anonymize(tokumei, "--keep-order", method=method)
    assert plain.code == 0
    assert check(tokumei, "--k", 4, "--person", "who").code == 1


@pytest.mark.long
def test_what_cannot_be_kept_writes_nothing(tokumei):
    sample(tokumei)
    ran = anonymize(tokumei, "--sa", "job", "--l", 5)
    assert ran.code == 2
    assert "l-diversity (l = 5) cannot be met: for 'job'" in ran.err
    assert not Path("y.csv").exists()


@pytest.mark.long
def test_wrong_calls(tokumei):
    sample(tokumei)
    assert "need sensitive columns; name them (--sa)" in anonymize(tokumei, "--l", 3).err
    assert "unknown condition 'gamma'" in anonymize(
        tokumei, "--sa", "job", "--model", "gamma=1"
    ).err  # fmt: skip
    anonymize(tokumei)
    ran = check(tokumei)
    assert ran.code == 2
    assert "give --k, --l, --t, --model or --person" in ran.err
    assert check(tokumei, "--l", 3).code == 2
