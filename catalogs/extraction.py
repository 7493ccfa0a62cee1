"""Finds the messages in code and templates.

    messages, faults = extract_messages()
    messages[None, "no rows"].files        # where it stands

In Python a message is the first argument of `Message`, of an error and of `option`, a literal (or a
choice of literals); in templates that of `_` and `label`. `context` and `plural` are literals, too;
the other keywords, and `count`, are the values of its placeholders. In data files of the package
messages are the texts under `title`, `slips` and `headings`, of the `context` beside them.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from jinja2 import Environment, nodes

from catalogs.glued_sentences import find_glued_code, find_glued_output

SOURCE = Path(__file__).parents[1] / "src" / "tokumei"
ERROR_BASE = "TokumeiError"
ERROR_KEYWORDS = frozenset({"faults", "total", "field", "value", "retry_after", "headers"})
CATALOG_KEYWORDS = frozenset({"context", "plural"})
MESSAGE_KEYWORDS = CATALOG_KEYWORDS | {"stable_code"}
TEMPLATE_CALLS = frozenset({"_", "label"})
DATA_FILES = ("*/demo.yaml", "apps/papers/figures/*.yaml", "apps/papers/headings.yaml")
DATA_KEYS = ("title", "slips", "headings")
Key = tuple[str | None, str]
WRAPPERS = frozenset(
    {"tokumei/apps/http/templates.py", "tokumei/core/messages.py", "tokumei/pages/translation.py"}
)
"""Files that make messages of sentences that stand elsewhere: `Message(text, **values)`."""
_TEMPLATES = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)


@dataclass
class ExtractedMessage:
    """A message of the source: its English plural and where it stands."""

    plural: str | None = None
    files: set[str] = field(default_factory=set)


@dataclass
class Extraction:
    """All messages by context and English, and what is wrong in the source."""

    messages: dict[Key, ExtractedMessage] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def add(self, place: str, key: Key, plural: str | None, values: set[str] | None) -> None:
        """Add a message; `values`: the names of its values, None if they cannot be told."""
        names = find_placeholders(key[1]) | (find_placeholders(plural) if plural else set())
        unsaid = {"count"} if plural else set()  # one form may say "one" or "no"
        if values is not None and names - unsaid != values - unsaid:
            wanted, given = (
                ", ".join(name or "{}" for name in sorted(part)) or "none"
                for part in (names, values)
            )
            self.faults.append(f"{place}: {key[1]!r} has placeholders {wanted}, values {given}")
        entry = self.messages.setdefault(key, ExtractedMessage())
        if plural and entry.plural not in (None, plural):
            self.faults.append(f"{place}: {key[1]!r} has two plurals")
        entry.plural = entry.plural or plural
        entry.files.add(place.partition(":")[0])


def find_placeholders(text: str) -> set[str]:
    """The names of a sentence's placeholders; braces around other signs are none."""
    try:
        names = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return set()
    return {name for name in names if not name or name[0].isidentifier()}


def extract_messages(source: Path = SOURCE) -> Extraction:
    """All messages of the package."""
    extraction = Extraction()
    calls_by_file: dict[str, list[ast.Call]] = {}
    classes: list[ast.ClassDef] = []
    for path in sorted(source.rglob("*.py")):
        file = path.relative_to(source.parent).as_posix()
        calls = calls_by_file[file] = []
        tree = ast.parse(path.read_text("utf-8"))
        if file not in WRAPPERS:
            extraction.faults += [f"{file}:{n}: {why}" for n, why in find_glued_code(tree)]
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                calls.append(node)
            elif isinstance(node, ast.ClassDef):
                classes.append(node)
    errors = _find_error_classes(classes)
    for file, calls in calls_by_file.items():
        _extract_from_python(extraction, file, calls, errors)
    for path in sorted(source.rglob("templates/**/*.html")):
        _extract_from_template(extraction, path.relative_to(source.parent).as_posix(), path)
    for path in sorted(path for pattern in DATA_FILES for path in source.glob(pattern)):
        data = yaml.safe_load(path.read_text("utf-8"))
        _extract_from_data(extraction, path.relative_to(source.parent).as_posix(), data)
    return extraction


def _find_error_classes(classes: Iterable[ast.ClassDef]) -> frozenset[str]:
    """The names of all classes that descend from the base of errors."""
    bases = {node.name: {_called_name(base) for base in node.bases} for node in classes}
    found = {ERROR_BASE}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found - {"UnknownNameError"})


def _extract_from_python(
    extraction: Extraction, file: str, calls: Iterable[ast.Call], errors: frozenset[str]
) -> None:
    for call in calls:
        name = _called_name(call.func)
        arguments = call.args
        if name == "partial" and arguments and _called_name(arguments[0]) in {"option", *errors}:
            name, arguments = _called_name(arguments[0]), arguments[1:]
        if (name not in ("Message", "option") and name not in errors) or not arguments:
            continue
        options = {k.arg: k.value for k in call.keywords}
        if file in WRAPPERS and None in options:
            continue
        place = f"{file}:{call.lineno}"
        texts = list(_literal_choices(arguments[0]))
        if None in texts and (name == "Message" or _is_glued(arguments[0])):
            kind = "a Message" if name == "Message" else name
            extraction.faults.append(f"{place}: the sentence of {kind} is no literal")
        extraction.faults += [
            f"{place}: {word} is no literal"
            for word in sorted(CATALOG_KEYWORDS & {*options})
            if _literal(options[word]) is None
        ]
        values: set[str] | None = None
        if name != "option" and None not in options:
            taken = MESSAGE_KEYWORDS | (ERROR_KEYWORDS if name in errors else frozenset())
            # one without values may be filled later
            values = {word for word in options if word is not None} - taken or None
        context, plural = (_literal(options.get(word)) for word in ("context", "plural"))
        for text in filter(None, texts):
            extraction.add(place, (context, text), plural, values)


def _called_name(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _literal(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _literal_choices(node: ast.expr) -> Iterator[str | None]:
    """The sentences among which an expression chooses; None for what is no literal."""
    if isinstance(node, ast.IfExp):
        yield from _literal_choices(node.body)
        yield from _literal_choices(node.orelse)
    else:
        yield _literal(node)


def _is_glued(node: ast.expr) -> bool:
    """Whether an expression puts a text together, instead of naming a message made elsewhere."""
    if isinstance(node, ast.IfExp):
        return _is_glued(node.body) or _is_glued(node.orelse)
    is_formatted = isinstance(node, ast.Call) and _called_name(node.func) in ("format", "join")
    return is_formatted or isinstance(node, ast.JoinedStr | ast.BinOp)


def _extract_from_template(extraction: Extraction, file: str, path: Path) -> None:
    template = _TEMPLATES.parse(path.read_text("utf-8"))
    extraction.faults += [f"{file}:{n}: {why}" for n, why in find_glued_output(template)]
    for call in template.find_all(nodes.Call):
        if not (isinstance(call.node, nodes.Name) and call.node.name in TEMPLATE_CALLS):
            continue
        place = f"{file}:{call.lineno}"
        texts = list(_template_choices(call.args[0])) if call.args else [None]
        options = {k.key: k.value for k in call.kwargs}
        context, plural = (
            value.value if isinstance(value := options.get(word), nodes.Const) else None
            for word in ("context", "plural")
        )
        if None in texts:
            extraction.faults.append(f"{place}: the sentence of {call.node.name}() is no literal")
        values = None if call.dyn_kwargs else {*options} - MESSAGE_KEYWORDS
        for text in filter(None, texts):
            extraction.add(place, (context, text), plural, values)


def _template_choices(node: nodes.Expr) -> Iterator[str | None]:
    if isinstance(node, nodes.CondExpr):
        yield from _template_choices(node.expr1)
        if node.expr2 is not None:
            yield from _template_choices(node.expr2)
    else:
        yield node.value if isinstance(node, nodes.Const) and isinstance(node.value, str) else None


def _extract_from_data(extraction: Extraction, file: str, data: object) -> None:
    if isinstance(data, dict):
        for key in DATA_KEYS:
            for text in _texts_of(data.get(key)):
                extraction.add(file, (data.get("context"), text), None, None)
        data = list(data.values())
    for part in data if isinstance(data, list) else ():
        _extract_from_data(extraction, file, part)


def _texts_of(data: object) -> list[str]:
    """A text, the texts of a list, or those of a mapping's values."""
    if isinstance(data, dict):
        data = list(data.values())
    return [data] if isinstance(data, str) else list(data) if isinstance(data, list) else []
