"""Adult, k = 5, along hierarchy files: every notation of the same release gives the same figures.

The reference is a plain loop that knows nothing of the package: it reads the hierarchy files and
counts, for every released row, the known rows that its cells may stand for.
"""

import csv
import json
import shutil

import pytest

from fuzz.judged import run

QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
QI += ["salary-class"]
RANGES = {
    "[a;b]": ("[{0};{1}]", ";"),
    "[a, b]": ("[{0}, {1}]", ", "),
    "[a, b[": ("[{0}, {2}[", ", "),
    "(a,b]": ("({3},{1}]", ","),
    "a-b": ("{0}-{1}", ","),
    "a~b": ("{0}~{1}", "、"),
    "a..b": ("{0}..{1}", "|"),
    "[a-b]": ("[{0}-{1}]", ","),
}


def read(path, sep):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=sep))


def leaves_of(folder, column):
    """Every label with the leaves under it."""
    with (folder / f"adult_hierarchy_{column}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter=";"))
    found = {}
    for leaf, *above in rows:
        for label in (leaf, *above):
            found.setdefault(label, set()).add(leaf)
    return found


def by_plain_loops(original, released, link, meaning):
    """The chance of naming the right row, averaged over the released rows; rows as bits."""
    having = {name: {} for name in QI}
    for number, row in enumerate(original):
        for name in QI:
            having[name][row[name]] = having[name].get(row[name], 0) | 1 << number
    right, fitting = 0.0, {}
    for row, origin in zip(released, link, strict=True):
        cells = tuple(row[name] for name in QI)
        if cells not in fitting:
            inside = (1 << len(original)) - 1
            for name, cell in zip(QI, cells, strict=True):
                values = having[name].items()
                inside &= sum(rows for value, rows in values if value in meaning[name][cell])
            fitting[cells] = inside
        right += (fitting[cells] >> origin & 1) / fitting[cells].bit_count()
    return right / len(released)


def rewritten(cell, leaves, notation, occurring):
    """A label as a range of numbers or a set of the values that occur."""
    pattern, comma = RANGES[notation]
    if cell == "*" or len(leaves) == 1:
        return cell
    if all(leaf.isdigit() for leaf in leaves):
        ages = [int(leaf) for leaf in leaves]
        return pattern.format(min(ages), max(ages), max(ages) + 1, min(ages) - 1)
    return "{" + comma.join(sorted(leaves & occurring)) + "}"


@pytest.fixture(scope="module")
def adult(tmp_path_factory, real_data):
    """Two folders, of the data and of a release with its link; what the plain loop needs."""
    data, folder = real_data / "adult", tmp_path_factory.mktemp("adult")
    args = ["anonymize", "table", "--data", f"{data}/adult.csv", "--qi", ",".join(QI), "--k", "5"]
    args += ["--method", "local", "--hierarchies", f"{data}/adult_hierarchy_{{column}}.csv"]
    ran = run([*args, "--out", f"{folder}/y.csv", "--secret", f"{folder}/link.csv", "--seed", "1"])
    assert ran.code == 0, ran.err
    original, released = read(data / "adult.csv", ";"), read(folder / "y.csv", ";")
    link = [int(row["original"]) for row in read(folder / "link.csv", ",")]
    meaning = {name: leaves_of(data, name) for name in QI}
    return data, folder, original, released, link, meaning


def asked(data, folder, release, *args):
    files = ["--original", f"{data}/adult.csv", "--release", f"{folder}/{release}"]
    ran = run([*args[:2], "--format", "table", *files, "--qi", ",".join(QI), *args[2:], "--json"])
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.long
def test_every_notation_of_a_release_is_attacked_and_measured_alike(adult):
    data, folder, original, released, link, meaning = adult
    expected = by_plain_loops(original, released, link, meaning)
    assert 0.08 < expected < 0.10
    occurring = {name: {row[name] for row in original} for name in QI}
    shutil.copy(folder / "y.csv", folder / "labels.csv")  # without its manifest
    truth = ["--truth", f"{folder}/link.csv"]
    linkage = ["attack", "--expected", "--methods", "linkage", *truth]
    given = ["--hierarchies", f"{data}/adult_hierarchy_{{column}}.csv"]
    figures = {
        "manifest": asked(data, folder, "y.csv", *linkage)["linkage"]["rate"],
        "labels": asked(data, folder, "labels.csv", *linkage, *given)["linkage"]["rate"],
    }
    measured = ["measure", "utility", "--method", "ncp", *truth, *given]
    ncp = {"labels": asked(data, folder, "labels.csv", *measured)["ncp"]}
    for notation in RANGES:
        with (folder / "z.csv").open("w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, released[0], delimiter=";")
            out.writeheader()
            for row in released:
                new = {
                    name: rewritten(row[name], meaning[name][row[name]], notation, occurring[name])
                    for name in QI
                }
                out.writerow(row | new)
        figures[notation] = asked(data, folder, "z.csv", *linkage)["linkage"]["rate"]
        ncp[notation] = asked(data, folder, "z.csv", *measured)["ncp"]
    assert figures == pytest.approx(dict.fromkeys(figures, expected), abs=1e-9)
    assert ncp == pytest.approx(dict.fromkeys(ncp, ncp["labels"]), abs=0.002)
