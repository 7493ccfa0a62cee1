"""Patterns of identifying descriptions and codes in cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tokumei.conformity.finding import Verdict
from tokumei.core.check_digits import is_card_number, is_driving_licence, is_my_number
from tokumei.core.messages import Message

_SURNAMES = (
    "佐藤|鈴木|高橋|田中|伊藤|渡辺|渡邊|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|"
    "斎藤|斉藤|清水|山崎|阿部|森田|池田|橋本|石川|山下|小川|石井|長谷川|後藤|岡田|近藤|前田|藤田|"
    "遠藤|青木|坂本|村上|太田|金子|藤井|福田|西村|三浦|竹内|中川|岡本|松田|原田|中野|小野|田村|"
    "藤原|中山|石田|和田|上田|柴田|酒井|工藤|横山|宮崎|宮本|内田|高木|安藤|谷口|大野|丸山|今井"
)
_STREET_WORDS = "Street|Road|Avenue|Lane|Drive|Boulevard|Close|Crescent|Square|Terrace"
_TOKEN_START = r"(?:^|[^0-9A-Za-z])"
_TOKEN_END = r"(?:[^0-9A-Za-z]|$)"


@dataclass(frozen=True)
class IdentifierPattern:
    """A form that cells may have; `confirm` looks at the digits of what `regex` captured.

    `chance` is the share of random digit strings that `confirm` would take for real.
    `header` matches column names that announce such contents.
    """

    id: str
    item: int
    title: Message
    regex: str
    verdict: Verdict = Verdict.FAIL
    confirm: Callable[[str], bool] | None = None
    chance: float = 0.0
    header: str | None = None


IDENTIFIER_PATTERNS = (
    IdentifierPattern(
        "names",
        1,
        Message("Names of people"),
        rf"^(?:(?:{_SURNAMES})[ 　]?[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}]{{1,4}}"
        r"(?:様|さん|氏)?)$"
        r"|(?:^|[^A-Za-z])(?:Mr|Mrs|Ms|Miss|Dr)\.? \p{Lu}\p{Ll}+"
        r"|\p{Han}{2,6}[ 　]?(?:様|殿)(?:$|[^\p{Han}])",
        Verdict.HUMAN,
        header=r"(?i)^(?:full|first|last|family|given|customer)?[ _]?name$|氏名|名前|姓名",
    ),
    IdentifierPattern(
        "phones",
        1,
        Message("Telephone numbers"),
        r"(?:^|[^0-9A-Za-z.-])(?:0\d{1,4}-\d{1,4}-\d{3,4}|0[5789]0\d{8}|\+\d{1,3}[ -]?\d{1,4}"
        r"[ -]\d{2,4}[ -]\d{3,4}|\(0\d{1,4}\) ?\d{1,4}-\d{4})(?:$|[^0-9A-Za-z-])",
        header=r"(?i)^(?:phone|tel|mobile|fax)|電話|携帯",
    ),
    IdentifierPattern(
        "e-mail",
        1,
        Message("E-mail addresses"),
        r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}",
        header=r"(?i)^e?-?mail|メール",
    ),
    IdentifierPattern(
        "addresses",
        1,
        Message("Postal addresses"),
        r"〒 ?\d{3}-?\d{4}|(?:北海道|東京都|大阪府|京都府|\p{Han}{2,3}県).{1,12}[市区町村郡]."
        r"|[市区町村].{1,12}(?:丁目|番地|番\d+号)"
        rf"|(?:^|[^0-9])\d{{1,5}}[A-Za-z]? \p{{Lu}}\p{{Ll}}+ (?:{_STREET_WORDS})(?:$|[^a-z])",
        header=r"(?i)^(?:home_|postal_|street_)?address$|住所|番地",
    ),
    IdentifierPattern(
        "cards",
        1,
        Message("Payment card numbers"),
        r"(?:^|[^0-9])((?:\d[ -]?){12,18}\d)(?:$|[^0-9])",
        confirm=is_card_number,
        chance=0.1,
        header=r"(?i)card_?(?:no|number)|カード番号",
    ),
    IdentifierPattern(
        "my-number",
        2,
        Message("My Number (with check digit)"),
        r"(?:^|[^0-9])((?:\d{4}[ -]?){2}\d{4})(?:$|[^0-9])",
        confirm=is_my_number,
        chance=0.1,
        header=r"(?i)^my_?number$|マイナンバー|個人番号",
    ),
    IdentifierPattern(
        "licence",
        2,
        Message("Driving licence numbers"),
        r"(?:^|[^0-9])(\d{12})(?:$|[^0-9])",
        confirm=is_driving_licence,
        chance=0.1,
        header=r"(?i)licen[cs]e_?(?:no|number)|免許証",
    ),
    IdentifierPattern(
        "passport",
        2,
        Message("Passport numbers"),
        rf"{_TOKEN_START}[A-Z]{{2}}\d{{7}}{_TOKEN_END}",
        header=r"(?i)passport|旅券|パスポート",
    ),
    IdentifierPattern(
        "residence-card",
        2,
        Message("Residence card numbers"),
        rf"{_TOKEN_START}[A-Z]{{2}}\d{{8}}[A-Z]{{2}}{_TOKEN_END}",
        header=r"(?i)residence_?card|在留カード",
    ),
    IdentifierPattern(
        "pension",
        2,
        Message("Basic pension numbers"),
        rf"{_TOKEN_START}\d{{4}}-\d{{6}}{_TOKEN_END}",
        header=r"(?i)pension|年金番号",
    ),
)
