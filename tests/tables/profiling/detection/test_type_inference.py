"""Identifiers of other countries and systems are flagged or asked about; the rest is left alone.

Each file: its columns with a maker of cells; `!` marks what identifies somebody directly.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import tokumei as tk

ROWS = 120
Maker = Callable[[Random], object]
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def digits(number: int) -> Maker:
    return lambda r: r.randrange(10 ** (number - 1), 10**number)


def one_of(*texts: str) -> Maker:
    return lambda r: r.choice(texts)


def day(form: str, first: int = 1950, last: int = 2005) -> Maker:
    return lambda r: form.format(
        y=r.randint(first, last), m=r.randint(1, 12), d=r.randint(1, 28), h=r.randint(0, 23)
    )


def code(form: str) -> Maker:
    """`#` a digit, `@` a letter."""

    def make(r: Random) -> str:
        pick = {"#": lambda: str(r.randint(1, 9)), "@": lambda: r.choice(LETTERS)}
        return "".join(pick[c]() if c in pick else c for c in form)

    return make


def number(low: int, high: int) -> Maker:
    return lambda r: r.randint(low, high)


FILES: dict[str, tuple[str, str, dict[str, Maker]]] = {
    "spanish staff": (
        "latin-1",
        ";",
        {
            "!Nº Empleado": code("E#####"),
            "!Apellidos": one_of("García López", "Ruiz Díaz", "Muñoz Gómez", "Pérez Sánchez"),
            "!DNI": code("########@"),
            "!NSS": digits(12),
            "Fecha de nacimiento": day("{d:02}/{m:02}/{y}"),
            "Departamento": one_of("Ventas", "Logística", "Producción"),
            "!Móvil": code("6########"),
            "Jornada": one_of("Completa", "Parcial"),
        },
    ),
    "thai telephone list": (
        "utf-8",
        ",",
        {
            "!ชื่อ-นามสกุล": one_of("สมชาย ใจดี", "สุดา ทองคำ", "วิชัย แสงทอง"),
            "!เบอร์โทรศัพท์": code("08#-###-####"),
            "!เลขประจำตัวประชาชน": code("#-####-#####-##-#"),
            "จังหวัด": one_of("เชียงใหม่", "ขอนแก่น", "ภูเก็ต"),
            "อายุ": number(18, 80),
        },
    ),
    "chinese members": (
        "gb18030",
        ",",
        {
            "!编号": code("HY#######"),
            "!姓名": one_of("王伟", "李芳", "张敏", "刘静", "陈强"),
            "!身份证号码": code("1101011980####123X"),
            "!手机号": code("13#########"),
            "!微信号": code("wx_@######"),
            "!家庭住址": code("浦东新区人民路##号#栋###室"),
            "民族": one_of("汉族", "回族", "满族"),
            "学历": one_of("本科", "大专", "高中"),
            "月收入": number(3000, 40000),
        },
    ),
    "indian applicants": (
        "utf-8",
        ",",
        {
            "!Applicant": one_of("Priya Sharma", "Rahul Verma", "Deepa Patel"),
            "!Aadhaar": code("#### #### ####"),
            "!PAN": code("@@@P@####@"),
            "DOB": day("{d:02}-{m:02}-{y}"),
            "!Voter ID": code("@@@#######"),
            "Pincode": number(110001, 855117),
            "IFSC": one_of("SBIN0001234", "HDFC0000456", "ICIC0007788"),
            "KYC Status": one_of("Verified", "Pending"),
        },
    ),
    "german club": (
        "cp1252",
        ";",
        {
            "!Mitgl.-Nr.": code("M-####"),
            "!Kontoinhaber": one_of("Schmidt, Anna", "Weber, Jonas", "Groß, Uwe"),
            "!IBAN": code("DE## #### #### #### #### ##"),
            "Buchungstag": day("{d:02}.{m:02}.{y}", 2019, 2024),
            "Beitragsklasse": one_of("A", "B", "C"),
            "Ort": one_of("Köln", "Bonn", "Aachen"),
        },
    ),
    "american benefits": (
        "utf-8",
        "|",
        {
            "!EE_SSN": digits(9),
            "!LNAME": one_of("SMITH", "JOHNSON", "NGUYEN", "GARCIA"),
            "!DL_NUM": code("@#######"),
            "HIRE_DT": day("{m}/{d}/{y}", 1990, 2023),
            "PLAN_CD": one_of("PPO", "HMO", "HDHP"),
            "DEP_CNT": number(0, 5),
            "STATE": one_of("CA", "TX", "NY"),
        },
    ),
    "hospital messages": (
        "utf-8",
        ",",
        {
            "!PID.3": code("#######^^^HOSP^MR"),
            "!PID.5": one_of("DOE^JOHN^A", "ROE^JANE^B", "KLINE^MARY^C"),
            "PID.7": day("{y}{m:02}{d:02}", 1930, 2020),
            "PID.8": one_of("M", "F"),
            "!PV1.7": code("####^HOUSE^G^^^DR"),
            "DG1.3": one_of("I10", "E11.9", "M54.5"),
            "OBR.7": day("{y}{m:02}{d:02}{h:02}30", 2020, 2023),
        },
    ),
    "log of an app": (
        "utf-8",
        "\t",
        {
            "ts": day("2024-05-{d:02}T{h:02}:{m:02}:10.120Z"),
            "!device_uuid": code("a1b2c3d4-####-4###-8###-########aaaa"),
            "!uid": code("u_####"),
            "event": one_of("login", "view", "purchase"),
            "!client_ip": code("10.1#.2#.#"),
            "os": one_of("iOS 17.2", "Android 14"),
            "!wifi_mac": code("a#:b#:c#:d#:e#:f#"),
            "duration_ms": number(20, 3000),
            "started": number(1_700_000_000, 1_710_000_000),
        },
    ),
    "marks at school": (
        "cp932",
        ",",
        {
            "学年": number(1, 3),
            "!生徒氏名": one_of("佐藤　陽菜", "鈴木　蓮", "高橋　結衣"),
            "!ふりがな": one_of("さとう ひな", "すずき れん", "たかはし ゆい"),
            "!学籍番号": code("S2021###"),
            "国語": number(20, 100),
            "数学": number(20, 100),
            "部活動": one_of("野球部", "吹奏楽部", "無所属"),
            "!保護者連絡先": code("090-####-####"),
        },
    ),
    "two people in a row": (
        "cp932",
        ",",
        {
            "!会員No": digits(6),
            "!保護者名": one_of("佐藤 健一", "鈴木 美穂", "田中 直樹"),
            "!保護者携帯": code("080########"),
            "!児童名": one_of("佐藤 陽菜", "鈴木 蓮", "田中 湊"),
            "児童生年月日": day("H25.{m}.{d}"),
            "アレルギー": one_of("なし", "卵", "そば"),
            "!緊急連絡先": code("03-####-####（祖父）"),
            "利用曜日": one_of("月水金", "火木", "毎日"),
        },
    ),
}


def written(name: str, folder: Path) -> Path:
    encoding, sep, columns = FILES[name]
    chance = Random(name)
    lines = [sep.join(column.strip("!") for column in columns)]
    lines += [sep.join(str(make(chance)) for make in columns.values()) for _ in range(ROWS)]
    path = folder / "file.csv"
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


@pytest.mark.parametrize("name", FILES)
def test_identifiers_are_flagged_or_asked_about(name: str, tmp_path: Path) -> None:
    found = tk.look(written(name, tmp_path))
    direct = [column[1:] for column in FILES[name][2] if column.startswith("!")]
    assert found.people
    for column in direct:
        seen = found[column]
        assert seen.identifies or seen.fate == "ask", (column, seen.type, seen.reason.show("en"))
    harmless = [column for column in found.columns if column.name not in direct]
    assert [column.name for column in harmless if column.identifies or column.fate == "ask"] == []
