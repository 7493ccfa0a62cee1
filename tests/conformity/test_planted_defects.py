"""Each planted defect is found by the check that serves its item; clean releases do not fail."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from conformity.planted_defects_helpers import verdicts_of
from conformity.planted_defects_scene import before
from support.clean_releases import Clean, clean
from tokumei.conformity.assessment import conform
from tokumei.conformity.finding import Verdict

VALID_CARD = "4539 1488 0343 6467"


VALID_MY_NUMBER = "123456789018"


def ids_of(made: Clean) -> list[str]:
    return made.original["customer"].unique().sort().to_list()


def by_id(rule: Callable[[str], str]) -> Callable[[Clean], Clean]:
    return lambda made: made.pseudonyms_of({name: rule(name) for name in ids_of(made)})


def ranked(made: Clean) -> Clean:
    """Random numbers, but in the order of the ids."""
    rng = np.random.default_rng(1)
    codes = np.sort(rng.choice(np.arange(10**6, 10**7), len(ids_of(made)), replace=False))
    return made.pseudonyms_of(dict(zip(ids_of(made), codes.astype(str), strict=True)))


def copied_prefix(made: Clean) -> Clean:
    rng = np.random.default_rng(2)
    return made.pseudonyms_of(
        {name: f"{rng.integers(10)}{name[3:]}{rng.integers(10**4):04d}" for name in ids_of(made)}
    )


def own_id_in(column: str) -> Callable[[Clean], Clean]:
    return lambda made: made.with_cells(**{column: made.original["customer"]})


def in_order(made: Clean) -> Clean:
    return Clean(made.original, made.release, np.arange(made.release.height))


def big_spender(made: Clean) -> Clean:
    """A tenth of all rows under one pseudonym."""
    tenth = pl.int_range(pl.len()) % 10 == 0
    return made.with_cells(customer=pl.when(tenth).then(pl.lit("5555555")).otherwise("customer"))


def id_in_one_memo(made: Clean) -> Clean:
    return made.with_cell("memo", f"see {made.original['customer'][7]}")


def id_in_one(column: str, form: str, *, wide: bool = False) -> Callable[[Clean], Clean]:
    def spoil(made: Clean) -> Clean:
        name = made.original["customer"][7]
        shown = "".join(chr(ord(digit) + 0xFEE0) for digit in name) if wide else name
        return made.with_cell(column, form.format(shown))

    return spoil


def invoices_kept(made: Clean) -> Clean:
    return made.with_cells(invoice=made.original["invoice"])


def one_start_each(made: Clean) -> Clean:
    """A random code for life, then the month: every pseudonym is new, but only at its end."""
    rng = np.random.default_rng(3)
    codes = {name: f"{rng.integers(10**8):08d}" for name in ids_of(made)}
    month = made.original["day"].str.extract(r"/(\d+)/", 1).str.zfill(2)
    return made.with_cells(customer=made.original["customer"].replace_strict(codes) + month)


def code_for_each(column: str) -> Callable[[Clean], Clean]:
    def spoil(made: Clean) -> Clean:
        codes = {name: f"z{place * 37}" for place, name in enumerate(ids_of(made)[::-1])}
        return made.with_cells(**{column: made.original["customer"].replace_strict(codes)})

    return spoil


def base64_of(name: str) -> str:
    return base64.b64encode(name.encode()).decode()


def cell(column: str, value: str) -> Callable[[Clean], Clean]:
    return lambda made: made.with_cell(column, value)


def extreme(column: str, sds: float) -> Callable[[Clean], Clean]:
    def spoil(made: Clean) -> Clean:
        numbers = made.original[column].cast(pl.Float64)
        far = float(numbers.mean() + sds * numbers.std())
        return made.with_cell(column, f"{far:.2f}" if column == "price" else f"{far:.0f}")

    return spoil


def digest(algorithm: str, length: int | None = None) -> Callable[[str], str]:
    return lambda name: hashlib.new(algorithm, name.encode()).hexdigest()[:length]


sha1 = digest("sha1")


PLANTS: list[tuple[str, str, Callable[[Clean], Clean]]] = [
    ("an id left in a memo column", "original-ids", own_id_in("memo")),
    (
        "one id left in a memo",
        "original-ids",
        id_in_one_memo,
    ),
    ("an id as invoice", "original-ids", own_id_in("invoice")),
    ("an id after a hyphen", "original-ids", id_in_one("item", "i3-{}")),
    ("an id filled up with zeros", "original-ids", id_in_one("invoice", "000{}")),
    ("an id in full-width digits", "original-ids", id_in_one("memo", "{}", wide=True)),
    ("pseudonyms that only end anew", "lasting-codes", one_start_each),
    ("a code for life as invoice", "lasting-codes", code_for_each("invoice")),
    ("a code for life in a memo", "lasting-codes", code_for_each("memo")),
    ("the id itself as pseudonym", "original-ids", by_id(str)),
    ("md5 of the id", "derived-pseudonyms", by_id(digest("md5"))),
    ("sha256 of the id, cut", "derived-pseudonyms", by_id(digest("sha256", 12))),
    (
        "sha1 of the id in capitals",
        "derived-pseudonyms",
        by_id(lambda name: sha1(name).upper()),
    ),
    (
        "base64 of the id",
        "derived-pseudonyms",
        by_id(base64_of),
    ),
    ("the id reversed", "derived-pseudonyms", by_id(lambda name: name[::-1])),
    ("the id plus a constant", "derived-pseudonyms", by_id(lambda name: str(int(name) + 777_777))),
    ("order-preserving pseudonyms", "pseudonym-order", ranked),
    ("the id's last digits inside", "copied-characters", copied_prefix),
    (
        "original invoice numbers",
        "invoice-numbers",
        invoices_kept,
    ),
    ("rows in the original's order", "row-order", in_order),
    ("an e-mail address", "e-mail", cell("memo", "write to hanako@example.co.jp")),
    ("a telephone number", "phones", cell("memo", "090-1234-5678")),
    ("a full-width telephone number", "phones", cell("memo", "０９０－１２３４－５６７８")),
    ("a telephone number with dashes", "phones", cell("memo", "03–1234–5678")),
    ("an address", "addresses", cell("memo", "東京都千代田区霞が関1丁目2番3号")),
    ("a name", "names", cell("memo", "佐藤 花子")),
    ("a card number", "cards", cell("memo", VALID_CARD)),
    ("a full birth date", "birth-dates", cell("memo", "生年月日 1984-03-12")),
    ("a My Number", "my-number", cell("memo", VALID_MY_NUMBER)),
    ("a passport number", "passport", cell("memo", "TK1234567")),
    ("a driving licence", "licence", cell("memo", "301234567810")),
    ("an item bought by one person", "single-items", cell("item", "i999")),
    ("a unit price at mean + 5 sd", "extreme-prices", extreme("price", 5)),
    ("a quantity at mean + 6 sd", "extreme-quantities", extreme("quantity", 6)),
    ("a spender far above the others", "extreme-spenders", big_spender),
    ("an age of 97", "tails", cell("age", "97")),
]


@pytest.mark.parametrize("seed", range(5))
def test_a_clean_release_does_not_fail(seed: int) -> None:
    found = conform(clean(seed).case())
    assert [one.id for one in found.findings if one.verdict is Verdict.FAIL] == []


@pytest.mark.long
@pytest.mark.parametrize(("what", "check", "spoil"), PLANTS, ids=[plant[0] for plant in PLANTS])
def test_a_planted_defect_is_found_but_not_shown(
    what: str, check: str, spoil: Callable[[Clean], Clean]
) -> None:
    assert before()[check] is Verdict.PASS
    made = spoil(clean(3))
    found = conform(made.case())
    wanted = Verdict.HUMAN if check == "names" else Verdict.FAIL
    assert verdicts_of(found)[check] is wanted, what
    shown = str(found.as_json())
    assert not [one for one in secrets(made) if f"'{one}" in shown or f" {one} " in shown]


def secrets(made: Clean) -> set[str]:
    planted = {
        "hanako@example",
        "090-1234",
        "霞が関",
        "佐藤",
        VALID_CARD,
        VALID_MY_NUMBER,
        "TK1234567",
    }
    return planted | set(made.original["customer"]) | set(made.release["customer"])
