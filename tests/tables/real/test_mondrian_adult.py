"""Hierarchy-free and hierarchical Mondrian on UCI Adult, 8 QI. Read in place, never copied."""

import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.hierarchies.files import read_hierarchies, read_hierarchy
from tokumei.tables.measures.decidability import level_table, prec

STEPS = [13, 10, 7, 9, 15, 12, 11, 5, 4, 8, 14, 2, 6, 16, 3, 1]
"""Years of education, 1 to 16, of each line of its hierarchy file."""
pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def adult(real_data):
    return pl.read_csv(real_data / "adult" / "adult.csv", separator=";").drop("occupation")


@pytest.fixture(scope="module")
def education(real_data):
    leaves = read_hierarchy(real_data / "adult" / "adult_hierarchy_education.csv", "e").leaves
    return dict(zip(leaves, STEPS, strict=True))


@pytest.fixture(scope="module")
def numbered(adult, education):
    """Education as 1 to 16; the other categories are sets."""
    steps = pl.col("education").replace_strict(education, return_dtype=pl.Int64)
    return tk.Table.of(adult.with_columns(steps), qi=adult.columns, sa=[])


@pytest.mark.parametrize(("k", "most"), [(5, 0.0183), (10, 0.0327), (50, 0.0892)])
def test_gcp_sets(numbered, k, most):
    release = tk.anonymize(numbered, Mondrian(k=k), keep_order=True, sets=["native-country"])
    assert tk.measure(numbered, release, methods=["gcp_sets"])["gcp_sets"].value <= most


@pytest.mark.parametrize("cut", ["median", "relaxed"])
def test_the_other_cuts_keep_k(numbered, cut):
    release = tk.anonymize(numbered, Mondrian(k=10, cut=cut))
    assert release.public.frame.group_by(pl.all()).len()["len"].min() >= 10


def test_education_in_a_given_order(adult, education):
    """With one QI every set is a stretch of the given order."""
    table = tk.Table.of(adult.select("education"), qi=["education"], sa=[])
    order = {"education": sorted(education, key=education.__getitem__)}
    release = tk.anonymize(table, Mondrian(k=1000, order=order))
    cells = release.public.frame["education"].unique().str.strip_chars("{}").str.split(";")
    steps = [sorted(education[name] for name in names) for names in cells]
    assert max(map(len, steps)) > 1
    assert all(found == list(range(found[0], found[-1] + 1)) for found in steps)


@pytest.mark.parametrize("choice", ["prec", "ncp", "range"])
def test_hierarchical_cells_are_nodes_shared_by_k(adult, real_data, choice):
    pattern = str(real_data / "adult" / "adult_hierarchy_{column}.csv")
    table = tk.Table.of(adult, qi=adult.columns, sa=[])
    method = HierarchicalMondrian(k=10, hierarchies=pattern, choice=choice)
    release = tk.anonymize(table, method)
    assert release.public.frame.group_by(pl.all()).len()["len"].min() >= 10
    hierarchies = read_hierarchies(pattern, adult.columns)
    levels = level_table(release.public.frame, hierarchies)
    assert sum(row.people for row in levels) == adult.height
    assert 0.2 < prec(levels, [one.height for one in hierarchies.values()]) < 1
