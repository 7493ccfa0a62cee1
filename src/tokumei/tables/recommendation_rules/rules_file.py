"""Reads recommendation rules from a YAML or CSV file.

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

from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import (
    AnyPath,
    FileFormat,
    detect_format,
    file_suffix,
    input_error,
    load_bytes,
    separator_from_name,
)
from tokumei.tables.recommendation_rules.rule_model import (
    RecommendationRule,
    RuleBox,
    WantedValues,
    parse_wanted,
)

_YAML_SUFFIXES = (".yaml", ".yml")
_TEXT_SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")


def read_rules(
    path: AnyPath, *, sep: str | None = None, encoding: str = "auto"
) -> list[RecommendationRule]:
    """The rules of a file; an InputError lists all that is wrong with it."""
    is_yaml = file_suffix(path) in _YAML_SUFFIXES
    form = FileFormat.CSV if is_yaml else detect_format(path, (*_TEXT_SUFFIXES, *_YAML_SUFFIXES))
    data = to_utf8(load_bytes(path, form), encoding, where=path)
    if is_yaml:
        return parse_yaml_rules(data.decode(), where=path)
    return parse_csv_rules(data, where=path, sep=sep or separator_from_name(path))


def parse_csv_rules(
    data: bytes, *, where: AnyPath, sep: str | None = None
) -> list[RecommendationRule]:
    """The rules in the order of their first lines; an InputError lists all faults."""
    rows = parse_csv(data, sep=sep, where=where)
    names = rows.frame.columns[1:]
    boxes: dict[str, list[RuleBox]] = {}
    faults = []
    for number, (name, *cells) in enumerate(rows.frame.iter_rows()):
        if name is None or not name.strip():
            nameless = Message("the rule has no name")
            faults.append(rule_violation(rows.line_of(number), nameless))
            continue
        parsed = {
            attribute: parse_wanted(cell or "")
            for attribute, cell in zip(names, cells, strict=True)
        }
        wanted = {
            attribute: parsed_wanted
            for attribute, parsed_wanted in parsed.items()
            if parsed_wanted is not None
        }
        box = RuleBox(wanted, dict.fromkeys(wanted, rows.line_of(number)))
        boxes.setdefault(name.strip(), []).append(box)
    if faults:
        raise unusable_rules_error(where, faults)
    return [RecommendationRule(name, tuple(parts)) for name, parts in boxes.items()]


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL_TAG = "tag:yaml.org,2002:null"
_RANGE_KEYS = ("min", "max")


def parse_yaml_rules(text: str, *, where: AnyPath) -> list[RecommendationRule]:
    """The rules in order; an InputError lists all faults with their lines."""
    faults: list[Violation] = []
    rules = []
    for name, node in _mapping_entries(
        _compose_yaml(text, where), faults, Message("rules", context="of recommendations")
    ):
        blocks = node.value if isinstance(node, yaml.SequenceNode) else [node]
        boxes = tuple(_parse_box(name, block, faults) for block in blocks)
        if not boxes:
            empty = Message("rule '{name}' is empty", name=name)
            faults.append(_node_violation(node, empty))
        rules.append(RecommendationRule(name, boxes))
    if not rules and not faults:
        faults.append(rule_violation(1, Message("there are no rules")))
    if faults:
        raise unusable_rules_error(where, faults)
    return rules


def _compose_yaml(text: str, where: AnyPath) -> yaml.Node | None:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
        return root
    except (yaml.YAMLError, ValueError, RecursionError) as err:
        mark = getattr(err, "problem_mark", None)
        problem = getattr(err, "problem", None) or Message("too deep")
        message = Message(
            'not valid YAML ({problem}); write "*" and ">=170" in quotation marks', problem=problem
        )
        raise unusable_rules_error(
            where, [rule_violation(mark.line + 1 if mark else 1, message)]
        ) from None


def _mapping_entries(
    node: yaml.Node | None, faults: list[Violation], subject: Message
) -> Iterator[tuple[str, yaml.Node]]:
    """The names of a mapping and what stands under them; anything else becomes a fault."""
    if node is None:
        return
    if not isinstance(node, yaml.MappingNode):
        problem = Message("{subject}: write name: …", subject=subject)
        faults.append(_node_violation(node, problem))
        return
    seen_names: set[str] = set()
    for key, value in node.value:
        name = str(key.value).strip() if isinstance(key, yaml.ScalarNode) else ""
        if not name or name in seen_names:
            problem = Message("'{name}' is given twice or has no name", name=name)
            faults.append(_node_violation(key, problem))
            continue
        seen_names.add(name)
        yield name, value


def _parse_box(rule: str, block: yaml.Node, faults: list[Violation]) -> RuleBox:
    wanted: dict[str, WantedValues] = {}
    lines: dict[str, int] = {}
    for name, node in _mapping_entries(block, faults, Message("rule '{rule}'", rule=rule)):
        lines[name] = node.start_mark.line + 1
        parsed_wanted = _parse_node(rule, name, node, faults)
        if parsed_wanted is not None:
            wanted[name] = parsed_wanted
    return RuleBox(wanted, lines)


def _parse_node(
    rule: str, name: str, node: yaml.Node, faults: list[Violation]
) -> WantedValues | None:
    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == _NULL_TAG else parse_wanted(str(node.value))
    if isinstance(node, yaml.SequenceNode):
        values = [part.value for part in node.value if isinstance(part, yaml.ScalarNode)]
        if values and len(values) == len(node.value):
            return WantedValues(values=tuple(str(value).strip() for value in values))
    elif (ends := _parse_range(node)) is not None:
        return ends
    message = Message(
        "rule '{rule}', attribute '{attribute}': write a value, [values] or {{min: …, max: …}}",
        rule=rule,
        attribute=name,
    )
    faults.append(_node_violation(node, message, attribute=name))
    return None


def _parse_range(node: yaml.Node) -> WantedValues | None:
    """The range that `{min:, max:}` names; None if it is something else."""
    pairs = {str(key.value): part for key, part in node.value}
    if not pairs or not set(pairs) <= set(_RANGE_KEYS) or len(pairs) < len(node.value):
        return None
    if not all(isinstance(part, yaml.ScalarNode) for part in pairs.values()):
        return None
    low, high = (str(pairs[end].value).strip() if end in pairs else None for end in _RANGE_KEYS)
    return None if "" in (low, high) else WantedValues(low=low, high=high)


def _node_violation(
    node: yaml.Node, message: Message, *, attribute: str | None = None
) -> Violation:
    return rule_violation(node.start_mark.line + 1, message, attribute=attribute)


VIOLATION_RULE = "recommendation-rules"


def rule_violation(
    line: int | None, message: Message, *, attribute: str | None = None
) -> Violation:
    """A fault on a line of the file, or of a rule that stands in none."""
    if line:
        message = Message("line {line}: {problem}", line=line, problem=message)
    return Violation(rule=VIOLATION_RULE, line=line, column=attribute, message=message)


def unusable_rules_error(where: AnyPath, faults: Sequence[Violation]) -> InputError:
    """The error that lists them, by line."""
    ordered = sorted(faults, key=lambda fault: fault.line or 0)
    return input_error(where, Message("the rules cannot be used"), faults=ordered)


def to_yaml(rules: Sequence[RecommendationRule]) -> str:
    """The rules as `read_rules` takes them."""
    written = {
        rule.name: [
            {name: _wanted_to_yaml(wanted) for name, wanted in box.wanted.items()}
            for box in rule.boxes
        ]
        for rule in rules
    }
    return str(yaml.safe_dump(written, allow_unicode=True, sort_keys=False, width=100))


def _wanted_to_yaml(wanted: WantedValues) -> object:
    if wanted.text:
        return wanted.text
    if wanted.values:
        return wanted.values[0] if len(wanted.values) == 1 else list(wanted.values)
    ends = {"min": wanted.low, "max": wanted.high}
    return {name: end for name, end in ends.items() if end is not None}
