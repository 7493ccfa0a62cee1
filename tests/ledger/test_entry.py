"""What a ledger records of a release survives its line."""

import json

from tokumei.ledger.entry import LedgerEntry, strip_claim_values

ENTRY = LedgerEntry(
    number=7,
    name="spring",
    kind="table",
    recipient="lab",
    made="2024-05-01",
    public="spring.csv",
    sha256="00ff",
    rows=10,
    people=9,
    known=3,
    k=4,
    claims=({"rule": "k-anonymity", "params": {"k": 4}},),
    cells=("age",),
    sensitive=("pay",),
)


def test_an_entry_is_the_same_after_its_line_was_written_and_read() -> None:
    line = json.loads(json.dumps(ENTRY.as_event()))
    assert line["event"] == "begin"
    assert LedgerEntry.of(line | {"unknown": "field"}) == ENTRY


def test_files_of_a_later_version_have_another_name() -> None:
    assert ENTRY.file_stem == "0007"
    assert LedgerEntry.of(ENTRY.as_event() | {"version": 2}).file_stem == "0007-2"


def test_claims_keep_columns_and_numbers_but_no_values() -> None:
    params = {"k": 4, "columns": ["age"], "where": {"town": "Kobe"}, "name": "Kobe"}
    stripped = strip_claim_values({"rule": "k-anonymity", "params": params})
    assert stripped == {"rule": "k-anonymity", "params": {"k": 4, "columns": ["age"]}}
