"""python -m catalogs update | compile | check | translate FILE | new LANGUAGE | pseudo FOLDER"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from catalogs.checks import check_catalogs
from catalogs.extraction import SOURCE, extract_messages
from catalogs.po_files import (
    catalog_path,
    compile_catalog,
    first_text,
    is_language,
    list_catalogs,
    locked_catalogs,
    read_catalog,
    update_catalog,
    write_catalog,
)
from catalogs.pseudo_locale import write_pseudo_locale


def main(argv: Sequence[str] | None = None, source: Path = SOURCE) -> int:
    """Run one command on the package in `source`; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m catalogs", description="The message catalogs.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("update", help="bring every catalog in line with the source")
    commands.add_parser("compile", help="write what the package reads (.mo)")
    commands.add_parser("check", help="fail on missing, unused, doubtful or mismatched entries")
    new = commands.add_parser("new", help="begin a language: an empty catalog")
    new.add_argument("language", help="its code, such as fr or pt_BR")
    translate = commands.add_parser("translate", help="take translations from a JSON file")
    translate.add_argument("file", help='a list of [context or null, "English", "translation"]')
    translate.add_argument("--language", default="ja")
    pseudo = commands.add_parser("pseudo", help="a language in which every sentence has brackets")
    pseudo.add_argument("folder")
    arguments = parser.parse_args(argv)
    match arguments.command:
        case "update":
            update(source)
        case "compile":
            for path in list_catalogs(source / "locale"):
                compile_catalog(path)
        case "check":
            faults = check_catalogs(extract_messages(source), source / "locale")
            print("\n".join(faults) or "catalogs: nothing is missing, unused or doubtful")
            return bool(faults)
        case "new":
            return begin_language(arguments.language, source)
        case "translate":
            return take_translations(Path(arguments.file), arguments.language, source)
        case "pseudo":
            write_pseudo_locale(Path(arguments.folder), source)
    return 0


def update(source: Path) -> None:
    """Update all catalogs and tell what came and went."""
    extraction = extract_messages(source)
    with locked_catalogs(source / "locale"):
        for path in list_catalogs(source / "locale"):
            came, went = update_catalog(path, extraction)
            language, total = path.parents[1].name, len(extraction.messages)
            print(f"{language}: {came} new, {went} gone, {total} in all")
            compile_catalog(path)


def begin_language(language: str, source: Path) -> int:
    """Write the empty catalog of a new language."""
    path = catalog_path(language, source / "locale")
    if not is_language(language):
        print(f"'{language}' is no code of a language, such as fr or pt_BR", file=sys.stderr)
        return 2
    if path.exists():
        print(f"{path}: is there already; 'update' brings it in line", file=sys.stderr)
        return 2
    update_catalog(path, extract_messages(source))
    print(f"{path}: fill in the sentences, then run 'python -m catalogs compile'")
    return 0


def take_translations(file: Path, language: str, source: Path) -> int:
    """Fill translations in; those of no sentence of the source are listed."""
    wanted = {(context, text): said for context, text, said in json.loads(file.read_text("utf-8"))}
    path = catalog_path(language, source / "locale")
    with locked_catalogs(source / "locale"):
        update_catalog(path, extract_messages(source), keep_unused=True)
        catalog = read_catalog(path)
        for message in catalog:
            said = wanted.pop((message.context, first_text(message.id)), None)
            if message.id and said is not None:
                is_plural = not isinstance(message.id, str)
                message.string = tuple([said] * catalog.num_plurals) if is_plural else said
                message.flags.discard("fuzzy")
        write_catalog(path, catalog)
        compile_catalog(path)
    for context, text in wanted:
        print(
            f"not in the source: {text!r}" + (f" ({context})" if context else ""), file=sys.stderr
        )
    return bool(wanted)


if __name__ == "__main__":
    sys.exit(main())
