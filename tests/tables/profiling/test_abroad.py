"""Files of other scripts, currencies and habits; nobody leaves in a remark."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tokumei.core.parsing.numbers import parse_numbers
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.cell_patterns import CELL_PATTERNS
from tokumei.tables.profiling.detection.header_types import types_from_header
from tokumei.tables.profiling.reading.encoding import guess_encoding

ROWS = 60


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("cp949", "홍길동,서울특별시 강남구 테헤란로,남성,회원"),
        ("gb18030", "王秀英,广东省深圳市南山区科技园,已签收,请放门口"),
        ("cp1251", "Иванов Сергей Петрович;ул. Садовая;детектив и история"),
        ("cp1253", "Παπαδόπουλος Γεώργιος;οδός Ερμού;ιστορία και τέχνη"),
        ("cp1250", "Wiśniewski Łukasz;ul. Długa;gotówka;przelew zwykły;Kościuszko"),
        ("cp1254", "Ayşe Şahin;Çağla Yıldız;fatura yüksek;arıza kaydı açıldı;ilçe dışı"),
        ("latin-1", "Käthe Brüggemann;Möwenweg;zahlt pünktlich;Straße"),
        ("cp932", "佐藤 健,東京都千代田区,男性,会員です"),
        ("euc-jp", "佐藤 健,とうきょう,男性,カードあり"),
    ],
)
def test_the_script_tells_the_encoding(encoding: str, line: str) -> None:
    text = "\n".join(f"{i},{line}" for i in range(30))
    assert guess_encoding(text.encode(encoding)) == encoding


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1.234,50 €", "12,00 €"], [1234.5, 12.0]),
        (["₹ 1,23,456", "₹ 99,000", "₹ 8,00,000", "₹ 2,00,500"], [123456.0, 99000, 8e5, 200500]),
        (["160,000원", "5,000원"], [160000.0, 5000.0]),
        (["R$ 1.200,00", "R$ 3,50"], [1200.0, 3.5]),
        (["12,50 руб.", "900,00 руб."], [12.5, 900.0]),
        (["1.234.000", "450.000"], [1234000.0, 450000.0]),
        (["1.234", "2.5"], [1.234, 2.5]),
        (["3.0", "4.0"], [3.0, 4.0]),
    ],
)
def test_money_of_other_countries_is_read_where_the_column_decides(
    cells: list[str], values: list[float]
) -> None:
    assert parse_numbers(pl.Series(cells)).values.to_list() == values


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Mietpartei", "somebody"),
        ("Straat en huisnr", "address"),
        ("Zamieszkały", "address"),
        ("Doğum Tarihi", "birth_date"),
        ("Né(e) le", "birth_date"),
        ("Bankverbindung", "bank_account"),
        ("Kenteken", "ssn"),
        ("Vermerk", "free_text"),
        ("Apellidos y nombre", "name"),
        ("Nazwisko", "name"),
        ("使用者", "somebody"),
    ],
)
def test_names_of_columns_abroad(name: str, kind: str) -> None:
    assert types_from_header(name)[0] == kind


def test_short_words_of_other_languages_count_only_alone() -> None:
    assert "ssn" not in types_from_header("ni_content")
    assert "free_text" not in types_from_header("not_employed")


def test_a_form_is_never_missed_for_want_of_its_signs() -> None:
    cells = [
        "a@b.jp",
        "10.0.0.1",
        "::1",
        "a:::",
        "12-34",
        "〒100-0001",
        "007",
        "9:30",
        "20代",
        "60+",
    ]
    cells += [
        "10-20万円",
        "超えて円",
        "#12",
        "A-12",
        "/x/y",
        "/1/2",
        "Mozilla/5.0",
        "J18.9",
        "3丁目",
    ]
    cells += ["午前", "DE12 3456 7890", "です。", "what?", "550e8400-e29b-41d4-a716-446655440000"]
    cells += ["00:1A:2B:3C:4D:5E", "09 0-000", "03-1234-5678", "٠٣-١٢٣٤-٥٦٧٨", "123-45-6789"]
    cells += [
        "東京都千代田区丸の内",
        "横浜市",
        "渋谷区1-2",
        "H1 2AB",
        "1234 AB",
        "平成",
        "R3",
        "2020-01",
    ]
    cells += [
        "abcdef-abcd",
        "www.a",
        "ftp://a",
        "ヤマダ",
        "やまだ",
        "(株)",
        "Co.",
        "12 Hill Road",
        "٣",
    ]
    cells += [
        "Hauptstr. 5",
        "Rue 1",
        "20200101",
        "a b c",
        "日本語日本語日本",
        "$1-2",
        "<50K",
        "¥1以上",
    ]
    all_forms = pl.DataFrame({"cell": cells}).select(
        pl.col("cell").str.contains(pattern).alias(form) for form, pattern in CELL_PATTERNS.items()
    )
    for cell, forms in zip(cells, all_forms.rows(named=True), strict=True):
        column = ColumnCells.of(pl.Series("c", [cell]))
        assert {form: column.share(form) > 0 for form in CELL_PATTERNS} == forms, cell
    assert all(found.any() for found in all_forms)


def remarks(tmp_path: Path) -> Path:
    some = ["", "zahlt bar"]
    names = ["Oltmanns", "Kröger", "Tietjen", "Ahlers", "Wörner"]
    rows = [
        f"{1940 + i};{'mw'[i % 2]};" + (f"Mahnung an {names[i // 12]} geschickt" if i % 12 == 0 else
        f"erreichbar 0421 / 55{i:04d}" if i % 17 == 1 else some[i % 2])
        for i in range(ROWS)
    ]  # fmt: skip
    source = tmp_path / "mieter.csv"
    source.write_bytes("\n".join(["Jahrgang;Geschlecht;Sonstiges", *rows]).encode("cp1252"))
    return source


def test_remarks_of_few_values_are_asked_about(tmp_path: Path) -> None:
    source, out = remarks(tmp_path), tmp_path / "y.csv"
    asked = ["anonymize", "table", "--data", str(source), "--k", "3", "--out", str(out)]
    assert tk.look(source)["Sonstiges"].fate == "ask"
    assert run(asked).code == 1
    assert not out.exists()
    assert run([*asked, "--answers", "defaults"]).code == 0
    assert b"0421" not in out.read_bytes()
    assert b"Tietjen" not in out.read_bytes()


def test_telephone_numbers_in_remarks_are_found_and_replaced(tmp_path: Path) -> None:
    found = tk.look(remarks(tmp_path))["Sonstiges"]
    assert [one.type for one in found.pii] == ["phone"]


@pytest.mark.parametrize("option", ["--pass", "--sa"])
def test_a_text_that_stays_is_said_to_stay(option: str, tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    rows = [f'{20 + i % 9},"visit {i} went well, thanks to a kind lady."' for i in range(ROWS)]
    source.write_text("\n".join(["age,remark", *rows]))
    asked = ["anonymize", "table", "--data", str(source), "--qi", "age", "--k", "3"]
    ran = run([*asked, option, "remark", "--out", str(out)])
    assert ran.code == 0, ran.err
    assert "text was kept in remark; names in it cannot be ruled out" in ran.err
