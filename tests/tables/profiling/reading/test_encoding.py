"""Tests of tokumei.tables.profiling.reading.encoding."""

from __future__ import annotations

import pytest

from tables.profiling.reading_helpers import JAPANESE
from tokumei.tables.profiling.reading.encoding import guess_encoding


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
    "codec", ["utf-8", "utf-8-sig", "cp932", "utf-16", "euc-jp", "iso-2022-jp"]
)
def test_japanese_encodings(codec: str) -> None:
    assert guess_encoding((JAPANESE * 20).encode(codec)) == codec


def test_latin_text_is_not_japanese_by_accident() -> None:
    text = "Straße;Größe;Prénom\nMüllerstraße;größer;André\n" * 30
    assert guess_encoding(text.encode("latin-1")) == "latin-1"
    assert guess_encoding((text + "“50 €”\n").encode("cp1252")) == "cp1252"


def test_chinese_is_not_odd_japanese() -> None:
    lines = "编号,姓名,性别,学历,所在城市\n1,王伟,男,本科,上海\n2,李静,女,硕士,广州\n"
    assert guess_encoding(lines.encode("gb18030")) == "gb18030"
    japanese = "番号,氏名,性別,学歴,所在地\n1,山田太郎,男,大学,上田\n2,鈴木花子,女,高校,広島\n"
    assert guess_encoding(japanese.encode("euc-jp")) == "euc-jp"


def test_hungarian_is_read_as_such_and_its_neighbours_are_not() -> None:
    assert guess_encoding("Kezelőorvos;Ügyfél\nErdős Éva;fű\n".encode("cp1250")) == "cp1250"
    for text in ("Observações;Não\nJoão;opções\n", "Prénom;août\nZoé;sûr, à la forêt\n"):
        assert guess_encoding(text.encode("latin-1")) == "latin-1"
