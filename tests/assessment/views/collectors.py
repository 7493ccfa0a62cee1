"""Collects every figure and every verdict that the views of one release show.

Each collector takes a `ReleasedCase` and yields what its view shows as `Shown`. Another view is one
more function with `@collector`; nothing else changes. `find_contradictions` compares all of them
with the document of `tokumei assess --json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

from tokumei.apps.cli.app import main

Document = dict[str, Any]


@dataclass(frozen=True)
class Shown:
    """A figure as a view shows it: a verdict's word, a unit, or a number as it is written."""

    view: str
    figure: str
    text: str


@dataclass(frozen=True)
class ReleasedCase:
    """One release in a folder, and the options with which commands are run on it."""

    name: str
    folder: Path
    original: Path
    release: Path
    link: Path | None
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    texts: dict[str, str] = field(default_factory=dict)
    """What commands printed while the release was made, by the name of the view."""
    kind: tuple[str, ...] = ()
    """Options that say of which kind the files are; none of a table."""
    recipient: str | None = None
    in_memory: tuple[object, object] | None = None
    """The original and the release in Python, where Python does not read them from files."""

    def options(self, *, roles: bool = False) -> list[str]:
        """Options that name the files."""
        options = ["--original", str(self.original), "--release", str(self.release), *self.kind]
        if self.link is not None:
            options += ["--truth", str(self.link)]
        if roles:
            options += ["--qi", ",".join(self.qi)]
            options += ["--sa", ",".join(self.sa)] if self.sa else []
        return options


def run_command(*words: str, lang: str = "en") -> tuple[int, str]:
    """The exit code and the standard output of a command."""
    out, errors = StringIO(), StringIO()
    code: object = 0
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            main([*words, "--lang", lang])
        except SystemExit as ended:
            code = ended.code
    assert code in (None, 0, 1, 2), errors.getvalue()
    return int(str(code or 0)), out.getvalue()


COLLECTORS: list[Callable[[ReleasedCase], Iterator[Shown]]] = []


def collector(
    function: Callable[[ReleasedCase], Iterator[Shown]],
) -> Callable[[ReleasedCase], Iterator[Shown]]:
    """Register a collector."""
    COLLECTORS.append(function)
    return function


def read_document(case: ReleasedCase) -> Document:
    """What `tokumei assess --json` prints of a release: every view is held against it."""
    code, text = run_command("assess", *assess_options(case), "--json")
    document: Document = json.loads(text)
    assert code == {"fits": 0, "does-not-fit": 1, "unknown": 2}[document["verdict"]]
    return document


def assess_options(case: ReleasedCase) -> list[str]:
    """Options of `tokumei assess`, which alone is told the recipient."""
    return [*case.options(), *(["--for", case.recipient] if case.recipient else [])]


def collect(case: ReleasedCase) -> list[Shown]:
    """Everything that all views show."""
    return [shown for function in COLLECTORS for shown in function(case)]


@collector
def collect_assess_text(case: ReleasedCase) -> Iterator[Shown]:
    """`tokumei assess` in both languages."""
    for lang in ("en", "ja"):
        _, text = run_command("assess", *assess_options(case), "--no-remedies", lang=lang)
        yield from read_sentences(f"assess text {lang}", text)


@collector
def collect_report(case: ReleasedCase) -> Iterator[Shown]:
    """The hand-over report of `tokumei assess --report`."""
    path = case.folder / "handover.html"
    run_command("assess", *assess_options(case), "--report", str(path))
    yield from read_page("hand-over report", path.read_text(encoding="utf-8"))


@collector
def collect_notebook(case: ReleasedCase) -> Iterator[Shown]:
    """What a notebook shows, and the page and document of Python."""
    import tokumei as tk

    if case.in_memory is not None:
        found = tk.assess(*case.in_memory, recipient=case.recipient)  # type: ignore[arg-type]
    else:
        link = None if case.link is None else str(case.link)
        found = tk.assess(str(case.original), str(case.release), link=link)
    yield from read_sentences("repr", repr(found))
    yield from read_sentences("repr html", visible_text(found._repr_html_(), "en"))
    yield from read_page("tk.render", tk.render(found))
    yield from read_document_figures("to_dict", found.to_dict())


@collector
def collect_conformity(case: ReleasedCase) -> Iterator[Shown]:
    """The conformity page, its text and its JSON."""
    page = case.folder / "conformity.html"
    if case.kind:
        _, text = run_command("conform", *case.options(), "--out", str(page))
        yield from read_sentences("conform text", text)
        yield from read_page("conformity page", page.read_text(encoding="utf-8"))
        return
    if case.link is None:
        return
    _, text = run_command("conform", *case.options(roles=True), "--out", str(page))
    yield from read_sentences("conform text", text)
    yield from read_page("conformity page", page.read_text(encoding="utf-8"))
    _, text = run_command("conform", *case.options(roles=True), "--json")
    yield from read_document_figures("conform json", json.loads(text)["assessment"])


@collector
def collect_manifest(case: ReleasedCase) -> Iterator[Shown]:
    """The manifest beside the release: the scenario that was decided."""
    path = Path(f"{case.release}.manifest.json")
    if path.is_file():
        scenario = json.loads(path.read_text(encoding="utf-8")).get("scenario")
        if scenario is not None:
            yield Shown("manifest", "recipient", scenario["recipient"])


@collector
def collect_attack_and_risk(case: ReleasedCase) -> Iterator[Shown]:
    """`attack`, `risk` and their pages: figures of other questions, and so no verdict."""
    if case.kind:
        return
    if case.link is not None:
        _, text = run_command("attack", *case.options(roles=True), "--seed", "1", "--method", "E1")
        yield from read_sentences("attack text", text)
    page = case.folder / "risk.html"
    risk = ["risk", "--data", str(case.original), "--qi", ",".join(case.qi)]
    _, text = run_command(*risk, "--out", str(page))
    yield from read_sentences("risk text", text)
    yield from read_page("risk page", page.read_text(encoding="utf-8"))


@collector
def collect_printed(case: ReleasedCase) -> Iterator[Shown]:
    """What was printed while the release was made, and what lies in its folder."""
    for view, text in case.texts.items():
        if text.lstrip().startswith("{"):
            yield from read_document_figures(view, json.loads(text))
        elif text.lstrip().startswith("<!doctype"):
            yield from read_page(view, text)
        else:
            yield from read_sentences(view, text)


UNIT, UNIT_JA = r"(?P<unit>rows|people)", r"(?P<unit>[人行])"
UNITS_JA = {"人": "people", "行": "rows"}
NUMBER, PERCENT = r"[\d,]+", r"<?[\d.]+ %"
VERDICTS = {
    "Fits the scenario": "fits",
    "Does not fit the scenario": "does-not-fit",
    "It cannot be told whether": "unknown",
    "のシナリオに適合します": "fits",
    "のシナリオに適合しません": "does-not-fit",
    "シナリオに適合するかどうか判定できません": "unknown",
}
SENTENCES = [
    rf"of (?P<total>{NUMBER}) {UNIT}, (?P<identified>{NUMBER}) can be identified and "
    rf"(?P<guessed_right>{PERCENT}) are guessed right",
    rf"(?P<identified>{NUMBER}) of (?P<total>{NUMBER}) {UNIT} can be identified by",
    rf"of (?P<total>{NUMBER}) {UNIT}, (?P<guessed_right>{PERCENT}) are guessed right by",
    rf"only (?P<smallest_class>{NUMBER}) {UNIT} share what is known",
    rf"by what the recipient may know, (?P<identified>{NUMBER}) of (?P<total>{NUMBER}) {UNIT} can "
    rf"be identified, and a guess is right in (?P<guessed_right>{PERCENT}) of cases \(a blind "
    rf"guess: (?P<baseline>{PERCENT})\)",
    rf"holds the whole original: (?P<bound>{NUMBER}) of (?P<total>{NUMBER}) {UNIT} can be",
    rf"Information kept: (?P<kept>{PERCENT})",
    rf"for this recipient; (?P<kept>{PERCENT}) of the information",
    rf"(?P<kept>{PERCENT}) of the information is kept: the mean",
    rf"Who could find whom, of (?P<total>{NUMBER}) {UNIT}",
    rf"Shares of the (?P<total>{NUMBER}) {UNIT} released",
    r"情報の (?P<kept>[\d.]+ %) が残ります（列",
    rf"(?P<total>{NUMBER}) {UNIT_JA}のうち (?P<identified>{NUMBER}) [人行]を確実に特定でき、"
    rf"推測は (?P<guessed_right>{PERCENT}) の割合で当たります（当てずっぽうなら "
    rf"(?P<baseline>{PERCENT})）",
    rf"元データをすべて持つ人[^0-9]{{,5}}(?P<total>{NUMBER}) {UNIT_JA}のうち (?P<bound>{NUMBER}) ",
]
FORBIDDEN = re.compile(
    r"\b(un)?safe(r|st|ly|ty)?\b|\bdangerous|\bnothing found\b|\bno problem|\bmay be given out|"
    r"not safe|No attack we tried|\bharmless\b|strongest attack|Best of all attacks|安全",
    re.IGNORECASE,
)


def read_sentences(view: str, text: str) -> Iterator[Shown]:
    """The figures in the sentences of a view; words that sound like a verdict are shown, too."""
    plain = " ".join(text.replace("\u00a0", " ").split())
    for words, verdict in VERDICTS.items():
        if words in plain:
            yield Shown(view, "verdict", verdict)
    for pattern in SENTENCES:
        for match in re.finditer(pattern, plain, re.IGNORECASE):
            for name, value in match.groupdict().items():
                yield Shown(view, name, UNITS_JA.get(value, value))
    for match in FORBIDDEN.finditer(plain):
        around = plain[max(0, match.start() - 60) : match.end() + 60]
        yield Shown(view, "sounds like a verdict", around)


def read_page(view: str, page: str) -> Iterator[Shown]:
    """The figures of a page: its sentences in both languages, and its marked figures."""
    for lang in ("en", "ja"):
        yield from read_sentences(f"{view} {lang}", visible_text(page, lang))
    for word in re.findall(r'<section class="hero"[^>]*data-verdict="([\w-]+)"', page):
        yield Shown(view, "verdict", word)
    for block in re.findall(r'<div class="[a-z]*" data-figure=".*?</div>', page, re.DOTALL):
        name = re.search(r'data-figure="(\w+)"', block)
        value = re.search(r"<dd>(.*?)</dd>", block, re.DOTALL)
        assert name is not None
        assert value is not None
        text = visible_text(value[1], "en").replace("\u00a0", " ")
        yield Shown(view, name[1], re.sub(r"\s*[●■].*", "", text.strip()))


def read_document_figures(view: str, document: Document) -> Iterator[Shown]:
    """The figures of a JSON document, as exactly as it gives them."""
    for name, value in document_figures(document).items():
        if value is not None:
            yield Shown(view, name, value if isinstance(value, str) else repr(value))


def document_figures(document: Document) -> dict[str, Any]:
    """The figures that are compared; None where the document has none."""
    attackers, bound = document["attackers"], document["bound"]
    sizes = [a["smallest_class"] for a in attackers if a["smallest_class"] is not None]
    return {
        "verdict": document["verdict"],
        "recipient": document["scenario"]["recipient"],
        "unit": document["unit"],
        "total": document["total"],
        "identified": max((a["certain"] for a in attackers), default=None),
        "guessed_right": max((a["share"] for a in attackers), default=None),
        "baseline": attackers[0]["baseline"] if attackers else None,
        "smallest_class": min(sizes, default=None),
        "bound": None if bound is None else bound["certain"],
        "kept": document["kept"],
    }


class _VisibleText(HTMLParser):
    """The text of a page in one language, without scripts and styles."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang
        self.parts: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("meta", "br", "link", "img", "input"):
            return
        given = dict(attrs)
        language = given.get("class") if tag == "span" else None
        hidden = tag in ("script", "style", "title") or (
            language in ("en", "ja") and language != self.lang
        )
        self.open.append((tag, hidden))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass
        if tag not in ("span", "em", "b", "code", "i", "strong", "small"):
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not any(hidden for _, hidden in self.open):
            self.parts.append(data)


def visible_text(page: str, lang: str) -> str:
    """What somebody reads who has chosen a language."""
    parser = _VisibleText(lang)
    parser.feed(page)
    return "".join(parser.parts)


def find_contradictions(document: Document, views: list[Shown]) -> list[str]:
    """What a view shows that the document does not say."""
    expected = document_figures(document)
    contradictions = []
    for shown in views:
        value = expected.get(shown.figure)
        if not agrees(shown.text, value):
            contradictions.append(f"{shown.view}: {shown.figure} {shown.text!r}, not {value!r}")
    return contradictions


def agrees(text: str, value: Any) -> bool:
    """Whether a written figure is this value, as far as it is written out."""
    if value is None:
        return text in ("–", "None")
    if isinstance(value, str):
        return text == value
    digits = text.replace(",", "").replace("<", "")
    if digits.endswith("%"):
        number = digits.removesuffix("%").strip()
        places = len(number.partition(".")[2])
        return abs(float(number) - 100 * value) <= 0.5 * 10**-places + 0.051
    number = float(digits)
    return abs(number - value) <= (0.5 if "." not in digits else 1e-9)
