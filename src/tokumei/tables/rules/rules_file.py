"""Recommendation rules from a file, by its name: YAML or CSV.

rules = read_rules("rules.yaml")
"""

from __future__ import annotations

from tokumei.files.containers import AnyPath, Format, format_of, load_bytes, suffix_of
from tokumei.files.encodings import to_utf8
from tokumei.tables.rules.rules import Rule
from tokumei.tables.rules.rules_csv import parse_csv_rules
from tokumei.tables.rules.rules_yaml import parse_yaml_rules

_YAML = (".yaml", ".yml")
_TEXT = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")


def read_rules(path: AnyPath, *, sep: str | None = None, encoding: str = "auto") -> list[Rule]:
    """The rules of a file; an InputError lists all that is wrong with it."""
    is_yaml = suffix_of(path) in _YAML
    form = Format.CSV if is_yaml else format_of(path, (*_TEXT, *_YAML))
    data = to_utf8(load_bytes(path, form), encoding, where=path)
    if is_yaml:
        return parse_yaml_rules(data.decode(), where=path)
    tab = "\t" if suffix_of(path).startswith(".tsv") else None
    return parse_csv_rules(data, where=path, sep=sep or tab)
