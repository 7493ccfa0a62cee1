"""Patterns of cells that need no column name; compared after NFKC."""

from __future__ import annotations

from collections.abc import Set

CELL_PATTERNS = {
    "email": r"^[^@\s<>()]+@[^@\s]+\.[A-Za-z]{2,}$",
    "phone": (
        r"^(?:tel[:.]?\s*)?(?:\(?0\d{1,4}\)?[-\s.]?\(?\d{1,4}\)?[-\s.]\d{3,4}|0[5789]0\d{8}|"
        r"0[5789]0 \d{4} ?\d{4}"
        r"|\(\d{2,4}\)\s?\d{2,4}-\d{4}|\d{2,3}-\d{3,4}-\d{4}|\d{1,3}-\d{2,4}-\d{4}|"
        r"0120-?\d{2,3}-?\d{3})(?:\s*(?:内線|ext\.?|x)\s*\d+)?$"
        r"|^\+\d{1,3}[-\s.()]*\d[-\s.()\d]{6,16}\d(?:\s*(?:x|ext\.?)\s*\d+)?$"
        r"|^(?:\+?1[-.\s]?|001-)?\(?[2-9]\d{2}\)?[-.\s]?\d{3}[-.\s]\d{4}(?:\s*(?:x|ext\.?)\s*\d+)?$"
        r"|^0\d(?:[ .-]?\d{2}){4}$|^0\d{2,4}[ /]\d{6,8}$"
        r"|^0\d{4} \d{6}$|^0\d{3} \d{3} \d{4}$|^07\d{3} ?\d{6}$"
    ),
    "iban": r"^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?$",
    "ssn": r"^\d{3}-\d{2}-\d{4}$",
    "ip": r"^(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?$|^[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7}$",
    "mac": r"^(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$",
    "url": r"^(?:https?|ftp)://|^www\.",
    "uuid": r"^\{?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\}?$",
    "hash": r"^[0-9a-f]{16,128}$|^[0-9A-F]{16,128}$|^[0-9a-f]{6,}-[0-9a-f]{4,}(?:-[0-9a-f]{4,})*$",
    "user_agent": r"^(?:Mozilla|Opera|curl|Wget|python-requests|okhttp|Dalvik|Googlebot|"
    r"PostmanRuntime)/",
    "postal": r"^〒?\s?\d{3}-\d{4}$|^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$|"
    r"^\d{5}-\d{4}$|^[1-9]\d{3} ?[A-Z]{2}$",
    "address": (
        r"^(?:〒?\d{3}-?\d{4}\s*)?(?:北海道|東京都|大阪府|京都府|"
        r"\p{Han}{2,3}県).{1,8}?[市区町村郡島].+"
        r"|[市区町村郡].*(?:\d+[-−‐]\d+|丁目|番地?|号)|^\p{Han}.*\d+丁目|^\d+丁目|"
        r"^\d+番地?(?:\d+|の\d+)?"
        r"|^\d+[A-Za-z]?,? (?:[NSEW]\.? )?[A-Z][\w'. -]* (?:Street|St|Road|Rd|Avenue|Ave|"
        r"Lane|Ln|Drive|Dr|Boulevard|Blvd|"
        r"Close|Crescent|Square|Terrace|Way|Court|Ct|Place|Pl|Hwy|Highway|Parkway|Pkwy|"
        r"Circle|Trail|Flat|Row|Walk|Gardens)\b"
        r"|^(?:\p{Lu}[\p{L}-]*(?:str\.|straße|strasse|weg|platz|allee|gasse)) \d+|^(?:Calle|C/|"
        r"Rue|Via|Avenida|Av\.|Avda\.|Rua|\d+,? (?:bis |ter )?rue|ul\.|ул\.|пр\.) ?.*\d"
        r"|^\p{Lu}[\p{L}-]*(?:straat|laan|gracht|plein|katu|gatan|gade|vej) \d+"
        r"|\p{Han}[省市区县].*\d+[号栋室]|\p{Hangul}[시도군구] .*\p{Hangul}[로길동] ?\d+"
    ),
    "house": r"^\d{1,5}(?:-\d{1,4}){1,3}(?:号(?:室)?)?$",
    "city": (
        r"^[\p{Han}\p{Hiragana}\p{Katakana}ヶケー]{1,9}[市区町村郡]"
        r"(?:[\p{Han}\p{Hiragana}\p{Katakana}ヶケー]{1,6}[区町村])?$"
    ),
    "katakana": r"^[ァ-ヴー・ ]{2,24}$",
    "hiragana": r"^[ぁ-んー・ ]{2,24}$",
    "time": r"^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s*[APap][Mm])?$|^(?:午前|"
    r"午後)?\d{1,2}時(?:\d{1,2}分|半)?$|^\d{1,2}(?::\d{2}|時)?[-~〜]\d{1,2}(?::\d{2}|"
    r"時)$|^午[前後]中?$",
    "age_words": r"^\d{1,2}\s?(?:代|歳代|才代)(?:[以前後].*)?$|^\d{1,3}\s?(?:歳|"
    r"才)?\s?[-~〜]\s?\d{0,3}\s?(?:歳|才)(?:以[上下])?$|^\d{1,3}(?:歳|才)$|"
    r"^\d{2}\s?[-~〜]\s?\d{2}$|^\d{2}(?:\+| and over| or older)$",
    "amount_words": r"(?:\d\s*(?:円|万円|千円|ドル)|[¥$£€]\s?\d).*(?:[-~〜]|未満|以[上下]|超)"
    r"|(?:[-~〜]|"
    r"未満|以[上下]|超).*(?:円|万円)|^[<>]=?\s?\$?\d+[Kk]?$|"
    r"^\$?\d+[Kk]?\s?[-~〜]\s?\$?\d+[Kk]$",
    "icd": r"^[A-TV-Z]\d{2}\.\d{1,2}[A-Z]?$|^[A-TV-Z]\d{2}$",
    "digits": r"^\d+$",
    "code": r"^(?:[A-Za-z]{1,6}[-_#]?\d{2,}(?:[-_][0-9A-Za-z]+)*|"
    r"#?\d+[-_][0-9A-Za-z]+(?:[-_][0-9A-Za-z]+)*|#\d{2,}|"
    r"[A-Za-z0-9]*\d[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*)$",
    "leading_zero": r"^0\d+$",
    "words": r"[\p{Han}\p{Hiragana}\p{Katakana}]{2,}|[A-Za-z]{2,}",
    "sentence": r"[。、！？]|[.!?]$|[a-z]+ [a-z]+ [a-z]+|(?:です|ます|した|ない|たい|あり|なし|"
    r"済み?|不要|希望|して|れる|ください|まで|へ連絡)",
    "phrase": r"^[^A-Za-z]*[\p{Han}\p{Hiragana}\p{Katakana}ー、。]{8,}|\w+ \w+ \w+",
    "company": r"株式会社|有限会社|合同会社|\(株\)|\(有\)|㈱|(?:法人|商事|商会|工業|製作所|銀行|"
    r"病院|大学|クリニック|医院|学園)$|\b(?:Inc|Ltd|LLC|Corp|GmbH|S\.A\.|Co\.|PLC|"
    r"Company|University|Hospital)\b",
    "path": r"^/[\w./%-]*$",
    "date_like": r"\d{1,4}[-/.年]\d{1,2}[-/.月]\d{1,4}|^\d{8}$|^[MTSHR]\d|^(?:明治|大正|昭和|平成|"
    r"令和)|^\d{1,2}[- /]?[A-Z][a-z]{2}|^\d{4}[-/年.]\d{1,2}|^[A-Z][a-z]{2,8}\.? \d{1,2},",
}

REQUIRED_CHARACTERS = {
    form: tuple(map(frozenset, groups.split("|")))
    for groups, forms in {
        "A": "words company",
        "A| 字": "phrase",
        "A|字": "katakana hiragana",
        "A|市区町村郡": "city",
        "A|9市区町村郡島": "address",
        "A|9": "icd iban",
        "A|/.": "url",
        "A|/": "user_agent",
        "A。、！？.!?": "sentence",
        "@": "email",
        ".:": "ip",
        ":-": "mac",
        "-": "uuid",
        "-|9": "ssn house",
        "/": "path",
        "9": "phone digits",
        "9明大昭平令": "date_like",
        "A-〒|9": "postal",
        "0": "leading_zero",
        ":時~〜-午|9午": "time",
        "A-~〜+|9": "age_words",
        "A<>¥$£€-~〜|9円": "amount_words",
        "A-_#|9": "code",
    }.items()
    for form in forms.split()
}
"""Every cell of a form has a sign of each group; `A`: a letter, `9`: a digit, `字`: no ASCII."""
MIN_LENGTHS = {"email": 6, "phone": 7, "iban": 12, "ssn": 11, "mac": 17, "uuid": 36, "hash": 11}
"""How many characters a cell of a form has at least."""


def may_match(pattern_name: str, characters: Set[str], longest: int) -> bool:
    """Whether any of some cells may be of a form, by their signs and the length of the longest."""
    groups = REQUIRED_CHARACTERS.get(pattern_name, ())
    return longest >= MIN_LENGTHS.get(pattern_name, 0) and all(
        characters & group for group in groups
    )


EMBEDDED_PATTERNS = {
    "email": r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}",
    "phone": (
        r"(?:^|[^0-9A-Za-z.,-])(?:\(?0\d{1,4}\)?[-\s.]\(?\d{1,4}\)?[-\s.]\d{3,4}|"
        r"0[5789]0[-\s]?\d{4}[-\s]?\d{4}|\(0\d{1,4}\)\s?\d{1,4}-\d{4}"
        r"|0120-?\d{2,3}-?\d{3}|\+\d{1,3}[-\s.()]*\d[-\s.()\d]{6,14}\d|"
        r"(?:1[-.\s])?\(?[2-9]\d{2}\)?[-.\s]\d{3}[-.\s]\d{4}|07\d{3} ?\d{6}|"
        r"0\d{2,4} \d{3,4} \d{3,4}|0[1-9]\d{8,9}|1[3-9]\d{9}|"
        r"0\d(?:[ .-]\d{2}){4}|0\d{2,4} ?[-/ ] ?\d{5,8}|"
        r"0\d{2,4} ?[-/ ] ?\d{2,4}(?: ?\d{2,4}){1,3})"
        r"(?:$|[^0-9A-Za-z-]|x\d)"
    ),
    "card": r"(?:^|[^0-9])((?:\d[ -]?){12,18}\d)(?:$|[^0-9])",
    "my_number": r"(?:^|[^0-9-])((?:\d{4}[ -]?){2}\d{4})(?:$|[^0-9-])",
    "address": (
        r"〒\s?\d{3}-?\d{4}|(?:北海道|東京都|大阪府|京都府|"
        r"\p{Han}{2,3}県)\p{Han}{1,6}[市区町村郡]\p{Han}"
        r"|\p{Han}{1,6}[市区町村].{1,12}(?:丁目|番地|\d+-\d+)"
        r"|(?:^|[^0-9])\d{1,5}[A-Za-z]? (?:\p{Lu}\p{Ll}+ ){1,3}(?:Street|St|Road|Rd|Avenue|"
        r"Ave|Lane|Drive|Boulevard|Blvd|Close|Court)(?:$|[^a-z])"
    ),
    "url": r"https?://[^\s/]+/",
    "ip": r"(?:^|[^0-9.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|"
    r"1?\d?\d)(?:$|[^0-9.])",
    "name": (
        r"(?:SURNAMES)[ ]?\p{Han}{0,3}(?:様|さま|さん|氏|殿|先生|くん|君|ちゃん)"
        r"|\b(?:Mr|Mrs|Ms|Miss|Dra?|Frau|Herrn?|Mme|Mlle|Mevr|Dhr|Sra|Srta|Sig\.ra|Doña|Dott\.ssa)"
        r"\.? ?\p{Lu}\p{Ll}+"
        r"|\b(?:Fr|Hr|Prof|Sig|Dott)\. ?\p{Lu}\p{Ll}+|\p{Han}{1,3}(?:様|さん)(?:$|[^\p{Han}])"
        r"|旧姓[::]?\s?\p{Han}|(?:SURNAMES)[ ](?:\p{Han}|\p{Hiragana}|"
        r"\p{Katakana}){1,3}(?:$|[^\p{Han}])|担当[::は]?\s?(?:SURNAMES)"
    ),
}
"""What may stand inside a text; SURNAMES is filled in."""
NON_NAME_HONORIFICS = (
    r"(?:お客|皆|お子|ご主人|奥|娘|息子|お母|お父|お孫|お姉|お兄|患者|利用者|隣|家族|"
    r"親御|業者|大家|お医者|看護師|職員|相手|先方|本人|旦那|各位|お疲れ)(?:様|さま|さん)"
)
"""Honorifics behind words that name nobody."""


def parse_words(text: str) -> frozenset[str]:
    """Words between blanks; an underscore is a blank within one."""
    return frozenset(word.replace("_", " ") for word in text.split())


SEX_WORDS = parse_words("""
男 女 男性 女性 男子 女子 おとこ おんな オス メス male female m f man woman boy girl masculine
feminine w h homme femme männlich weiblich hombre mujer maschio femmina ♂ ♀ mann frau masculino
femenino feminino
""")
OTHER_SEX_WORDS = parse_words("""
その他 無回答 回答しない 不明 未回答 other unknown non-binary nonbinary none x u diverse d
prefer_not_to_say hermaphroditic 答えたくない どちらでもない トランスジェンダー
prefer_not_to_answer intersex
""")
YES_NO_WORDS = parse_words("""
yes no y n true false t f 0 1 有 無 あり なし 可 否 要 不要 ○ × 〇 済 未 はい いいえ する しない
希望する 希望しない on off ok ng 同意 不同意 ◯ - ✓ ja nein oui non si sí 有り 無し 合格 不合格
出席 欠席 該当 非該当 active inactive 1.0 0.0 希望 対象 対象外
""")
