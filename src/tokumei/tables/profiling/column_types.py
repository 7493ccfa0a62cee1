"""The types a column may have: label, default role and treatment."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.messages import Message


@dataclass(frozen=True)
class ColumnType:
    """A meaning with its words, the role that follows from it, and the kind of its values."""

    title: Message
    role: str
    kind: str


DEFAULT_TREATMENTS = {
    "identifier": "drop",
    "person": "drop",
    "quasi": "generalize",
    "sensitive": "protect",
    "other": "pass",
}
"""What happens to a column of a role unless somebody decides otherwise; `pass` needs consent."""

COLUMN_TYPES = {
    "name": ColumnType(Message("name", context="a type of data"), "identifier", "text"),
    "kana": ColumnType(Message("name in kana", context="a type of data"), "identifier", "text"),
    "email": ColumnType(Message("e-mail address", context="a type of data"), "identifier", "text"),
    "phone": ColumnType(
        Message("telephone number", context="a type of data"), "identifier", "text"
    ),
    "address": ColumnType(Message("address", context="a type of data"), "identifier", "text"),
    "postal": ColumnType(Message("postal code", context="a type of data"), "quasi", "category"),
    "prefecture": ColumnType(
        Message("prefecture or state", context="a type of data"), "quasi", "category"
    ),
    "city": ColumnType(Message("city or town", context="a type of data"), "quasi", "category"),
    "country": ColumnType(Message("country", context="a type of data"), "quasi", "category"),
    "lat": ColumnType(Message("latitude", context="a type of data"), "quasi", "numeric"),
    "lon": ColumnType(Message("longitude", context="a type of data"), "quasi", "numeric"),
    "birth_date": ColumnType(Message("date of birth", context="a type of data"), "quasi", "date"),
    "birth_year": ColumnType(
        Message("year of birth", context="a type of data"), "quasi", "numeric"
    ),
    "age": ColumnType(Message("age", context="a type of data"), "quasi", "numeric"),
    "sex": ColumnType(Message("sex", context="a type of data"), "quasi", "category"),
    "marital": ColumnType(Message("marital status", context="a type of data"), "quasi", "category"),
    "education": ColumnType(Message("education", context="a type of data"), "quasi", "numeric"),
    "occupation": ColumnType(Message("occupation", context="a type of data"), "quasi", "category"),
    "organization": ColumnType(
        Message("organization", context="a type of data"), "quasi", "category"
    ),
    "race": ColumnType(Message("ethnic group", context="a type of data"), "quasi", "category"),
    "member_id": ColumnType(Message("person's number", context="a type of data"), "person", "text"),
    "record_id": ColumnType(
        Message("record number", context="a type of data"), "identifier", "text"
    ),
    "row_number": ColumnType(
        Message("row number", context="a type of data"), "identifier", "numeric"
    ),
    "device_id": ColumnType(Message("device number", context="a type of data"), "person", "text"),
    "username": ColumnType(Message("user name", context="a type of data"), "identifier", "text"),
    "my_number": ColumnType(Message("My Number", context="a type of data"), "identifier", "text"),
    "insurance_no": ColumnType(
        Message("insurance number", context="a type of data"), "identifier", "text"
    ),
    "passport": ColumnType(
        Message("passport number", context="a type of data"), "identifier", "text"
    ),
    "ssn": ColumnType(
        Message("national identity number", context="a type of data"), "identifier", "text"
    ),
    "card": ColumnType(Message("payment card", context="a type of data"), "identifier", "text"),
    "bank_account": ColumnType(
        Message("bank account", context="a type of data"), "identifier", "text"
    ),
    "ip": ColumnType(Message("IP address", context="a type of data"), "identifier", "text"),
    "url": ColumnType(Message("web address", context="a type of data"), "identifier", "text"),
    "user_agent": ColumnType(Message("browser", context="a type of data"), "quasi", "text"),
    "amount": ColumnType(
        Message("amount of money", context="a type of data"), "sensitive", "numeric"
    ),
    "price": ColumnType(Message("price", context="a type of data"), "other", "numeric"),
    "quantity": ColumnType(Message("quantity", context="a type of data"), "other", "numeric"),
    "count": ColumnType(Message("count", context="a type of data"), "sensitive", "numeric"),
    "score": ColumnType(Message("score", context="a type of data"), "sensitive", "numeric"),
    "measure": ColumnType(Message("measurement", context="a type of data"), "sensitive", "numeric"),
    "weight": ColumnType(Message("sampling weight", context="a type of data"), "other", "numeric"),
    "date": ColumnType(Message("date", context="a type of data"), "quasi", "date"),
    "datetime": ColumnType(Message("date and time", context="a type of data"), "quasi", "date"),
    "year": ColumnType(Message("year", context="a type of data"), "quasi", "numeric"),
    "time": ColumnType(Message("time of day", context="a type of data"), "quasi", "category"),
    "diagnosis": ColumnType(
        Message("diagnosis", context="a type of data"), "sensitive", "category"
    ),
    "flag": ColumnType(Message("yes or no", context="a type of data"), "other", "category"),
    "category": ColumnType(Message("category", context="a type of data"), "quasi", "category"),
    "code": ColumnType(Message("code", context="a type of data"), "other", "category"),
    "jan": ColumnType(Message("article number", context="a type of data"), "other", "category"),
    "item": ColumnType(Message("article", context="a type of data"), "other", "category"),
    "store": ColumnType(Message("shop or site", context="a type of data"), "other", "category"),
    "free_text": ColumnType(Message("free text", context="a type of data"), "sensitive", "text"),
}
"""By name."""
