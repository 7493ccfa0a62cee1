"""A person column may leave as random words: linked rows, no way back but the secret link."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tokumei.core.errors import UsageError

PEOPLE, ROWS = 30, 90


def visits() -> pl.DataFrame:
    people = [i % PEOPLE for i in range(ROWS)]
    return pl.DataFrame(
        {
            "sex": ["FM"[one % 2] for one in people],
            "patient": [f"P{1000 + one}" for one in people],
            "age": [20 + one % 15 for one in people],
            "cost": [100 + 7 * i for i in range(ROWS)],
        }
    )


def release(**more: object) -> tk.Release:
    return tk.anonymize(
        visits(), "mondrian", k=3, qi=["sex", "age"], sa=["cost"], pseudonym="patient", **more
    )


def test_each_person_gets_one_word_that_is_no_identifier() -> None:
    made = release()
    words = made.public.frame["patient"]
    truth = visits()["patient"].gather(made.link)
    pairs = pl.DataFrame({"word": words, "truth": truth}).unique()
    assert pairs.height == pairs["word"].n_unique() == pairs["truth"].n_unique() == PEOPLE
    assert not words.is_in(truth.implode()).any()
    assert made.public.frame.columns == visits().columns
    assert made.manifest()["account"]["patient"]["fate"] == "pseudonym"
    assert made.manifest()["account"]["patient"]["lifetime"] == "release"
    assert all("patient" not in claim.params["columns"] for claim in made.claims)


def test_words_are_new_in_every_release_unless_there_is_a_seed() -> None:
    assert set(release().public.frame["patient"]).isdisjoint(release().public.frame["patient"])
    again = [release(seed=4).public.frame for _ in range(2)]
    assert again[0].equals(again[1])


def test_only_the_person_column_can_become_words() -> None:
    with pytest.raises(UsageError, match="told apart by 'patient'"):
        tk.anonymize(
            visits(), "mondrian", k=3, qi=["age"], sa=["cost"], person="patient", pseudonym="sex"
        )


def test_the_attacker_links_the_rows_of_a_word() -> None:
    # Ages differ from visit to visit: a row has company, the rows of a person have not.
    rows = [
        (f"P{one:02d}", 20 + 3 * visit + (one >> visit) % 2)
        for one in range(8)
        for visit in range(3)
    ]
    table = pl.DataFrame(rows, schema=["patient", "age"], orient="row")
    rates = []
    for more in ({"person": "patient"}, {"pseudonym": "patient"}):
        made = tk.anonymize(table, "mondrian", k=4, qi=["age"], seed=1, **more)
        rate = tk.attack(table, made, methods=["everything"], qi=["age"], expected=True)
        rates.append(rate["everything"].rate)
    assert rates[0] == pytest.approx(1 / 4)
    assert rates[1] == 1


def test_the_command_says_how_long_and_who_is_alone(tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    visits().write_csv(source)
    asked = ["anonymize", "table", "--data", str(source), "--qi", "sex,age", "--sa", "cost"]
    asked += ["--k", "3", "--pseudonym", "patient", "--out", str(out)]
    ran = run(asked)
    assert ran.code == 0, ran.err
    assert "for this release only" in ran.err
    assert f"of {PEOPLE} people have rows that, taken together, nobody else has" in ran.err
    assert "P10" not in out.read_text()
    manifest = json.loads(Path(f"{out}.manifest.json").read_text())
    assert manifest["account"]["patient"]["lifetime"] == "release"
    assert run([*asked, "--engine", "stream"]).code == 2


def test_a_release_is_checked_as_its_manifest_claims(tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    visits().write_csv(source)
    asked = ["anonymize", "table", "--data", str(source), "--qi", "sex,age", "--sa", "cost"]
    assert run([*asked, "--k", "3", "--pseudonym", "patient", "--out", str(out)]).code == 0
    check = ["check", "--format", "table", "--release", str(out)]
    ran = run(check)
    assert ran.code == 0, ran.err
    assert "Checked as its manifest claims: k-anonymity" in ran.err
    out.write_text("\n".join(out.read_text().splitlines()[:3]))
    assert run(check).code == 1


def asked(tmp_path: Path, *more: object) -> list[str]:
    visits().write_csv(tmp_path / "x.csv")
    roles = ("--qi", "sex,age", "--sa", "cost", "--k", 3, "--pseudonym", "patient")
    call = ("anonymize", "table", "--data", tmp_path / "x.csv", *roles, "--out", tmp_path / "y.csv")
    return [str(one) for one in (*call, *more)]


def test_a_release_in_a_ledger_has_words_too(tmp_path: Path) -> None:
    ledger, key = tmp_path / "ledger", tmp_path / "key"
    assert run(["ledger", "init", str(ledger), "--key-file", str(key)]).code == 0
    recorded = run(asked(tmp_path, "--ledger", ledger, "--ledger-key", key, "--recipient", "A"))
    assert recorded.code == 0, recorded.err
    words = pl.read_csv(tmp_path / "y.csv")["patient"]
    assert words.n_unique() == PEOPLE
    assert not words.is_in(visits()["patient"].implode()).any()


@pytest.mark.parametrize("engine", ["stream", "spark", "local"])
def test_engines_without_words_say_so_and_write_nothing(
    tmp_path: Path, engine: str, monkeypatch
) -> None:
    if engine == "local":  # a file larger than memory, which goes from disk to disk by itself
        monkeypatch.setattr("tokumei.files.file_formats.exceeds_memory", lambda path: True)
    refused = run(asked(tmp_path, "--engine", engine))
    assert refused.code == 2
    assert "does not use --pseudonym" in refused.err
    assert not (tmp_path / "y.csv").exists()


def test_recipes_refuse_words(tmp_path: Path) -> None:
    visits().write_csv(tmp_path / "x.csv")
    step = "{method: mondrian, k: 3, person: patient, pseudonym: patient}"
    data = "data: {file: x.csv, qi: [sex, age], sa: [cost]}"
    (tmp_path / "r.yaml").write_text(
        f"title: t\n{data}\nreleases: [{{name: a, steps: [{step}]}}]\n"
    )
    refused = run(["run", str(tmp_path / "r.yaml")])
    assert refused.code == 2
    assert "pseudonym" in refused.err
