"""Tests of tokumei.tables.commands.sample."""

from __future__ import annotations


def test_an_error_of_the_system_is_one_document_in_both_languages(tokumei, monkeypatch):
    def fail(self):
        raise PermissionError(13, "Permission denied", "somewhere.csv")

    monkeypatch.setattr("tokumei.tables.commands.sample.SampleTable.answer", fail)
    ran = tokumei("sample", "table", "--out", "x.csv", "--json")
    assert (ran.code, ran.json["message_en"]) == (2, "somewhere.csv: permission denied")
    assert "許可" in ran.json["message_ja"]
