"""Recognizes what computers and accounts are called: addresses, links, keys, hashes."""

from __future__ import annotations

import ipaddress
import itertools
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

_EMAIL = re.compile(
    r"[\w.!#$%&'*+/=?^`{|}~-]+\s?(?:@|\(at\)|\[at\]|＠)\s?[\w-]+(?:\s?(?:\.|\(dot\)"
    r"|\[dot\])\s?[\w-]+)+",
    re.IGNORECASE,
)
_HANDLE = re.compile(r"(?<![\w@./])@[A-Za-z_][\w.]{2,}")
URL = re.compile(
    r"(?:https?|ftps?|sftp|ssh|postgres(?:ql)?|mysql|mongodb|redis|s3)://[^\s<>\"]+"
    r"|www\.[^\s<>\"]+",
    re.I,
)
_PERSONAL_PATH = re.compile(
    r"[?#@~=]|/(?:u|user|users|in|profile|profiles|people|member|members|account|id|~\w+)/|\d{5,}"
    r"|[0-9A-Fa-f]{16,}|/[\w-]*(?:[A-Za-z][\w-]*\d|\d[\w-]*[A-Za-z])[\w-]{7,}",
    re.IGNORECASE,
)
_SOCIAL = re.compile(
    r"(?:facebook|instagram|twitter|x|linkedin|tiktok|github|t|line|vk|weibo|youtube"
    r"|note)\.(?:com|me|net|cn|be)/[\w.@-]+",
    re.I,
)
_IPV4 = re.compile(r"(?<![\d.])(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?![\d.]\d)")
_IPV6 = re.compile(
    r"(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9A-Fa-f]{0,4}|\d+\.\d+\.\d+\.\d+)(?![\w:])"
)
_MAC = re.compile(
    r"(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}"
    r"(?:\1[0-9A-Fa-f]{2}\1[0-9A-Fa-f]{2})?(?![\w:-])"
    r"|(?<!\w)(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}(?!\w)"
)
_UUID = re.compile(
    r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Fa-f])"
)
_HEX = re.compile(r"(?<!\w)(?:0x)?(?=[0-9A-Fa-f]*[A-Fa-f])(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{16,}(?!\w)")
_KNOWN_TOKEN = re.compile(
    r"eyJ[\w-]{5,}\.[\w-]+|(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_\w{16,}|github_pat_\w{20,}"
    r"|xox[abprs]-[\w-]{8,}|(?:sk|pk|rk)_(?:live|test)_\w{8,}|AIza[\w-]{30,}|ya29\.[\w-]{10,}"
    r"|glpat-[\w-]{10,}|npm_\w{20,}|\$2[aby]?\$\d\d\$[./A-Za-z0-9]{20,}|\$(?:1|5|6"
    r"|argon2\w*)\$[^\s]{8,}"
    r"|-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE)|ssh-(?:rsa|ed25519) [A-Za-z0-9+/=]{20,}|Bearer \S{8,}"
    r"|(?:bc1|tb1)[0-9a-z]{20,}"
)
_SECRET_PAIR = re.compile(
    r"(?:passw(?:or)?d|pwd|token|secret|api[_-]?key|session(?:id)?|cookie)\s*[=:]\s*\S{4,}", re.I
)
_OPAQUE = re.compile(r"(?<![\w+/=-])[A-Za-z0-9_+/-]{18,}={0,2}(?![\w+/=-])")


def network_forms(text: str) -> Iterator[str]:
    """The forms of this group that occur in a text."""
    if "@" in text or "at)" in text.lower() or "at]" in text.lower():
        if _EMAIL.search(text):
            yield "email"
        if _HANDLE.search(text):
            yield "username"
    if ("://" in text or "www." in text.lower()) and any(map(_is_personal_url, URL.findall(text))):
        yield "url"
    if _SOCIAL.search(text):
        yield "url"
    if "." in text and any(_is_ip(match) for match in _IPV4.findall(text)):
        yield "ip"
    if text.count(":") >= 2 and any(_is_ipv6(m.group()) for m in _IPV6.finditer(text)):
        yield "ip"
    if _MAC.search(text):
        yield "mac"
    if (
        (len(text) >= 8 and (_UUID.search(text) or _HEX.search(text) or _KNOWN_TOKEN.search(text)))
        or _SECRET_PAIR.search(text)
        or any(map(_is_opaque, _OPAQUE.findall(text)))
    ):
        yield "token"


def _is_personal_url(url: str) -> bool:
    """Whether a link leads to one person or opens something: not every link does."""
    try:
        parts = urlsplit(url if "://" in url else f"//{url}")
    except ValueError:
        return True
    return bool("@" in parts.netloc or _PERSONAL_PATH.search(url.partition("://")[2] or url))


def _is_ip(text: str) -> bool:
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return int(address) >> 24 > 0 and not text.startswith(("1.0.", "2.0.", "0."))


def _is_ipv6(text: str) -> bool:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return int(address) > 0xFFFF


def _is_opaque(text: str) -> bool:
    """Whether letters of both cases and digits alternate as they do in no word."""
    kinds = [
        "d" if c.isdigit() else "U" if c.isupper() else "l" if c.islower() else "-" for c in text
    ]
    changes = sum(a != b for a, b in itertools.pairwise(kinds) if "-" not in (a, b))
    return ({"d", "U", "l"} <= set(kinds) and changes >= 6) or (
        {"d", "U"} <= set(kinds) and "l" not in kinds and changes >= 8
    )
