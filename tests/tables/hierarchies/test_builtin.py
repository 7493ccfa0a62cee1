import polars as pl
import pytest

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.tables.hierarchies.builtin import (
    BUILTIN,
    builtin_hierarchy,
    load_occupations,
    load_prefectures,
)


def sizes(name, **options):
    return [len(names) for names in builtin_hierarchy(name, **options).names]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("occupation", [74, 12, 1]),
        ("occupation-code", [74, 12, 1]),
        ("prefecture", [47, 8, 1]),
        ("sex", [2, 1]),
        ("age", [120, 24, 12, 6, 1]),
        ("birth-date", [47482, 130, 13, 1]),
        ("height", [120, 12, 1]),
    ],
)
@pytest.mark.parametrize("labels", ["ja", "en"])
def test_every_builtin_hierarchy(name, expected, labels):
    assert sizes(name, labels=labels) == expected
    assert builtin_hierarchy(name).column == name
    assert builtin_hierarchy(name, column="own").column == "own"


def test_all_are_tested():
    assert set(BUILTIN) == {
        *("occupation", "occupation-code", "prefecture", "sex", "age", "birth-date", "height")
    }


def path(name, leaf, **options):
    made = builtin_hierarchy(name, **options)
    return made.frame().row(int(made.leaf_codes(pl.Series([leaf]))[0]))


def test_some_paths():
    assert path("occupation", "自衛官") == ("自衛官", "保安職業従事者", "*")
    assert path("occupation", "自衛官", labels="en")[1] == "Security workers"
    assert path("occupation-code", "43") == ("43", "F", "*")
    assert path("prefecture", "大阪府") == ("大阪府", "近畿", "*")
    assert path("prefecture", "Okinawa", labels="en") == ("Okinawa", "Kyushu-Okinawa", "*")
    assert path("sex", "女性") == ("女性", "*")
    assert path("age", 34) == ("34", "[30;34]", "[30;39]", "[20;39]", "*")
    assert path("birth-date", "1973-01-01") == ("1973-01-01", "1973", "1970s", "*")
    assert path("height", 176, first="140", last="190") == ("176", "[170;179]", "*")


def test_ends_are_chosen():
    assert sizes("birth-date", first="1944-01-29", last="1994-01-28")[0] == 18_263
    assert sizes("height", first="140", last="190") == [51, 6, 1]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("sex", {"first": "1"}),
        ("age", {"first": "ten"}),
        ("age", {"first": "10", "last": "9"}),
        ("age", {"last": "9999999999"}),
        ("birth-date", {"first": "soon"}),
        ("birth-date", {"first": "2000-01-01", "last": "1999-01-01"}),
    ],
)
def test_ends_that_make_no_sense(name, options):
    with pytest.raises(UsageError):
        builtin_hierarchy(name, **options)


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="prefecture"):
        builtin_hierarchy("prefectur")
    with pytest.raises(UnknownNameError):
        builtin_hierarchy("sex", labels="fr")


@pytest.mark.data
def test_occupations_agree_with_the_official_list(real_data):
    rows = pl.read_csv(real_data / "jp" / "jsoc_h21_hierarchy.csv", infer_schema=False)
    official = rows.select("middle_code", "middle_name", "major_code", "major_name").unique()
    ours = {
        (code, name, major, group["ja"])
        for major, group in load_occupations().items()
        for code, name in group["middle"].items()
    }
    assert ours == set(official.rows())


@pytest.mark.data
def test_prefectures_agree_with_the_list(real_data):
    """That list has nine regions: here Okinawa belongs to Kyushu, as among the eight regions."""
    rows = pl.read_csv(real_data / "jp" / "prefecture_region_hierarchy.csv", infer_schema=False)
    listed = rows.select("pref_ja", "pref_en", "region_ja", "region_en").rows()
    joined = {"九州": ("九州・沖縄", "Kyushu-Okinawa"), "沖縄": ("九州・沖縄", "Kyushu-Okinawa")}
    wanted = [(ja, en, *joined.get(rja, (rja, ren))) for ja, en, rja, ren in listed]
    ours = [
        (ja, en, region["ja"], region["en"])
        for region in load_prefectures()
        for ja, en in region["prefectures"].items()
    ]
    assert ours == wanted
