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

_TYPE_DEFINITIONS = {
    "name": ("a name", "氏名", "identifier", "text"),
    "kana": ("a name in kana", "氏名のカナ", "identifier", "text"),
    "email": ("an e-mail address", "メールアドレス", "identifier", "text"),
    "phone": ("a telephone number", "電話番号", "identifier", "text"),
    "address": ("an address", "住所", "identifier", "text"),
    "postal": ("a postal code", "郵便番号", "quasi", "category"),
    "prefecture": ("a prefecture or state", "都道府県・州", "quasi", "category"),
    "city": ("a city or town", "市区町村", "quasi", "category"),
    "country": ("a country", "国", "quasi", "category"),
    "lat": ("a latitude", "緯度", "quasi", "numeric"),
    "lon": ("a longitude", "経度", "quasi", "numeric"),
    "birth_date": ("a date of birth", "生年月日", "quasi", "date"),
    "birth_year": ("a year of birth", "生年", "quasi", "numeric"),
    "age": ("an age", "年齢", "quasi", "numeric"),
    "sex": ("a sex", "性別", "quasi", "category"),
    "marital": ("a marital status", "婚姻状況", "quasi", "category"),
    "education": ("an education", "学歴", "quasi", "numeric"),
    "occupation": ("an occupation", "職業・役職", "quasi", "category"),
    "organization": ("an organization", "組織", "quasi", "category"),
    "race": ("an ethnic group", "人種・民族", "quasi", "category"),
    "member_id": ("somebody's number", "個人の番号", "person", "text"),
    "record_id": ("a record's number", "記録の番号", "identifier", "text"),
    "row_number": ("a row number", "行番号", "identifier", "numeric"),
    "device_id": ("a device's number", "端末の番号", "person", "text"),
    "username": ("a user name", "ユーザー名", "identifier", "text"),
    "my_number": ("My Number", "マイナンバー", "identifier", "text"),
    "insurance_no": ("an insurance number", "保険証等の番号", "identifier", "text"),
    "passport": ("a passport number", "旅券番号", "identifier", "text"),
    "ssn": ("a national identity number", "公的な識別番号", "identifier", "text"),
    "card": ("a payment card", "カード番号", "identifier", "text"),
    "bank_account": ("a bank account", "口座番号", "identifier", "text"),
    "ip": ("an IP address", "IP アドレス", "identifier", "text"),
    "url": ("a web address", "URL", "identifier", "text"),
    "user_agent": ("a browser", "ブラウザー", "quasi", "text"),
    "amount": ("an amount of money", "金額", "sensitive", "numeric"),
    "price": ("a price", "単価・価格", "other", "numeric"),
    "quantity": ("a quantity", "数量", "other", "numeric"),
    "count": ("a count", "回数・人数", "sensitive", "numeric"),
    "score": ("a score", "評価・点数", "sensitive", "numeric"),
    "measure": ("a measurement", "測定値", "sensitive", "numeric"),
    "weight": ("a sampling weight", "標本の重み", "other", "numeric"),
    "date": ("a date", "日付", "quasi", "date"),
    "datetime": ("a date and time", "日時", "quasi", "date"),
    "year": ("a year", "年", "quasi", "numeric"),
    "time": ("a time of day", "時刻", "quasi", "category"),
    "diagnosis": ("a diagnosis", "病名・判定", "sensitive", "category"),
    "flag": ("a yes or no", "有無", "other", "category"),
    "category": ("a category", "区分", "quasi", "category"),
    "code": ("a code", "コード", "other", "category"),
    "jan": ("an article number", "JAN コード", "other", "category"),
    "item": ("an article", "商品", "other", "category"),
    "store": ("a shop or site", "店舗・拠点", "other", "category"),
    "free_text": ("free text", "自由記述", "sensitive", "text"),
}
COLUMN_TYPES = {
    n: ColumnType(Message(en, ja), role, kind)
    for n, (en, ja, role, kind) in _TYPE_DEFINITIONS.items()
}
"""By name."""
