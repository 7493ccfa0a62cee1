r"""Formulas in the usual TeX as MathML, which browsers set by themselves.

    mathml(r"S = \max_a \frac{h_a}{n}")       # <math>…; None if it is not understood

Numbers, letters, signs, ^ _ { }, \frac, \sqrt, \text, accents, Greek letters, sums and the like,
\left and \right. Whatever else it holds, the formula is shown as it was written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import escape

DEPTH = 20
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:[.,][0-9]+)?|\s+|.", re.DOTALL)
_GREEK = {
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ"},
    **{"eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ"},
    **{"nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ"},
    **{"phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ"},
    **{"Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ"},
    **{"Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "infty": "∞"},
}
_SIGNS = {
    **{"cdot": "⋅", "times": "×", "div": "÷", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥"},
    **{"geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "sim": "∼", "in": "∈", "notin": "∉"},
    **{"subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "setminus": "∖", "to": "→"},
    **{"mapsto": "↦", "Rightarrow": "⇒", "mid": "∣", "ldots": "…", "cdots": "⋯", "dots": "…"},
    **{"forall": "∀", "exists": "∃", "partial": "∂", "sum": "∑", "prod": "∏", "int": "∫"},
    **{"lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "langle": "⟨", "rangle": "⟩"},
    **{"|": "‖", "{": "{", "}": "}", "%": "%", "$": "$", "_": "_", "&": "&", "#": "#"},
}
_WORDS = ("max", "min", "log", "ln", "exp", "Pr", "arg", "sup", "inf", "mod", "gcd", "lim")
_UNDER = ("sum", "prod", "max", "min", "sup", "inf", "lim")
"""Their limits stand below and above."""
_SPACES = {",": "0.17em", ";": "0.28em", ":": "0.22em", " ": "0.33em", "quad": "1em", "!": "0"}
_ACCENTS = {"bar": "¯", "overline": "¯", "hat": "^", "tilde": "~", "vec": "→"}


class _Strange(ValueError):
    """Something that is not understood."""


def mathml(text: str, *, display: bool = False) -> str | None:
    """The formula as a `math` element."""
    try:
        reader = _Reader(_TOKEN.findall(text.strip()))
        inner = reader.row(DEPTH)
        if reader.left():
            return None
    except _Strange:
        return None
    shown = ' display="block"' if display else ""
    return f"<math{shown}><mrow>{inner}</mrow></math>"


@dataclass
class _Reader:
    tokens: list[str]
    place: int = 0

    def left(self) -> bool:
        while self.place < len(self.tokens) and self.tokens[self.place].isspace():
            self.place += 1
        return self.place < len(self.tokens)

    def peek(self) -> str:
        return self.tokens[self.place] if self.left() else ""

    def take(self) -> str:
        token = self.peek()
        if not token:
            raise _Strange
        self.place += 1
        return token

    def row(self, depth: int, until: str = "") -> str:
        """Everything up to a closing token, which stays."""
        parts = []
        while self.left() and self.peek() not in ("}", "\\right"):
            parts.append(self.scripted(depth))
        if until and self.peek() != until:
            raise _Strange
        return "".join(parts)

    def scripted(self, depth: int) -> str:
        """Something, with what stands below and above it."""
        name = self.peek().removeprefix("\\")
        base, below, above = self.part(depth), "", ""
        while (mark := self.peek()) in ("_", "^"):
            self.take()
            if below if mark == "_" else above:
                raise _Strange
            found = self.part(depth)
            below, above = (found, above) if mark == "_" else (below, found)
        kind = ("munder", "mover", "munderover") if name in _UNDER else ("msub", "msup", "msubsup")
        if below and above:
            return f"<{kind[2]}>{base}{below}{above}</{kind[2]}>"
        if not (below or above):
            return base
        tag = kind[0] if below else kind[1]
        return f"<{tag}>{base}{below or above}</{tag}>"

    def part(self, depth: int) -> str:
        """One number, letter, sign, group or command."""
        if not depth:
            raise _Strange
        token = self.take()
        if token == "{":
            inner = self.row(depth - 1, "}")
            self.take()
            return f"<mrow>{inner}</mrow>"
        if token in "}_^&#%" or token == "\\right":
            raise _Strange
        if token.startswith("\\"):
            return self.command(token[1:], depth - 1)
        if token[0].isdigit():
            return f"<mn>{escape(token)}</mn>"
        return f"<{_kind(token)}>{escape({'-': '−', '*': '∗'}.get(token, token))}</{_kind(token)}>"

    def command(self, name: str, depth: int) -> str:
        if name in _GREEK:
            return f"<mi>{_GREEK[name]}</mi>"
        if name in _WORDS:
            return f"<mi>{name}</mi>"
        if name in _SIGNS:
            return f"<mo>{escape(_SIGNS[name])}</mo>"
        if name in _SPACES:
            return f'<mspace width="{_SPACES[name]}"></mspace>'
        if name in ("frac", "tfrac", "dfrac"):
            return f"<mfrac>{self.part(depth)}{self.part(depth)}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self.part(depth)}</msqrt>"
        if name in _ACCENTS:
            return f'<mover accent="true">{self.part(depth)}<mo>{_ACCENTS[name]}</mo></mover>'
        if name in ("text", "mathrm", "mathit", "operatorname"):
            return f"<mtext>{escape(self.words())}</mtext>"
        if name == "left":
            return self.fenced(depth)
        raise _Strange

    def fenced(self, depth: int) -> str:
        opening = self.fence()
        inner = self.row(depth, "\\right")
        self.take()
        return f"<mrow>{opening}{inner}{self.fence()}</mrow>"

    def fence(self) -> str:
        token = self.take()
        shown = _SIGNS.get(token[1:], "") if token.startswith("\\") else token
        if token not in ".()[]|" and not shown:
            raise _Strange
        return "" if token == "." else f'<mo stretchy="true">{escape(shown)}</mo>'

    def words(self) -> str:
        """What stands between braces, as it is."""
        if self.take() != "{":
            raise _Strange
        begin = self.place
        while self.place < len(self.tokens) and self.tokens[self.place] != "}":
            if self.tokens[self.place][0] in "{\\":
                raise _Strange
            self.place += 1
        if self.place == len(self.tokens):
            raise _Strange
        self.place += 1
        return "".join(self.tokens[begin : self.place - 1])


def _kind(token: str) -> str:
    return "mi" if token.isalpha() else "mo"
