"""Runs every recognizer on a text: the forms in which identifying values are written.

find_forms("361-95-5875 taro@example.org")        # {"identity-number", "email"}
"""

from __future__ import annotations

from tokumei.core.messages import Message
from tokumei.release_gate.date_forms import date_forms
from tokumei.release_gate.identity_numbers import identity_forms
from tokumei.release_gate.network_forms import URL, network_forms
from tokumei.release_gate.person_names import name_forms
from tokumei.release_gate.phone_numbers import phone_forms
from tokumei.release_gate.place_forms import place_forms

FORM_TITLES = {
    "email": Message("e-mail addresses"),
    "username": Message("user names"),
    "url": Message("links to people or with keys in them"),
    "ip": Message("IP addresses"),
    "mac": Message("MAC addresses"),
    "token": Message("tokens, keys or hashes"),
    "card": Message("card numbers"),
    "account": Message("account numbers"),
    "device": Message("numbers of devices or vehicles"),
    "identity-number": Message("identity numbers"),
    "phone": Message("telephone numbers"),
    "address": Message("addresses"),
    "coordinates": Message("coordinates"),
    "plate": Message("number plates"),
    "date": Message("days in full among other values"),
    "birth-date": Message("dates of birth"),
    "name": Message("names of people"),
    "unlike": Message("codes unlike the other values of the column"),
    "own-code": Message("codes that hardly any two rows share"),
    "withheld": Message("values of a column that is not released"),
    "rare-text": Message("texts that too few people have"),
    "first-row": Message("names that look like cells of a row"),
}
"""What the gate finds, as it says it."""
_RECOGNIZERS = (place_forms, date_forms, identity_forms, name_forms)
MAX_TEXT = 20_000
"""Longer cells are looked through in parts of so many characters, which overlap."""
_OVERLAP = 200


def find_forms(text: str) -> frozenset[str]:
    """The forms that occur in a text."""
    if len(text) > MAX_TEXT:
        starts = range(0, len(text), MAX_TEXT - _OVERLAP)
        return frozenset().union(*(find_forms(text[start : start + MAX_TEXT]) for start in starts))
    # What stands in a link is judged as a link: paths hold days and numbers of articles.
    rest = URL.sub(" ", text)
    forms = {*network_forms(text), *(f for recognize in _RECOGNIZERS for f in recognize(rest))}
    return frozenset(forms or phone_forms(rest))
