"""Recommendation rules from a file, by its name: YAML or CSV.

    rules = read_rules("rules.yaml")

YAML: under each recommendation's name the attributes and what is wanted of them. A list of blocks
means any of them. Values are taken as they are written; `*`, `>` and `>=` must be in quotation
marks.

    men's clothes A: {sex: 男性, height: "<=170"}
    charm: {birth: {min: 1977, max: 1979}}
    spanner:
      - {occupation: [生産工程従事者, 建設・採掘従事者]}
      - {birth: "<1950"}

CSV: a line per box, the recommendation first, then a column per attribute. Lines with the same name
are boxes of one rule. An empty cell or `*` means any value, `{a;b}` any of some, `[a;b]` a range.

    rule,sex,birth,height
    men's clothes A,男性,*,<=170
    clothes B,*,[1974;1979],[167;188]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import yaml

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.files.containers import (
    AnyPath,
    Format,
    format_of,
    input_error,
    load_bytes,
    own_separator,
    suffix_of,
)
from tokumei.files.csv_text import parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.tables.rules.rules import Box, Rule, Wanted, parse_wanted

_YAML = (".yaml", ".yml")
_TEXT = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")


def read_rules(path: AnyPath, *, sep: str | None = None, encoding: str = "auto") -> list[Rule]:
    """The rules of a file; an InputError lists all that is wrong with it."""
    is_yaml = suffix_of(path) in _YAML
    form = Format.CSV if is_yaml else format_of(path, (*_TEXT, *_YAML))
    data = to_utf8(load_bytes(path, form), encoding, where=path)
    if is_yaml:
        return parse_yaml_rules(data.decode(), where=path)
    return parse_csv_rules(data, where=path, sep=sep or own_separator(path))


def parse_csv_rules(data: bytes, *, where: AnyPath, sep: str | None = None) -> list[Rule]:
    """The rules in the order of their first lines; an InputError lists all faults."""
    rows = parse_csv(data, sep=sep, where=where)
    names = rows.frame.columns[1:]
    boxes: dict[str, list[Box]] = {}
    faults = []
    for number, (name, *cells) in enumerate(rows.frame.iter_rows()):
        if name is None or not name.strip():
            nameless = Text("the rule has no name", "推薦ルールに名前がありません")
            faults.append(rule_fault(rows.line_of(number), nameless))
            continue
        found = {one: parse_wanted(cell or "") for one, cell in zip(names, cells, strict=True)}
        wanted = {one: asked for one, asked in found.items() if asked is not None}
        box = Box(wanted, dict.fromkeys(wanted, rows.line_of(number)))
        boxes.setdefault(name.strip(), []).append(box)
    if faults:
        raise unusable(where, faults)
    return [Rule(name, tuple(parts)) for name, parts in boxes.items()]


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL = "tag:yaml.org,2002:null"
_ENDS = ("min", "max")


def parse_yaml_rules(text: str, *, where: AnyPath) -> list[Rule]:
    """The rules in order; an InputError lists all faults with their lines."""
    faults: list[Fault] = []
    rules = []
    for name, node in _entries(_composed(text, where), faults, Text("rules", "規則")):
        blocks = node.value if isinstance(node, yaml.SequenceNode) else [node]
        boxes = tuple(_box(name, block, faults) for block in blocks)
        if not boxes:
            empty = Text(f"rule '{name}' is empty", f"推薦ルール '{name}' が空です")
            faults.append(_shape(node, empty))
        rules.append(Rule(name, boxes))
    if not rules and not faults:
        faults.append(rule_fault(1, Text("there are no rules", "推薦ルールがありません")))
    if faults:
        raise unusable(where, faults)
    return rules


def _composed(text: str, where: AnyPath) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
        return root
    except (yaml.YAMLError, ValueError, RecursionError) as err:
        mark = getattr(err, "problem_mark", None)
        problem = getattr(err, "problem", None) or "too deep"
        message = Text(
            f'not valid YAML ({problem}); write "*" and ">=170" in quotation marks',
            f'YAML として読めません ({problem})。"*" や ">=170" は引用符で囲みます',
        )
        raise unusable(where, [rule_fault(mark.line + 1 if mark else 1, message)]) from None


def _entries(
    node: yaml.Node | None, faults: list[Fault], what: Text
) -> Iterator[tuple[str, yaml.Node]]:
    """The names of a mapping and what stands under them; anything else becomes a fault."""
    if node is None:
        return
    if not isinstance(node, yaml.MappingNode):
        wrong = Text(f"{what.en}: write name: …", f"{what.ja}: 名前: … と書きます")
        faults.append(_shape(node, wrong))
        return
    seen: set[str] = set()
    for key, value in node.value:
        name = str(key.value).strip() if isinstance(key, yaml.ScalarNode) else ""
        if not name or name in seen:
            wrong = Text(f"'{name}' is given twice or has no name", f"名前 '{name}' の重複か欠落")
            faults.append(_shape(key, wrong))
            continue
        seen.add(name)
        yield name, value


def _box(rule: str, block: yaml.Node, faults: list[Fault]) -> Box:
    wanted: dict[str, Wanted] = {}
    lines: dict[str, int] = {}
    for name, node in _entries(block, faults, Text(f"rule '{rule}'", f"規則 '{rule}'")):
        lines[name] = node.start_mark.line + 1
        asked = _wanted(rule, name, node, faults)
        if asked is not None:
            wanted[name] = asked
    return Box(wanted, lines)


def _wanted(rule: str, name: str, node: yaml.Node, faults: list[Fault]) -> Wanted | None:
    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == _NULL else parse_wanted(str(node.value))
    if isinstance(node, yaml.SequenceNode):
        values = [part.value for part in node.value if isinstance(part, yaml.ScalarNode)]
        if values and len(values) == len(node.value):
            return Wanted(values=tuple(str(value).strip() for value in values))
    elif (ends := _ends(node)) is not None:
        return ends
    message = Text(
        f"rule '{rule}', attribute '{name}': write a value, [values] or {{min: …, max: …}}",
        f"規則 '{rule}'、属性 '{name}': 値、[値, …]、{{min: …, max: …}} のいずれかを書きます",
    )
    faults.append(_shape(node, message, attribute=name))
    return None


def _ends(node: yaml.Node) -> Wanted | None:
    """The range that `{min:, max:}` names; None if it is something else."""
    pairs = {str(key.value): part for key, part in node.value}
    if not pairs or not set(pairs) <= set(_ENDS) or len(pairs) < len(node.value):
        return None
    if not all(isinstance(part, yaml.ScalarNode) for part in pairs.values()):
        return None
    low, high = (str(pairs[end].value).strip() if end in pairs else None for end in _ENDS)
    return None if "" in (low, high) else Wanted(low=low, high=high)


def _shape(node: yaml.Node, message: Text, *, attribute: str | None = None) -> Fault:
    return rule_fault(node.start_mark.line + 1, message, attribute=attribute)


RULE = "recommendation-rules"


def rule_fault(line: int | None, message: Text, *, attribute: str | None = None) -> Fault:
    """A fault on a line of the file, or of a rule that stands in none."""
    if line:
        message = Text(f"line {line}: {message.en}", f"{line} 行目: {message.ja}")
    return Fault(rule=RULE, line=line, column=attribute, message=message)


def unusable(where: AnyPath, faults: Sequence[Fault]) -> InputError:
    """The error that lists them, by line."""
    ordered = sorted(faults, key=lambda fault: fault.line or 0)
    return input_error(where, "the rules cannot be used", "規則が使えません", faults=ordered)


def yaml_rules(rules: Sequence[Rule]) -> str:
    """The rules as `read_rules` takes them."""
    written = {
        rule.name: [
            {name: _plain_wanted(wanted) for name, wanted in box.wanted.items()}
            for box in rule.boxes
        ]
        for rule in rules
    }
    return str(yaml.safe_dump(written, allow_unicode=True, sort_keys=False, width=100))


def _plain_wanted(wanted: Wanted) -> object:
    if wanted.text:
        return wanted.text
    if wanted.values:
        return wanted.values[0] if len(wanted.values) == 1 else list(wanted.values)
    ends = {"min": wanted.low, "max": wanted.high}
    return {name: end for name, end in ends.items() if end is not None}
