import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.hierarchy_trees import trees
from tokumei.core.errors import InputError, OutputError, UsageError
from tokumei.tables.hierarchies.files import (
    detect_level_separator,
    parse_arx,
    read_hierarchies,
    read_hierarchy,
    to_arx_csv,
    write_hierarchy,
)
from tokumei.tables.hierarchies.hierarchy import Hierarchy


@given(trees(), st.sampled_from(";,\t"))
def test_arx_files_come_back_as_they_were(rows, sep):
    made = Hierarchy.of("x", rows)
    again = Hierarchy.of("x", parse_arx(to_arx_csv(made, sep=sep), sep=sep, where="x.csv"))
    assert again.frame().rows() == made.frame().rows()


def read(text, name="x.csv", tmp=None, **options):
    path = tmp / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_hierarchy(path, "x", **options)


@pytest.mark.parametrize("sep", [";", ",", "\t"])
def test_the_separator_is_found(tmp_path, sep):
    rows = [("a b", "[0;4] x,y", "*"), ("c", "[5;9]", "*")]
    made = Hierarchy.of("x", rows)
    assert read(to_arx_csv(made, sep=sep), tmp=tmp_path).frame().rows() == rows


def test_a_quoted_star_still_shows_the_separator():
    assert detect_level_separator(b'1,"a;b;c","*"\n') == ","
    assert detect_level_separator(b"\n1;a,b,c;*\r\n") == ";"
    assert detect_level_separator(b"1,a\n") == ","


@pytest.mark.parametrize(
    "data",
    [
        "\ufeff男;人;*\n女;人;*\n".encode(),
        "男;人;*\r\n女;人;*".encode("cp932"),
        "男;人;*\n女;人;*".encode("utf-16"),
        "男;人;*\r女;人;*\r".encode(),
        "\n\n男;人;*\n\n女;人;*\n\n".encode(),
        '"男";"人";"*"\n女;人;*\n'.encode(),
    ],
)
def test_encodings_line_ends_and_blank_lines(tmp_path, data):
    made = read(data, tmp=tmp_path)
    assert made.frame().rows() == [("男", "人", "*"), ("女", "人", "*")]


def test_gzip_and_tabs(tmp_path):
    packed = read(gzip.compress(b"a;*\nb;*\n"), name="x.csv.gz", tmp=tmp_path)
    assert packed.leaves.to_list() == ["a", "b"]
    assert read("a;1\t*\nb\t*\n", name="x.tsv", tmp=tmp_path).leaves.to_list() == ["a;1", "b"]


def test_lines_count_blank_lines_and_lines_inside_quotes(tmp_path):
    with pytest.raises(InputError) as caught:
        read('"a\nb";A;*\n\nc;A;x\n', tmp=tmp_path)
    assert [fault.line for fault in caught.value.faults] == [4]
    assert str(tmp_path / "x.csv") in caught.value.message.show("en")


def test_ragged_files_are_faults_or_completed(tmp_path):
    text = "a;A;*\nb;*\nc;;\n"
    with pytest.raises(InputError) as caught:
        read(text, tmp=tmp_path)
    assert [fault.line for fault in caught.value.faults] == [2, 3]
    whole = read(text, tmp=tmp_path, complete=True)
    assert whole.frame().rows() == [("a", "A", "*"), ("b", "b", "*"), ("c", "c", "*")]


def test_a_leaf_without_name_stands_for_missing_cells(tmp_path):
    made = read(';;*\na;A;*\n"";"";*\n', tmp=tmp_path)
    assert made.frame().rows() == [("", "", "*"), ("a", "A", "*")]


@pytest.mark.parametrize("text", ["", "\n \n", 'a;"b\n', 'a;b"c;*\n', ";".join("a" * 200)])
def test_what_is_no_table_is_an_error(tmp_path, text):
    with pytest.raises(InputError, match=r"x\.csv"):
        read(text, tmp=tmp_path)


YAML = """
Government:
  Federal: [Federal-gov]
  Other: [Local-gov, State-gov]
Private:
  Self: [01, null]
  Company:
    Big:
"""


def test_yaml_trees(tmp_path):
    made = read(YAML, name="x.yaml", tmp=tmp_path)
    assert made.frame().rows() == [
        ("Federal-gov", "Federal", "Government", "*"),
        ("Local-gov", "Other", "Government", "*"),
        ("State-gov", "Other", "Government", "*"),
        ("01", "Self", "Private", "*"),
        ("", "Self", "Private", "*"),
        ("Big", "Company", "Private", "*"),
    ]
    starred = '"*":\n' + YAML.replace("\n", "\n  ")
    assert read(starred, name="y.yml", tmp=tmp_path).frame().equals(made.frame())
    assert read("[a, b]", name="z.yaml", tmp=tmp_path).frame().rows() == [("a", "*"), ("b", "*")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [b\n", 2),
        ("a: &x [b]\nc: *x\n", 1),
        ("a: &x [b, *x]\n", 1),
        ("a: [b]\n? [c]\n: [d]\n", 2),
        ("[" * 150 + "]" * 150, None),
    ],
)
def test_yaml_that_is_no_tree(tmp_path, text, line):
    with pytest.raises(InputError, match=r"x\.yaml") as caught:
        read(text, name="x.yaml", tmp=tmp_path)
    if line:
        assert [fault.line for fault in caught.value.faults] == [line]


def test_yaml_faults_have_their_lines(tmp_path):
    with pytest.raises(InputError) as caught:
        read("A:\n  X: [a]\nB:\n  X: [b]\nc:\n", name="x.yaml", tmp=tmp_path)
    assert [(f.line, f.rule) for f in caught.value.faults] == [
        (4, "hierarchy-nested"),
        (5, "hierarchy-levels"),
    ]


def test_patterns_name_a_file_per_column(tmp_path):
    (tmp_path / "h_sex.csv").write_text("m;*\nf;*\n")
    (tmp_path / "h_age.csv").write_text("1;*\n2;*\n")
    pattern = str(tmp_path / "h_{column}.csv")
    found = read_hierarchies(pattern, ["age", "sex"])
    assert {name: made.leaves.to_list() for name, made in found.items()} == {
        "age": ["1", "2"],
        "sex": ["m", "f"],
    }
    with pytest.raises(InputError) as caught:
        read_hierarchies(pattern, ["age", "job", "home"])
    assert [fault.column for fault in caught.value.faults] == ["job", "home"]
    with pytest.raises(UsageError, match="column"):
        read_hierarchies("h.csv", ["age"])


def test_writing(tmp_path):
    made = Hierarchy.of("x", [["a", "A;B", "*"], ["b", "C", "*"]])
    write_hierarchy(made, tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == 'a;"A;B";*\nb;C;*\n'
    write_hierarchy(made, tmp_path / "x.csv", sep=",")
    assert (tmp_path / "x.csv").read_text() == "a,A;B,*\nb,C,*\n"
    write_hierarchy(made, tmp_path / "x.yaml")
    assert read_hierarchy(tmp_path / "x.yaml", "x").frame().equals(made.frame())
    with pytest.raises(UsageError):
        write_hierarchy(made, tmp_path / "x.png")
    with pytest.raises(OutputError):
        write_hierarchy(made, tmp_path / "none" / "x.csv")


@pytest.mark.data
def test_every_adult_file_comes_back_as_it_was(real_data, tmp_path):
    paths = sorted((real_data / "adult").glob("adult_hierarchy_*.csv"))
    assert len(paths) == 9
    for path in paths:
        made = read_hierarchy(path, "x")
        write_hierarchy(made, tmp_path / "again.csv")
        again = (tmp_path / "again.csv").read_bytes()
        assert again.splitlines() == path.read_bytes().splitlines()
        write_hierarchy(made, tmp_path / "again.yaml")
        nested = read_hierarchy(tmp_path / "again.yaml", "x")
        assert sorted(nested.frame().rows()) == sorted(made.frame().rows())


def test_a_file_that_changed_is_read_anew(tmp_path):
    path = tmp_path / "sex.csv"
    for top in ("a", "b"):
        path.write_text(f"Male;{top};*\nFemale;{top};*\n")
        assert read_hierarchy(path, "sex").names[1].to_list() == [top]
