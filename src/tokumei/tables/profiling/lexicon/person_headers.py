"""Column names of personal data: numbers, contacts, places, birth, sex, illness.

Each line: the type, what Japanese names contain, what names in Latin letters contain as words.
"""

from __future__ import annotations

HEADER_PATTERNS: tuple[tuple[str, str, str], ...] = (
    (
        "flag",
        r"(メール|mail|dm|電話|連絡|案内|配信|メルマガ|通知).*(可否|希望|フラグ|許諾|同意|"
        r"要否|不要|配信|停止)|"
        r"(フラグ|有無|可否|要否|諾否|の有無|有り?無し|区分\(有無\))$",
        r"\b(opt|opted|subscribed|consent|unsubscribed)\b.*|\b(flag|flg|yn|indicator)\b|"
        r"^ (is|has|was|did|can|ever) ",
    ),
    (
        "my_number",
        r"マイナンバー|個人番号|マイナ番号",
        r"\bmy number\b|\bmynumber\b|\bkojin (no|bango)\b",
    ),
    (
        "insurance_no",
        r"被保険者.*(番号|no|記号)|保険証|保険者番号|記号番号|受給者.*番号|年金番号|"
        r"証券番号|保険番号|公費",
        r"\b(insurance|policy|medicare|medicaid|nhs|hokensho|hihokensha|hoken|hicn|"
        r"health card|pension)\b.*\b(no|number|num|id|nr|bango)\b|\bhetu\b",
    ),
    ("passport", r"旅券|パスポート", r"\bpassport\b|\bpasaporte\b|\breisepass\b"),
    (
        "ssn",
        r"免許証?(番号|$)|在留カード|社会保障番号|納税者番号|住民票コード|基礎年金",
        r"\b(ssn|nino|nin|sin|tin|itin|cpf|curp|nif|dni|nie|aadhaar|pesel|cnp|bsn|"
        r"personnummer|codice fiscale|rfc|nric|rut|cedula|nss|nuss|nir|ahv|svnr|cnic|ktp|nik|"
        r"mykad|hkid|pps|bvn|uan|epic|rg|sozialversicherungs\w*|seguridad social)\b"
        r"|\bsocial (security|insurance)\b|\b(national|tax|government|citizen|ni|identity|"
        r"fiscal|voter|ration) (insurance )?(id|no|number|num|card|code)\b"
        r"|\b(driver|driving|drivers|license|licence) (licen[cs]e )?(no|number|num|id|"
        r"plate)\b|\b(number|licen[cs]e) plate\b|\bsteuer\b|\bmenkyo\b",
    ),
    (
        "code",
        r"[下末](尾)?(4|四) ?(桁|ケタ)",
        r"\blast ?(4|four)\b|\b(letzte|ultimos|derniers) ?4\b",
    ),
    (
        "card",
        r"(クレジット|クレカ|デビット|決済カード|支払カード).*(番号|no)?$|^カード(番号|no)",
        r"\b(credit|debit|payment|bank) ?card (no|number|num)?\b|\bcard (no|number|num)\b|"
        r"\bcc (no|number|num)\b|\bcreditcard\b|\bpan\b|\bcc\b",
    ),
    (
        "email",
        r"メールアドレス|eメール|e-mail|email|メアド|メール$|mail(アドレス)?$|連絡先メール|"
        r"メール\(",
        r"\b(e ?)?mails? ?(address|addr|adr|id)?\b|\bcorreo\b|\bcourriel\b|\bmel\b",
    ),
    (
        "ip",
        r"ipアドレス|ip$|接続元",
        r"\b(client |remote |source )?(ip ?addr(ess)?|ip|ipv[46]|remote (addr|host))\b|"
        r"\bx forwarded for\b",
    ),
    (
        "device_id",
        r"端末(id|番号|識別)|デバイスid|機器id|広告id|クッキー|製造番号|車台番号",
        r"\b(ssid|bssid|hostname|imei|imsi|udid|idfa|gaid|adid|aaid|idfv|iccid|meid|cookie|fingerprint|vin)\b|"
        r"\bmac( addr(ess)?)?\b|\b(hw|hardware) addr(ess)?\b"
        r"|\b(device|tanmatsu|handset|advertising|android|beacon|terminal|sim|phone) (id|"
        r"uuid|no|number|token|serial)\b|\bdeviceid\b",
    ),
    (
        "user_agent",
        r"ユーザーエージェント|ブラウザ",
        r"\b(user|http) ?agent\b|\bua\b|\bbrowser\b|\buseragent\b",
    ),
    (
        "url",
        r"url|ホームページ|webサイト|リンク",
        r"\b(url|uri|website|homepage|web site|linkedin|facebook|instagram|permalink|"
        r"web page)\b",
    ),
    (
        "phone",
        r"(電話|携帯|tel|fax|ファックス|ファクシミリ|phone)(?!回数|時間|可否|料|代|対応|"
        r"件数|メモ)|連絡先(?!区分|名|住所)|日中の?連絡",
        r"\b(phone|telephone|tel|tlf|telno|mobile|cell|cellphone|fax|denwa|keitai|telefon|"
        r"telefono|telephone|handy|celular|portable|movil|whatsapp|landline|"
        r"msisdn)\b(?! (type|model|os|plan|cost|bill|calls|usage|brand))"
        r"|\bcontact (no|number|num)\b|\bph (no|number)?\b",
    ),
    (
        "kana",
        r"(フリガナ|ふりがな|カナ|かな|よみ|ヨミ|読み|セイ$|メイ$|ｶﾅ)",
        r"\b(kana|furigana|yomi|yomigana|phonetic|katakana|hiragana|hurigana)\b",
    ),
    (
        "username",
        r"ユーザー?名|ログイン(名|id)|アカウント(名|id)?$|ハンドル|ニックネーム|ペンネーム|"
        r"表示名",
        r"\b(user ?name|login( name| id)?|nick ?name|screen ?name|handle|account name|alias|"
        r"usr ?name|twitter|benutzername)\b|^ (user|usr|nick) $",
    ),
    (
        "birth_year",
        r"生年$|誕生年|出生年$|生まれ年|生年\(",
        r"\b(birth|geburts) ?(year|yr|jahr)\b|\byob\b|\b(year|yr) (of )?birth\b|\bb ?year\b|"
        r"\bbrth yr\b|\bborn year\b|\byear born\b",
    ),
    (
        "birth_date",
        r"生年月|誕生日|誕生$|生月日|出生(年月)?日|生れ|生まれ|バースデー",
        r"\b(birth|brth) ?(date|day|dt|ymd|time)?\b(?! (place|weight|order|country|rate|"
        r"city|state|name|cohort|outcome|length|wt|town))"
        r"|\bdob\b|\bborn\b|\bbday\b|\bdate (of )?birth\b|\bseinengappi\b|\bumare\b|"
        r"\btanjou?bi\b|\bnacimiento\b|\bnaissance\b|\bgeburt\w*\b|\bnascita\b|"
        r"\bnascimento\b",
    ),
    (
        "address",
        r"住所|所在地|番地|丁目|町域|建物|方書|マンション|アパート|居所|現住|送付先$|字$",
        r"\b(address|addr|adress|street|str|jusho|jyusho|banchi|adresse|anschrift|direccion|"
        r"indirizzo|endereco|apt|apartment|domicile|strasse|calle|rue|house (no|number)|"
        r"residence)\b(?! (type|status|code|cd|category|years|state|city|country|zip|"
        r"county))",
    ),
    (
        "postal",
        r"郵便|〒|ゆうびん",
        r"\b(postal|post ?code|postcode|zip|zip ?code|zip5|yubin|yubinbango|plz|cep|postnr|"
        r"postleitzahl|codigo postal|code postal|cap|pincode|pin ?code|eircode)\b",
    ),
    ("lat", r"緯度", r"\b(lat|latitude|ido|breite(ngrad)?|gps y)\b"),
    (
        "lon",
        r"経度",
        r"\b(lon|lng|longitude|long|keido|laenge(ngrad)?|gps x)\b(?! (term|text|name|desc\w*))",
    ),
    (
        "country",
        r"国籍|国名|出身国|居住国|^国$|生国",
        r"\b(country|countries|nationality|citizenship|kokuseki|pais|pays|"
        r"staatsangehorigkeit|nation|native country|land)\b",
    ),
    (
        "prefecture",
        r"都道府県|府県|県名|^県$|州",
        r"\b(prefecture|pref|todofuken|todouhuken|state|province|bundesland|provincia|"
        r"departement|kanton|canton|oblast)\b(?! (of|code|cd|id|gov|name of))",
    ),
    (
        "city",
        r"市区町村|市町村|区市町村|市区郡|^市$|市名|区名|町名|村名|居住地|出身地|出身$|本籍|"
        r"お住まい|住まい|在住|自治体|出生地|勤務地|地元",
        r"\b(city|town|municipality|shikuchoson|sichoson|village|ciudad|ville|stadt|ort|"
        r"wohnort|borough|district|hometown|homeworld|birth ?place|place of birth|suburb|"
        r"county|locality|comune|cidade|gemeinde|residence city|metro|msa)\b",
    ),
    (
        "age",
        r"年齢|年令|年代|年齢層|満年|^齢$|^歳$|何歳",
        r"\b(age|ages|aged|nenrei|nendai|alter|edad|idade|eta|agegroup|agegrp|age ?(group|"
        r"band|range|cat|class|yrs?|years?))\b(?! (of|at first))|\bage at\b",
    ),
    (
        "sex",
        r"性別|^性$|男女|ジェンダー",
        r"\b(sex|gender|seibetsu|seibetu|sexe|sexo|geschlecht|genero|sesso|female|male|"
        r"woman|fem|danjo)\b",
    ),
    (
        "marital",
        r"婚姻|配偶者(の有無|区分|有無)?$|既婚|未婚|結婚歴|婚歴",
        r"\b(marital|married|civil status|marriage status|familienstand|estado civil|kekkon|"
        r"kikon|single status|relationship status|etat civil)\b",
    ),
    (
        "education",
        r"学歴|最終学校|教育(水準|歴|年数)|最終卒業",
        r"\b(education|educ|edu|degree|schooling|diploma|gakureki|bildung|qualification|"
        r"hs grad|graduate|college)\b",
    ),
    (
        "race",
        r"人種|民族|種族",
        r"\b(race|ethnic|ethnicity|ethnic group|caste|tribe|species|indigenous|hispanic)\b",
    ),
    (
        "diagnosis",
        r"病名|傷病|疾患|疾病|診断|主病|既往|症状|要介護|介護度|要支援|障害|障がい|アレルギ|"
        r"感染症|判定|服薬|処方|薬剤|投薬|術式|手術|治療|転帰|副作用|主訴|持病|病歴|病型|"
        r"重症度|病期",
        r"\b(diagnos\w*|diag|dx|icd ?(9|10|11)?|disease|illness|condition|conditions|"
        r"symptom\w*|disorder|allerg\w*|medication\w*|medicine|comorbid\w*|histolog\w*|"
        r"tumou?r|cancer|stage|shobyo|byomei|adverse event|complication|injury|treatment|"
        r"drug|drugs)\b",
    ),
    (
        "occupation",
        r"職業|職種|役職|職位|肩書|職務|雇用形態|勤務形態|就業|職階|身分",
        r"\b(occupation|job|jobs|profession|position|occ|shokugyo|beruf|profesion|ocupacion|"
        r"(job|emp|employee|work|position) ?title|work ?type|employment|employed|yakushoku|"
        r"worker type|workclass|trade)\b",
    ),
    ("jan", r"jan|バーコード|isbn|ean", r"\b(jan|ean|upc|gtin|barcode|isbn|ean13)\b"),
)
