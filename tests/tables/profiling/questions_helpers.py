"""What the tests split from test_questions share."""

from __future__ import annotations

N = 60


DAYS = [f"2024-01-{1 + i % 28:02}" for i in range(N)]


PEOPLE = {"性別": ["男", "女"] * (N // 2), "年齢": [str(20 + i % 50) for i in range(N)]}


WORDS = [f"{a}{b}" for a in "天地玄黄宇宙洪荒" for b in "日月盈昃辰宿列張"][:N]


CASES = {
    "person-or-thing": ({"name": [f"Thing {i}" for i in range(N)], "size": DAYS}, "name"),
    "key-like": ({**PEOPLE, "c1": [str(37 * i % 9973) for i in range(N)]}, "c1"),
    "many-words": ({**PEOPLE, "天気": WORDS}, "天気"),
    "text-with-personal-data": (
        {**PEOPLE, "備考": ["特になし", "折返し 090-1234-5678 まで"] * (N // 2)},
        "備考",
    ),
    "free-text": ({**PEOPLE, "感想": [f"とても良かったです。その{i}" for i in range(N)]}, "感想"),
    "two-person-columns": (
        {
            **PEOPLE,
            "顧客ID": [f"C{i:04}" for i in range(N)],
            "社員ID": [f"E{i % 9:04}" for i in range(N)],
        },
        "社員ID",
    ),
    "mixed-contact": (
        {
            **PEOPLE,
            "連絡先": [f"a{i}@example.jp" if i % 3 else f"090-1234-{i:04}" for i in range(N)],
        },
        "連絡先",
    ),
    "date-order": (
        {**PEOPLE, "date": [f"{1 + i % 12}/{1 + i % 11}/2021" for i in range(N)]},
        "date",
    ),
    "two-digit-year": (
        {**PEOPLE, "登録日": [f"{i % 99:02}/{1 + i % 12:02}/{1 + i % 28:02}" for i in range(N)]},
        "登録日",
    ),
    "unnamed-column": ({**PEOPLE, "Unnamed: 2": ["a", "b", "c"] * (N // 3)}, "Unnamed: 2"),
    "not-people": (
        {
            "伝票番号": [f"D{i:05}" for i in range(N)],
            "商品名": ["りんご", "みかん", "かき"] * (N // 3),
        },
        "伝票番号",
    ),
}
