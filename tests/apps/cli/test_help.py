"""Help and usage errors in Japanese, the version, and the headings of the list of commands."""

from __future__ import annotations

import json
import re

import pytest
from rich.cells import cell_len

from support.made_up_language import made_up as made_up
from tokumei._version import __version__
from tokumei.apps.cli.app import main
from tokumei.apps.cli.dispatch import list_commands
from tokumei.apps.cli.help import first_sentence
from tokumei.apps.cli.help_sections import HELP_SECTIONS, OTHER_COMMANDS
from tokumei.apps.cli.option_help import FEW_OPTIONS
from tokumei.core.messages import Message

JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


def run(capsys, *args):
    with pytest.raises(SystemExit) as end:
        main(list(args))
    return end.value.code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["attac"], "コマンド 'attac' はありません。'attack' のことですか?"),
        (["run"], "RECIPE が必要です"),
        (["attack", "--seed", "x"], "--seed の値が不正です: 整数を指定してください"),
        (["attack", "--format", "zip"], "--format: 値 'zip' はありません"),
        (["attack"], "--original が必要です"),
        (["contest", "status"], "--server (または環境変数 TOKUMEI_SERVER) が必要です"),
    ],
)
def test_wrong_usage_is_told_in_japanese(capsys, args, words):
    code, out, err = run(capsys, "--lang", "ja", *args)
    assert (code, out) == (2, "")
    assert words in err


def test_wrong_usage_as_json_is_one_object(capsys):
    import json

    code, out, _ = run(capsys, "attack", "--seed", "x", "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["error"]) == (2, False, "UsageError")
    assert JAPANESE.search(found["message_ja"])


def test_help_is_japanese_throughout(capsys):
    for args in (["--help"], ["attack", "--help"], ["sample", "--help"]):
        _, page, _ = run(capsys, "--lang", "ja", *args)
        assert "使い方: tokumei" in page
        assert not re.search(
            r"^(Usage|Options|Commands|Arguments|Examples?):|how this page", page, re.MULTILINE
        )


def test_the_version(capsys):
    assert run(capsys, "--version")[:2] == (0, f"tokumei {__version__}\n")
    for asked in (("--version", "--json"), ("--json", "--version", "--lang", "ja")):
        code, out, err = run(capsys, *asked)
        assert (code, json.loads(out), err) == (0, {"version": __version__}, "")


def test_every_command_stands_under_a_heading(capsys):
    _, page, _ = run(capsys, "--help")
    assert OTHER_COMMANDS.show("en") not in page
    for title, names in HELP_SECTIONS:
        assert f"{title.show('en')}:" in page
        assert all(re.search(rf"^  {name}\b", page, re.MULTILINE) for name in names)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("group", ["", "price", "ledger", "contest", "hierarchy"])
def test_lists_of_commands_are_never_cut_off(capsys, lang, group):
    """Japanese has no blanks at which a sentence could be cut: whole ones would become dots."""
    _, page, _ = run(capsys, "--lang", lang, *filter(None, [group]), "--help")
    listed = page.partition("-h, --help")[2]
    assert listed.count("\n  ") > 3
    assert "..." not in listed
    if not group:
        assert max(map(cell_len, listed.splitlines())) <= 80


def test_roles_are_listed_in_the_language_in_force(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{20 + n % 30},{'MF'[n % 2]},{100 + n * 3}\n" for n in range(60))
    (tmp_path / "x.csv").write_text("age,sex,income\n" + rows)
    asked = ("measure", "utility", "--original", "x.csv", "--release", "x.csv")
    _, _, japanese = run(capsys, *asked, "--lang", "ja")
    _, _, english = run(capsys, *asked, "--lang", "en")
    assert "  age: 準識別子、整数 (" in japanese
    assert "  age: quasi-identifier, integer (" in english


def test_help_names_defaults_as_they_are_typed(capsys):
    _, table, _ = run(capsys, "anonymize", "table", "--help-all", "--lang", "en")
    said = " ".join(table.split())
    assert "method name(s): a,b [default: mondrian]" in said
    assert "--attacks linkage,E4,E2,EUC2,EUC1,E3,E1" in said
    assert "the table to anonymize [required]" in said
    _, ks, _ = run(capsys, "choose", "--help-all", "--lang", "en")
    assert "2-20 or 2,3,6 [default: 2,3,5,10,20,50]" in " ".join(ks.split())
    _, demo, _ = run(capsys, "demo", "--help", "--lang", "en")
    assert "random" not in demo


def test_help_names_the_limits_of_numbers_and_switches_that_are_on(capsys):
    _, english, _ = run(capsys, "price", "serve", "--help", "--lang", "en")
    assert "0: any free port [default: 8000] [0 to 65535]" in english
    assert "searches that may wait [default: 64] [at least 0]" in english
    assert "accept price lists by POST [default: on]" in english
    _, japanese, _ = run(capsys, "price", "serve", "--help", "--lang", "ja")
    assert "[0〜65535]" in japanese
    assert "[既定: 有効]" in japanese


def test_json_of_a_group_says_that_a_command_is_missing(capsys):
    import json

    for args in (["measure", "--json"], ["--json", "look", "x.csv"]):
        code, out, _ = run(capsys, *args)
        assert (code, json.loads(out)["message_en"][:16]) == (2, "Missing command:")


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("columns", ["80", "100"])
def test_a_command_with_many_options_shows_the_common_ones(capsys, monkeypatch, lang, columns):
    monkeypatch.setenv("COLUMNS", columns)
    for command in list_commands():
        shown = [one for one in command.options().values() if not one.hidden]
        if len(shown) <= FEW_OPTIONS + 1:
            continue
        _, page, _ = run(capsys, *command.path, "--help", "--lang", lang)
        assert len(page.splitlines()) <= 60, command.path
        assert max(map(cell_len, page.splitlines())) <= int(columns), command.path
        assert "--help-all" in page
        _, whole, _ = run(capsys, *command.path, "--help-all", "--lang", lang)
        for one in shown:
            assert one.positional or one.written in whole


@pytest.mark.parametrize("command", ["add", "check", "attack"])
def test_what_kinds_say_alike_is_said_once(capsys, command):
    _, out, _ = run(capsys, "ledger", command, "--help")
    paragraphs = [part for part in out.split("\n\n") if part.strip()]
    assert len(paragraphs) == len({*paragraphs})


def test_every_language_with_a_catalog_is_offered(capsys, made_up):
    _, page, _ = run(capsys, "--help")
    assert "--lang en|ja|xx" in page
    assert "language of messages: en, ja, xx" in page
    code, _, err = run(capsys, "methods", "--lang", "fr")
    assert (code, err) == (2, "Error: --lang must be one of en, ja, xx, not 'fr'\n")
    assert "en / ja / xx" in run(capsys, "--lang", made_up, "--help")[1]


def test_a_list_shows_the_first_sentence_of_each_language():
    about = Message.of_texts({"en": "See a.b now. Then c.", "ja": "一。二。"})
    assert first_sentence(about).texts() == {"en": "See a.b now.", "ja": "一。"}
