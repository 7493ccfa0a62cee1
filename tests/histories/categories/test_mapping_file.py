import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError, TokumeiError
from tokumei.histories.categories.mapping import Categories, read_categories, write_categories

CELLS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from(',;"{}\n'), min_size=1
).filter(lambda text: text.strip() and not text.startswith("\ufeff"))


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "categories.csv"
    path.write_bytes(text.encode(encoding))
    return path


@given(of=st.dictionaries(CELLS, CELLS, min_size=1, max_size=8))
def test_what_is_written_is_read_back(tmp_path_factory, of):
    path = tmp_path_factory.getbasetemp() / "round.csv"
    write_categories(Categories("keywords", of), path)
    assert read_categories(path).of == of


def test_the_file_is_sorted_and_named(tmp_path):
    path = tmp_path / "categories.csv"
    write_categories(Categories("prefix", {"b": "雑貨", "a": "x"}), path)
    assert path.read_text(encoding="utf-8") == "item,category\na,x\nb,雑貨\n"
    assert read_categories(path).name == "file"


def test_cp932_is_read(tmp_path):
    path = write(tmp_path, "item,category\n1,雑貨\n", "cp932")
    assert read_categories(path).of == {"1": "雑貨"}


def test_the_same_line_twice_is_no_fault(tmp_path):
    path = write(tmp_path, "item,category\n1,a\n1,a\n")
    assert read_categories(path).of == {"1": "a"}


def test_all_faults_are_listed_with_their_lines(tmp_path):
    path = write(tmp_path, 'item,category\n1,a\n,b\n2,\n1,c\n"3\n4",a\n , \n1,a\n5,""\n')
    with pytest.raises(InputError) as caught:
        read_categories(path)
    found = [(fault.line, fault.column) for fault in caught.value.faults]
    assert found == [
        (3, "item"),
        (4, "category"),
        (5, "category"),
        (8, "item"),
        (8, "category"),
        (10, "category"),
    ]
    assert "'1' is in 'a' already" in caught.value.faults[2].message.show("en")


def test_a_thousand_faults_are_counted(tmp_path):
    path = write(tmp_path, "item,category\n" + "7,\n" * 1000)
    with pytest.raises(InputError) as caught:
        read_categories(path)
    assert caught.value.total == 1000


@pytest.mark.parametrize("text", ["", "item,category\n", "item;category\n1;a\n", "a,b\n1,2\n"])
def test_another_layout_is_refused(tmp_path, text):
    with pytest.raises(InputError):
        read_categories(write(tmp_path, text))


def test_only_csv(tmp_path):
    with pytest.raises(TokumeiError, match="yaml"):
        read_categories(tmp_path / "categories.yaml")
    with pytest.raises(TokumeiError, match="parquet"):
        write_categories(Categories("file", {"1": "a"}), tmp_path / "categories.parquet")
    assert not list(tmp_path.iterdir())
