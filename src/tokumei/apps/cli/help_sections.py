"""Texts of `tokumei --help`: sections, and what each group of commands is for."""

from __future__ import annotations

from tokumei.core.messages import Message

PROGRAM_DESCRIPTION = Message(
    "Tokumei (匿名): anonymize tables and purchase histories, attack the result as a real attacker "
    "would, and measure what the data is still worth and how safe it is.\n\n"
    "Start with:  tokumei demo\n\n"
    "Every command takes --json (one JSON document on stdout), --lang en|ja and --help. "
    "Exit code: 0 done, 1 the data breaks a rule or a claim, 2 wrong usage or unreadable input.",
    "Tokumei (匿名): 表と購買履歴を匿名加工し、実際の攻撃者と同じ方法で攻撃し、"
    "データの価値と安全性を測ります。\n\n"
    "まずは:  tokumei demo\n\n"
    "どのコマンドにも --json (標準出力に JSON 一つ)、--lang en|ja、--help があります。"
    "終了コード: 0 完了、1 規則違反または主張の不成立、2 使い方の誤り・読めない入力。",
)
HELP_SECTIONS = (
    (
        Message("Start here", "まずはここから"),
        {
            "studio": Message("work on a file in the browser", "ブラウザーで匿名加工を進める"),
            "look": Message("what a file is, column by column", "ファイルと各列の内容を調べる"),
            "demo": Message("the whole flow on generated data", "生成データで一連の流れを試す"),
            "run": Message("run a recipe: a whole experiment", "レシピ (実験一式) を実行する"),
            "methods": Message("list all methods and what they do", "手法と内容を一覧する"),
            "paper": Message("recompute one of the five papers", "元の 5 本の論文を再計算する"),
            "completion": Message("complete commands in your shell", "シェルの補完を設定する"),
        },
    ),
    (
        Message("Data", "データ"),
        {
            "sample": Message("generate made-up data", "架空のデータを生成する"),
            "hierarchy": Message("build, check and show hierarchies", "階層を作成・検査・表示する"),
            "categories": Message("put the items of a history into categories", "商品を分類する"),
            "knowledge": Message("draw what an attacker knows", "攻撃者の知識を作る"),
        },
    ),
    (
        Message("Anonymize", "匿名加工"),
        {
            "anonymize": Message("make a release and verify it", "匿名加工し、検証する"),
            "publish": Message(
                "make the public and the secret file of a contest", "公開・秘密ファイルを作る"
            ),
            "rules": Message("keep what recommendations need", "推薦に必要な属性を残して加工する"),
            "advise": Message("which release suits a purpose", "目的に合う匿名加工を提案する"),
            "choose": Message("which k, and what else to do", "k とほかの対策を選ぶ"),
            "sweep": Message("loss and risk for every k", "k ごとの損失とリスクを求める"),
            "price": Message("what data is worth, the best recoding", "データの価値と最適な加工"),
            "key": Message("make a key for a repeatable release", "再現用の鍵を作る"),
        },
    ),
    (
        Message("Attack and measure", "攻撃と評価"),
        {
            "attack": Message("find people again in a release", "匿名加工データで再識別を試みる"),
            "audit": Message(
                "membership, inference, singling out", "含まれる人・属性の推定、絞り込みを調べる"
            ),
            "measure": Message("what a release is worth, how safe", "有用性と安全性を測る"),
            "risk": Message("the risk that a table carries", "表のリスクを調べる"),
            "unicity": Message(
                "who is singled out by a few known purchases", "数点の知識で絞られる割合"
            ),
            "lifetime": Message("how long a pseudonym may be used", "仮名を使い続けてよい期間"),
            "curves": Message("attacks by number of columns and rows", "列数・行数と攻撃の関係"),
            "diagnose": Message("which methods made a release", "使われた手法を推定する"),
        },
    ),
    (
        Message("Verify", "検証"),
        {
            "check": Message(
                "recompute k and other models of any file", "k などをファイルから検査する"
            ),
            "conform": Message("evidence for the law's requirements", "法令の要件に沿って検査する"),
            "ledger": Message("what all releases say together", "これまでの公開を合わせて調べる"),
            "leftovers": Message("files that killed runs left behind", "強制終了で残ったファイル"),
        },
    ),
    (
        Message("Contests", "コンテスト"),
        {"contest": Message("play, serve and judge contests", "コンテストの参加・開催・審査")},
    ),
)
"""All commands in few words, under what a person wants to do."""
OTHER_COMMANDS = Message("More", "その他")
GROUP_DESCRIPTIONS = {
    "anonymize": Message("Make a release and verify it.", "匿名加工し、検証します。"),
    "sample": Message(
        "Generate made-up data that looks like the real thing.", "本物に似たデータを生成します。"
    ),
    "measure": Message(
        "Measure what a release is worth, and how safe it is.",
        "匿名加工データの有用性と安全性を測ります。",
    ),
    "contest": Message(
        "Contests: teams anonymize the same data, then attack each other's releases.\n\n"
        "Start with:  tokumei contest demo",
        "コンテスト: 各チームが同じデータを匿名加工し、互いの匿名加工データを攻撃します。\n\n"
        "まずは:  tokumei contest demo",
    ),
    "price": Message(
        "What data is worth, and the most valuable recoding.", "データの価値と最適な加工。"
    ),
    "price patterns": Message("Words for the values of a price list.", "価格表の値をまとめる語。"),
    "hierarchy": Message(
        "Hierarchies: what each value becomes, step by step, up to *.",
        "階層: 値を * まで段階的に一般化する道筋。",
    ),
    "audit": Message(
        "What a release tells about the people in it.", "公開データから個人について分かること。"
    ),
    "ledger": Message(
        "The release ledger: what all releases say together, before the next one leaves.",
        "公開台帳: すべての匿名加工データを合わせると何が分かるかを、次に渡す前に調べます。",
    ),
    "rules": Message(
        "Recommendation rules: keep in the data what recommendations need.",
        "推薦ルール: 情報推薦に必要な属性を残して匿名加工します。",
    ),
}
"""What groups of commands are for."""
