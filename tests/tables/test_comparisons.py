"""A release beside its original: what the release brings, and columns that it does not have."""

import datetime as dt

import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.comparisons import compare

ROWS = 60
FRAME = pl.DataFrame(
    {
        "mail": [f"user{i}@example.com" for i in range(ROWS)],
        "age": [20 + i % 30 for i in range(ROWS)],
        "sex": ["mf"[i % 2] for i in range(ROWS)],
        "zip": [1000000 + i % 9 for i in range(ROWS)],
        "ill": ["flu", "cold", "none"] * (ROWS // 3),
        "pay": [100 * (i % 7) for i in range(ROWS)],
        "who": [i // 2 for i in range(ROWS)],
    }
)
TWO = tk.Table.of(FRAME.select("age", "pay"), qi="age", sa="pay")
REQUESTS = {
    "inferred": {},
    "dropped": {"qi": ["age", "sex"], "sa": "pay", "ids": ["mail", "zip", "ill"], "person": "who"},
    "left out": {
        "qi": "age",
        "sa": "pay",
        "ids": "mail",
        "drop": ["sex", "zip"],
        "person": "who",
        "pass_rest": True,
    },
    "pseudonym": {"qi": ["age", "sex", "zip"], "sa": ["pay"], "ids": "mail", "pseudonym": "who"},
    "none": {"qi": ["age"], "ids": ["mail", "who"], "person": "none", "pass_rest": True},
}
ORIGINALS = {
    "polars": FRAME,
    "pandas": FRAME.to_pandas(),
    "table": tk.Table.of(FRAME),
    "other roles": tk.Table.of(FRAME, qi=["zip", "who", "mail"], sa=["ill"]),
}


def released(**request):
    return tk.anonymize(FRAME, "mondrian", k=3, seed=1, **request)


@pytest.mark.parametrize("request_", REQUESTS)
def test_attack_and_measure_take_everything_from_the_release(request_):
    release = released(**REQUESTS[request_])
    rates, scores = set(), set()
    for original in ORIGINALS.values():
        rates.add(repr(tk.attack(original, release, methods=["linkage", "everything"], seed=1)))
        scores.add(repr(tk.measure(original, release)))
    assert (len(rates), len(scores)) == (1, 1)


def test_roles_person_and_link_are_those_of_the_release():
    release = released(**REQUESTS["dropped"])
    case = compare(FRAME, release)
    assert (case.qi, case.sa) == (["age", "sex"], ["pay"])
    assert case.link.tolist() == release.link.tolist()
    assert (case.people[::2] == case.people[1::2]).all()
    assert len(set(case.people.tolist())) == ROWS // 2
    assert compare(FRAME, release, person="none").people is None


def test_a_frame_is_compared_by_the_columns_it_has():
    release = released(**REQUESTS["dropped"])
    public = release.to_polars()
    rates = tk.attack(FRAME, public, link=release.link, person="who", seed=1)
    assert rates["linkage"].original == ROWS // 2
    with pytest.raises(tk.UsageError, match="without the link"):
        tk.attack(FRAME, public)
    with pytest.raises(tk.InputError, match=r"lacks the column.* zip"):
        tk.attack(FRAME, public, link=release.link, qi=["age", "zip"])


def test_the_original_may_be_a_file(tmp_path):
    FRAME.write_csv(tmp_path / "x.csv")
    release = tk.anonymize(tmp_path / "x.csv", k=3, seed=1, **REQUESTS["dropped"])
    from_file = tk.attack(tmp_path / "x.csv", release, seed=1)
    assert repr(from_file) == repr(tk.attack(FRAME, release, seed=1))
    assert repr(tk.measure(str(tmp_path / "x.csv"), release)) == repr(tk.measure(FRAME, release))


def test_times_that_became_midnight_are_compared_as_times():
    times = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=7 * i) for i in range(ROWS)]
    original = FRAME.select("sex", "pay").with_columns(t=pl.Series(times))
    released = original.with_columns(pl.col("t").dt.truncate("1d"))
    case = compare(original, released, qi=["t", "sex"], sa="pay")
    assert case.original.frame["t"].to_list() == times
    assert case.released.frame["t"].equals(released["t"])
    back = compare(released, original, qi=["t", "sex"], sa="pay")
    assert back.original.frame["t"].equals(released["t"])


RESULTS = {
    "attack": lambda release: tk.attack(FRAME, release, methods="linkage", seed=1),
    "measure": lambda release: tk.measure(FRAME, release),
    "sweep": lambda release: tk.sweep(TWO, "mondrian", [2], seed=1),
    "risk": lambda release: tk.risk(FRAME, qi=["age", "sex"]),
    "diagnose": lambda release: tk.diagnose(FRAME, release, seed=1),
    "audit": lambda release: tk.audit(
        release, members=FRAME, control=FRAME.head(30), targets=30, seed=1
    ),
    "look": lambda release: tk.look(FRAME),
    "advise": lambda release: tk.advise(FRAME, steps=2),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_tables_in_a_terminal_and_a_notebook_without_any_cell(name):
    shown = RESULTS[name](released(**REQUESTS["dropped"]))
    lines, html = repr(shown).splitlines(), shown._repr_html_()
    assert 2 <= len(lines) <= 60
    assert max(map(len, lines)) <= 120
    assert "<table>" in html
    for cell in ("@example.com", "user1", "flu", "cold", "1000001"):
        assert cell not in repr(shown) + html
