"""Tests of tokumei.apps.cli.text_wrapping."""

from __future__ import annotations

from tokumei.apps.cli.text_wrapping import display_width, wrap_text


def test_lines_end_between_words_or_wide_characters(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    for text in ("plain words in one line and more", "匿名加工データを検証します。読めます。"):
        lines = wrap_text(text, indent=2).splitlines()
        assert max(map(display_width, lines)) <= 20
        assert not any(line.strip().startswith("。") for line in lines)
        assert "".join("".join(lines).split()) == "".join(text.split())
