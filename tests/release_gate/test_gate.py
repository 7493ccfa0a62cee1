from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from tokumei.core.errors import ClaimError
from tokumei.core.release_terms import ReleaseTerms, TableLayout, WithheldColumns
from tokumei.files.writing import frame_output
from tokumei.release_gate.gate import require_clean_files, require_clean_frame
from tokumei.release_gate.public_files import PublicFile

WORDS = ["cold", "hot", "warm", "mild"]


def column(*strays: str, rows: int = 400, name: str = "temp") -> pl.DataFrame:
    """Ordinary words with some strays at the end."""
    cells = [WORDS[i % 4] for i in range(rows - len(strays))] + list(strays)
    return pl.DataFrame({"age": [i % 60 for i in range(rows)], name: cells})


def refusal(frame: pl.DataFrame, terms: ReleaseTerms | None = None) -> str:
    """What the gate says of a frame; empty: it lets it pass."""
    try:
        require_clean_frame(frame, terms or ReleaseTerms(declared=frozenset({"age", "temp"})))
    except ClaimError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "stray",
    [
        "361-95-5875",
        "{361-95-5875;web}",
        "{web;{Taro SATO;x}}",
        '{"who": {"mail": ["taro@example.org"]}}',
        "[taro@example.org]",
        "361955875",
        "ZQ-88412-X7731",
        "３６１－９５－５８７５",
        "taro@exa\u200bmple.org",
    ],
)
def test_one_stray_cell_is_refused_and_never_told(stray: str) -> None:
    said = refusal(column(stray))
    assert "temp" in said
    assert stray not in said
    assert "361" not in said
    assert "taro" not in said.lower()


def test_ordinary_words_and_what_a_column_usually_holds_pass() -> None:
    assert not refusal(column())
    days = pl.DataFrame({"age": range(100), "temp": [f"19{50 + i % 50}-03-12" for i in range(100)]})
    assert not refusal(days)


def test_named_columns_are_not_looked_at() -> None:
    assert not refusal(column("taro@example.org"), ReleaseTerms(named=frozenset({"temp"})))


def test_a_birth_date_that_passes_unnamed_is_refused() -> None:
    frame = pl.DataFrame({"birth date": [f"19{50 + i % 50}-03-12" for i in range(100)]})
    assert "birth" in refusal(frame, ReleaseTerms())


def test_counts_are_told() -> None:
    assert "3 cells" in refusal(column("a@example.org", "b@example.org", "a@example.org"))


def test_a_value_of_a_column_that_does_not_leave_is_found_in_any_spelling() -> None:
    names = pl.Series("who", [f"Person number {i}" for i in range(400)])
    terms = ReleaseTerms(declared=frozenset({"temp"}), withheld=WithheldColumns((names,)))
    assert "is not released" in refusal(column("ｐｅｒｓｏｎ  NUMBER 77"), terms)
    assert not refusal(column("person number of things"), terms)


def test_common_cells_of_a_withheld_column_are_nobody_s() -> None:
    cities = pl.Series("city", ["New Haven", "Old Haven", "Big Haven"] * 100)
    terms = ReleaseTerms(declared=frozenset({"temp"}), withheld=WithheldColumns((cities,)))
    assert not refusal(column("New Haven"), terms)


def test_texts_that_too_few_rows_have_are_refused_where_nobody_named_the_column() -> None:
    terms = ReleaseTerms(passing=frozenset({"temp"}), k=3)
    assert "too few" in refusal(column("tepid", "tepid"), terms)
    assert not refusal(column("tepid", "tepid", "tepid"), terms)


def test_a_first_row_that_became_names_is_refused() -> None:
    frame = pl.DataFrame({"28": [30, 40] * 50, "M": ["F", "M"] * 50, "flu": ["flu", "cough"] * 50})
    assert "names of columns" in refusal(frame, ReleaseTerms())
    assert "names of columns" in refusal(pl.DataFrame({"Taro SATO": [1, 2]}), ReleaseTerms())


@pytest.mark.parametrize("name", ["y.csv", "y.tsv", "y.csv.gz", "y.parquet", "y.xlsx"])
@pytest.mark.parametrize("place", ["cell", "name"])
def test_every_container_is_read(tmp_path: Path, name: str, place: str) -> None:
    terms = ReleaseTerms(declared=frozenset({"age", "temp"}))
    clean = column()
    leaky = column("taro@example.org") if place == "cell" else column(name="taro@example.org")
    for frame, passes in ((clean, True), (leaky, False)):
        output = frame_output(frame, tmp_path / name)
        with (tmp_path / "staged").open("wb") as stream:
            output.write(stream)
        file = PublicFile(tmp_path / "staged", name, output.layout)
        if passes:
            require_clean_files([file], terms)
        else:
            with pytest.raises(ClaimError):
                require_clean_files([file], terms)


def test_names_of_sheets_and_encoded_texts_are_read(tmp_path: Path) -> None:
    book = frame_output(column(), tmp_path / "y.xlsx", sheet="taro@example.org")
    with (tmp_path / "staged").open("wb") as stream:
        book.write(stream)
    with pytest.raises(ClaimError):
        require_clean_files(
            [PublicFile(tmp_path / "staged", "y.xlsx", book.layout)], ReleaseTerms()
        )
    text = "age,気温\n1,佐藤 太郎\n"
    (tmp_path / "staged").write_bytes(text.encode("cp932"))
    layout = TableLayout(encoding="cp932")
    with pytest.raises(ClaimError):
        require_clean_files([PublicFile(tmp_path / "staged", "y.csv", layout)], ReleaseTerms())
    (tmp_path / "staged").write_bytes(gzip.compress(b"1,taro@example.org\n"))
    layout = TableLayout(header=False, names=("a", "b"))
    with pytest.raises(ClaimError):
        require_clean_files([PublicFile(tmp_path / "staged", "y.csv.gz", layout)], ReleaseTerms())


def test_labels_of_hierarchies_in_a_manifest_are_read(tmp_path: Path) -> None:
    manifest = {"hierarchies": {"temp": {"leaves": ["cold", "taro@example.org"]}}}
    path = tmp_path / "staged"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ClaimError):
        require_clean_files([PublicFile(path, "y.csv.manifest.json")], ReleaseTerms())
    require_clean_files(
        [PublicFile(path, "y.csv.manifest.json")], ReleaseTerms(named=frozenset({"temp"}))
    )


def test_numbers_said_to_be_numbers_are_read_as_texts_where_one_is_none(tmp_path: Path) -> None:
    path = tmp_path / "staged"
    path.write_text("a,b\n" + "1,2\n" * 50 + "taro@example.org,3\n", encoding="utf-8")
    layout = TableLayout(names=("a", "b"), numbers=("a", "b"))
    with pytest.raises(ClaimError):
        require_clean_files([PublicFile(path, "y.csv", layout)], ReleaseTerms())


def test_codes_of_their_own_need_consent_unless_they_are_what_the_column_is_for() -> None:
    codes = [f"MEM-{100_000 + 37 * i}-A" for i in range(400)]
    frame = pl.DataFrame({"age": [i % 60 for i in range(400)], "temp": codes})
    assert "hardly any two rows" in refusal(frame)
    item = frozenset({"temp"})
    assert not refusal(frame, ReleaseTerms(declared=item, codes=item))
    postal = frame.with_columns(temp=pl.Series([f"{100 + i}-{i:04d}" for i in range(400)]))
    assert not refusal(postal)
    assert "hardly any two rows" in refusal(postal, ReleaseTerms())


def test_a_card_number_among_codes_of_items_is_refused() -> None:
    items = [f"i{i % 20}" for i in range(399)] + ["4111111111111111"]
    terms = ReleaseTerms(declared=frozenset({"item"}), codes=frozenset({"item"}))
    assert "identity numbers" in refusal(pl.DataFrame({"item": items}), terms)
    assert not refusal(pl.DataFrame({"item": items[:-1]}), terms)


@pytest.mark.parametrize(
    "name", ["postOp4hour_throatPain", "pacu90minSwallowPain", "HbA1cAtVisit2"]
)
def test_words_written_together_name_columns(name: str) -> None:
    require_clean_frame(pl.DataFrame({name: [1, 2]}), ReleaseTerms())


@pytest.mark.parametrize(
    "name",
    [
        "q8Zt3LwX9vB2mK7cR4hN",
        "ghp_a1B2c3D4e5F6a1B2c3D4",
        "AKIAHGZUFAGNXUJJNTEY",
        "ab12cd34ef56ab12cd34ef56ab12cd34",
    ],
)
def test_tokens_name_no_columns(name: str) -> None:
    assert "names of columns" in refusal(pl.DataFrame({name: [1, 2]}), ReleaseTerms())
