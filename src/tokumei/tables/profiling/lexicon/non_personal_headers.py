"""Column names of amounts, counts, dates, texts and categories.

Each line: the type, what Japanese names contain, what names in Latin letters contain as words.
"""

from __future__ import annotations

HEADER_PATTERNS: tuple[tuple[str, str, str], ...] = (
    (
        "measure",
        r"(年数|期間|時間|日齢|月齢)(\(|$)|身長|体重|bmi|血圧|脈拍|体温|血糖|コレステ|腹囲|"
        r"視力|心拍|hba1c|γ-?gtp|クレアチニン|ヘモグロビン|(率|比|量|距離|速度|温度|湿度|"
        r"面積|重量|重さ|長さ|高さ|幅|濃度|濃|値|指数|歩数|偏差)(\(.*)?$|\((cm|kg|mm|m|g|℃|"
        r"%|mmhg|mg/dl|km|分|秒|時間)\)",
        r"\b(height|bmi|bp|sbp|dbp|sysbp|diabp|blood pressure|pulse|heart rate|temp|"
        r"temperature|speed|distance|duration|minutes|mins|hours|seconds|secs|sec|length|"
        r"width|ratio|percent|pct|percentage|hba1c|glucose|chol\w*|ldl|hdl|hemoglobin|"
        r"creatinine|alt|ast|mass|calories|cal|dose|concentration|volume|area|elevation|"
        r"altitude|depth|index|tenure|elapsed|yrs|years|months|weeks|days|latency|velocity|"
        r"mph|kmh|waist|hip|body fat|steps)\b",
    ),
    (
        "quantity",
        r"数量|個数|枚数|本数|台数|在庫|買上点数|購入点数|冊数|員数",
        r"\b(qty|quantity|quantities|suryo|pieces|units|stock level|inventory|menge|"
        r"cantidad|quantite|cds)\b",
    ),
    (
        "price",
        r"単価|価格|定価|値段|売価|原価|送料|手数料|会費|運賃",
        r"\b(price|unit ?(price|cost)|tanka|kakaku|fare|msrp|shipping( fee| cost)?|"
        r"list price|preis|precio|prix)\b",
    ),
    (
        "amount",
        r"金額|総額|小計|残高|収入|所得(?!段階|区分)|年収|月収|給与|給料|基本給|賃金|手当|"
        r"賞与|報酬|売上|料金|代金|費$|費\(|料$|料\(|額$|額\(|税|支払|支出|入金額|出金額|"
        r"請求額|負担|家賃|予算|利益|資産|負債|借入|ローン|貯蓄|預金|^合計|合計$|\((円|千円|"
        r"万円|百万円)\)|消費$|ボーナス|收入|工资|薪|奖金|金额|费用",
        r"\b(amount|amt|balance|income|inc|hinc|salary|wage|wages|pay|payment|revenue|sales|"
        r"cost|costs|charge|charges|fee|fees|expense|expenses|expenditure|spend|spent|"
        r"spending|budget|earnings|bonus|tax|taxes|debt|loan|assets?|profit|kingaku|nenshu|"
        r"kyuyo|premium|deposit|rent|capital (gain|loss)|net worth|wealth|bill|turnover|"
        r"dollars|usd|jpy|eur|gbp|chf|cny|krw|inr|aud|cad|brl|yen|gdp|total|subtotal|betrag|gehalt|importe|montant|salaire|"
        r"umsatz|credit limit|limit bal|credit|purchase amount|monetary|donation)\b",
    ),
    (
        "count",
        r"回数|件数|人数|日数|客数|泊数|頻度|者数|数$|数\(|員数|世帯人員|家族構成人数|扶養",
        r"\b(count|counts|cnt|number of|no of|num|n|nb|nbr|kaisu|visits|times|children|kids|"
        r"siblings|sibsp|parch|household size|family size|hh size|hhsize|psize|size|freq|"
        r"frequency|days|clicks|views|bytes|requests|dependents|dependants|passengers|calls|"
        r"logins|orders|items count|births|deaths|cases|population|pop|headcount|nkids|"
        r"occurrences)\b|\bn (of )?\w+",
    ),
    (
        "score",
        r"評価|評点|点数|得点|成績|満足度|スコア|偏差値|順位|ランク|レベル|等級|級$|段階|"
        r"点$|おすすめ度|推奨度|意向|理解度|国語|数学|英語|理科|社会$|算数|音楽$|体育$|"
        r"テスト|試験",
        r"\b(score|scores|rating|rate|grade|grades|rank|ranking|points|gpa|satisfaction|"
        r"level|likert|test|exam|mark|marks|ecog|karno\w*|nps|iq|sat|toefl|evaluation|"
        r"assessment|index score|apgar|math|reading|writing|science|stars|hyouka|tensu)\b",
    ),
    (
        "weight",
        r"ウェイト|ウエイト|重み",
        r"\b(fnlwgt|pweight|weights|sampling weight|survey weight|sample weight|wgt|"
        r"weight factor|exp factor)\b",
    ),
    ("measure", r"(?<!年)度$|(?<!年)度\(", r"\b(weight|wt|wtkg|weight kg)\b"),
    (
        "time",
        r"時刻|時間帯|開始時間|終了時間",
        r"\b(time of day|hour|clock|start time|end time|jikoku)\b",
    ),
    ("year", r"年度?$|西暦", r"\b(year|yr|nen|nendo|fiscal year|jahr|ano|annee)\b"),
    (
        "datetime",
        r"日時|タイムスタンプ|時刻|時間$",
        r"\b(datetime|timestamp|ts|epoch|unixtime|nichiji|nitiji|event time|time ?stamp|"
        r"date ?time|created|updated|modified|logged|time)\b",
    ),
    (
        "date",
        r"年月日|日付|期日|期限|日$|日\(|年月$|月$|月\(|開始$|終了$|チェック(イン|アウト)|"
        r"ymd$|曜日|更新$|登録$",
        r"\b(date|dates|day|dt|ymd|yyyymmdd|month|yyyymm|ym|hizuke|datum|fecha|data|opened|"
        r"closed|start|end|arrival|departure|expiry|expires|since|until|joined|hired|due|"
        r"period|when|quarter|week|koushin|touroku)\b| (at|on) $",
    ),
    (
        "free_text",
        r"備考|メモ|コメント|意見|感想|自由(記述|記入|回答)|特記|所見|内容|理由|詳細|経過|"
        r"様子|記事|記録$|申し?送り|問い?合わ?せ|要望|相談|連絡事項|摘要|本文|説明|"
        r"メッセージ|伝言|報告|ご質問|口コミ|レビュー|その他$|記述",
        r"\b(remark|remarks|note|notes|comment|comments|memo|message|messages|text|"
        r"description|desc|feedback|review|reviews|opinion|free ?text|body|content|contents|"
        r"detail|details|bikou?|observation|observations|anmerkung|bemerkung|comentario\w*|"
        r"commentaire|narrative|summary|transcript|question|answer|reply|complaint|reason|"
        r"subject|tweet|post|story|bio|about|instructions?|anything else|tell us|explain|"
        r"describe|specify|suggestions?|why)\b",
    ),
    ("category", r"政党|党派|会派", r"\b(political|party|religion|faith)\b( affiliation)?"),
    (
        "organization",
        r"会社|勤務先|企業|法人|団体|所属先|事業所|メーカー|仕入先|取引先|得意先|学校|"
        r"出身校|大学|病院|医療機関|施設|園名|発注先|製造元|販売元",
        r"\b(company|employer|organi[sz]ation|org|firm|institution|university|school|"
        r"manufacturer|maker|vendor|supplier|hospital|clinic|kaisha|kaishamei|kinmusaki|"
        r"affiliation|empresa|firma|entreprise|agency|publisher|workplace|carrier|airline)\b",
    ),
    (
        "store",
        r"店舗|店名|支店|営業所|店番|拠点|店$|ショップ|売場|レジ",
        r"\b(store|shop|branch|outlet|site|siteno|inst|tenpo|siten|shiten|tienda|filiale|"
        r"magasin|pos terminal|register)\b",
    ),
    (
        "item",
        r"商品|品名|品目|製品|アイテム|メニュー|銘柄|型番|品番|書名|曲名|作品|明細$|品$",
        r"\b(product|products|item|items|goods|article|sku|stock|menu|shohin|hinmei|hinban|"
        r"producto|produkt|produit|artikel|merchandise|title|song|movie|book|model|make)\b",
    ),
    (
        "flag",
        r"希望|同意|済$|対象$|有効|削除|退会|既読|出欠|当否|合否|参加$|喫煙|飲酒|奨学",
        r"\b(active|enabled|deleted|valid|smoker|smoking|smoke|alcohol|observed|survived|"
        r"died|dead|death|churn\w*|default|fraud|cens|censor\w*|sakujo|success|approved|"
        r"completed|purchased|married|employed|insured|exited|response|target|treated|"
        r"outcome|event|case|winner|foreign|urban|rural)\b",
    ),
    (
        "code",
        r"コード|cd$|番号$|no\.?$|№|区画|クラス番号",
        r"\b(code|codes|cd|status code|bango|fips|zone)\b",
    ),
    (
        "category",
        r"区分|種別|種類|分類|タイプ|カテゴリ|クラス|科$|コース|プラン|形態|方法|手段|経路|"
        r"媒体|属性|状況|ステータス|状態|結果|続柄|地域|地方|エリア|部署|部門|部$|課$|組$|"
        r"学年|学部|方式|用途|目的|きっかけ|世帯|血液型|宗教|言語|色$|型$",
        r"\b(type|class|category|group|kind|status|mode|method|channel|plan|course|segment|"
        r"result|party|genre|kbn|kubun|shubetsu|department|dept|division|section|team|"
        r"region|religion\w*|language|color|colour|relationship|relation|zokugara|housing|"
        r"blood type|topic|priority|path|page|arm|cohort|site type|busho|area|zone|treat|"
        r"continent|size class|tier|shift|role|visit|round|wave)\b",
    ),
)
