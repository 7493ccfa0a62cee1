"""What a column may mean: its words, its default role and what then happens to it."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.text import Text


@dataclass(frozen=True)
class ColumnType:
    """A meaning with its words, the role that follows from it, and the kind of its values."""

    title: Text
    role: str
    kind: str


def _type(en: str, ja: str, role: str, kind: str) -> ColumnType:
    return ColumnType(Text(en, ja), role, kind)


FATES = {
    "identifier": "drop",
    "person": "drop",
    "quasi": "generalize",
    "sensitive": "protect",
    "other": "pass",
}
"""What happens to a column of a role unless somebody decides otherwise; `pass` needs consent."""

TYPES: dict[str, ColumnType] = {
    "name": _type("a name", "氏名", "identifier", "text"),
    "kana": _type("a name in kana", "氏名のカナ", "identifier", "text"),
    "email": _type("an e-mail address", "メールアドレス", "identifier", "text"),
    "phone": _type("a telephone number", "電話番号", "identifier", "text"),
    "address": _type("an address", "住所", "identifier", "text"),
    "postal": _type("a postal code", "郵便番号", "quasi", "category"),
    "prefecture": _type("a prefecture or state", "都道府県・州", "quasi", "category"),
    "city": _type("a city or town", "市区町村", "quasi", "category"),
    "country": _type("a country", "国", "quasi", "category"),
    "lat": _type("a latitude", "緯度", "quasi", "numeric"),
    "lon": _type("a longitude", "経度", "quasi", "numeric"),
    "birth_date": _type("a date of birth", "生年月日", "quasi", "date"),
    "birth_year": _type("a year of birth", "生年", "quasi", "numeric"),
    "age": _type("an age", "年齢", "quasi", "numeric"),
    "sex": _type("a sex", "性別", "quasi", "category"),
    "marital": _type("a marital status", "婚姻状況", "quasi", "category"),
    "education": _type("an education", "学歴", "quasi", "numeric"),
    "occupation": _type("an occupation", "職業・役職", "quasi", "category"),
    "organization": _type("an organization", "組織", "quasi", "category"),
    "race": _type("an ethnic group", "人種・民族", "quasi", "category"),
    "member_id": _type("somebody's number", "個人の番号", "person", "text"),
    "record_id": _type("a record's number", "記録の番号", "identifier", "text"),
    "row_number": _type("a row number", "行番号", "identifier", "numeric"),
    "device_id": _type("a device's number", "端末の番号", "person", "text"),
    "username": _type("a user name", "ユーザー名", "identifier", "text"),
    "my_number": _type("My Number", "マイナンバー", "identifier", "text"),
    "insurance_no": _type("an insurance number", "保険証等の番号", "identifier", "text"),
    "passport": _type("a passport number", "旅券番号", "identifier", "text"),
    "ssn": _type("a national identity number", "公的な識別番号", "identifier", "text"),
    "card": _type("a payment card", "カード番号", "identifier", "text"),
    "bank_account": _type("a bank account", "口座番号", "identifier", "text"),
    "ip": _type("an IP address", "IP アドレス", "identifier", "text"),
    "url": _type("a web address", "URL", "identifier", "text"),
    "user_agent": _type("a browser", "ブラウザー", "quasi", "text"),
    "amount": _type("an amount of money", "金額", "sensitive", "numeric"),
    "price": _type("a price", "単価・価格", "other", "numeric"),
    "quantity": _type("a quantity", "数量", "other", "numeric"),
    "count": _type("a count", "回数・人数", "sensitive", "numeric"),
    "score": _type("a score", "評価・点数", "sensitive", "numeric"),
    "measure": _type("a measurement", "測定値", "sensitive", "numeric"),
    "weight": _type("a sampling weight", "標本の重み", "other", "numeric"),
    "date": _type("a date", "日付", "quasi", "date"),
    "datetime": _type("a date and time", "日時", "quasi", "date"),
    "year": _type("a year", "年", "quasi", "numeric"),
    "time": _type("a time of day", "時刻", "quasi", "category"),
    "diagnosis": _type("a diagnosis", "病名・判定", "sensitive", "category"),
    "flag": _type("a yes or no", "有無", "other", "category"),
    "category": _type("a category", "区分", "quasi", "category"),
    "code": _type("a code", "コード", "other", "category"),
    "jan": _type("an article number", "JAN コード", "other", "category"),
    "item": _type("an article", "商品", "other", "category"),
    "store": _type("a shop or site", "店舗・拠点", "other", "category"),
    "free_text": _type("free text", "自由記述", "sensitive", "text"),
}
