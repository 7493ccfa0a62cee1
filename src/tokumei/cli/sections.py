"""The words of `tokumei --help`: sections of commands, and what groups of commands are for."""

from __future__ import annotations

from tokumei.core.text import Text

ABOUT = Text(
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
SECTIONS = (
    (
        Text("Start here", "まずはここから"),
        {
            "studio": Text("work on a file in the browser", "ブラウザーで匿名加工を進める"),
            "look": Text("what a file is, column by column", "ファイルと各列の内容を調べる"),
            "demo": Text("the whole flow on generated data", "生成データで一連の流れを試す"),
            "run": Text("run a recipe: a whole experiment", "レシピ (実験一式) を実行する"),
            "methods": Text("list all methods and what they do", "手法と内容を一覧する"),
            "paper": Text("recompute one of the five papers", "元の 5 本の論文を再計算する"),
            "completion": Text("complete commands in your shell", "シェルの補完を設定する"),
        },
    ),
    (
        Text("Data", "データ"),
        {
            "sample": Text("generate made-up data", "架空のデータを生成する"),
            "hierarchy": Text("build, check and show hierarchies", "階層を作成・検査・表示する"),
            "categories": Text("put the items of a history into categories", "商品を分類する"),
            "knowledge": Text("draw what an attacker knows", "攻撃者の知識を作る"),
        },
    ),
    (
        Text("Anonymize", "匿名加工"),
        {
            "anonymize": Text("make a release and verify it", "匿名加工し、検証する"),
            "publish": Text(
                "make the public and the secret file of a contest", "公開・秘密ファイルを作る"
            ),
            "rules": Text("keep what recommendations need", "推薦に必要な属性を残して加工する"),
            "advise": Text("which release suits a purpose", "目的に合う匿名加工を提案する"),
            "choose": Text("which k, and what else to do", "k とほかの対策を選ぶ"),
            "sweep": Text("loss and risk for every k", "k ごとの損失とリスクを求める"),
            "price": Text("what data is worth, the best recoding", "データの価値と最適な加工"),
            "key": Text("make a key for a repeatable release", "再現用の鍵を作る"),
        },
    ),
    (
        Text("Attack and measure", "攻撃と評価"),
        {
            "attack": Text("find people again in a release", "匿名加工データで再識別を試みる"),
            "audit": Text(
                "membership, inference, singling out", "含まれる人・属性の推定、絞り込みを調べる"
            ),
            "measure": Text("what a release is worth, how safe", "有用性と安全性を測る"),
            "risk": Text("the risk that a table carries", "表のリスクを調べる"),
            "unicity": Text(
                "who is singled out by a few known purchases", "数点の知識で絞られる割合"
            ),
            "lifetime": Text("how long a pseudonym may be used", "仮名を使い続けてよい期間"),
            "curves": Text("attacks by number of columns and rows", "列数・行数と攻撃の関係"),
            "diagnose": Text("which methods made a release", "使われた手法を推定する"),
        },
    ),
    (
        Text("Verify", "検証"),
        {
            "check": Text(
                "recompute k and other models of any file", "k などをファイルから検査する"
            ),
            "conform": Text("evidence for the law's requirements", "法令の要件に沿って検査する"),
            "ledger": Text("what all releases say together", "これまでの公開を合わせて調べる"),
            "leftovers": Text("files that killed runs left behind", "強制終了で残ったファイル"),
        },
    ),
    (
        Text("Contests", "コンテスト"),
        {"contest": Text("play, serve and judge contests", "コンテストの参加・開催・審査")},
    ),
)
"""All commands in few words, under what a person wants to do."""
OTHERS = Text("More", "その他")
GROUPS = {
    "anonymize": Text("Make a release and verify it.", "匿名加工し、検証します。"),
    "sample": Text(
        "Generate made-up data that looks like the real thing.", "本物に似たデータを生成します。"
    ),
    "measure": Text(
        "Measure what a release is worth, and how safe it is.",
        "匿名加工データの有用性と安全性を測ります。",
    ),
    "contest": Text(
        "Contests: teams anonymize the same data, then attack each other's releases.\n\n"
        "Start with:  tokumei contest demo",
        "コンテスト: 各チームが同じデータを匿名加工し、互いの匿名加工データを攻撃します。\n\n"
        "まずは:  tokumei contest demo",
    ),
    "price": Text(
        "What data is worth, and the most valuable recoding.", "データの価値と最適な加工。"
    ),
    "price patterns": Text("Words for the values of a price list.", "価格表の値をまとめる語。"),
    "hierarchy": Text(
        "Hierarchies: what each value becomes, step by step, up to *.",
        "階層: 値を * まで段階的に一般化する道筋。",
    ),
    "audit": Text(
        "What a release tells about the people in it.", "公開データから個人について分かること。"
    ),
    "ledger": Text(
        "The release ledger: what all releases say together, before the next one leaves.",
        "公開台帳: すべての匿名加工データを合わせると何が分かるかを、次に渡す前に調べます。",
    ),
    "rules": Text(
        "Recommendation rules: keep in the data what recommendations need.",
        "推薦ルール: 情報推薦に必要な属性を残して匿名加工します。",
    ),
}
"""What groups of commands are for."""
