"""Words of column names for people, things and events, in several languages.

Substrings for Japanese, whole words for the rest (English, romanized Japanese, and common words of
German, French, Spanish, Italian and Portuguese).
"""

from __future__ import annotations

from tokumei.core.lazy_patterns import LazyPattern

HEADER_WORD_PARTS = """
account acct addr address age agent amount amt annual applicant area balance bango banchi bank
birth birthday bmi body born branch brth buyer card case category cd cell chart child children
chol city class client code comment company contact cost count country county cust customer date
day days dept device diag disease district dob doctor driver dt dur edu educ education email emp
employee employer end family father fax file first flag flg full gender given grade group guest hh
hire home hospital household hours id ident inc income ind insurance invoice ip item job kana
kanja kanji kaiin keitai kids kingaku kokyaku last lat level line loan login lon long mail marital
member mid minutes mobile money month mother mr name namae nat nation nationality nickname nid nin
nm no nominal note num number occ occupation of order org owner passport pat patient pay payment
person phone pid place plan player policy pop post postal pref price product province qty quantity
race rate rating reason record ref region reg resident respondent response result room row salary
sales sample score seibetsu seinengappi sex shain shimei simei site size smoker sms social spouse
ssn staff start state status stock store street student subj subject sum supplier surname tax team
tel telephone temp term ticket time tin title total town transaction txn type uid unit update user
uuid value vendor visit visitor wage weight work worker wt year yob yr yrs ymd yubin zip zipcode
postcode yn jusho todofuken denwa todokede code1 addr1 nummer numero kunden kunde patienten
personal versicherten mitarbeiter license licence dlv rider cli married maiden middle fore nombre
apellido vorname nachname geburts datum prenom naissance fecha date1 session event page url host
browser os language lang token key hash spent paid due net gross premium claim claims deposit
withdraw credit debit points bonus height mass blood pressure pulse glucose hba1c hemoglobin
diagnosis dx icd treatment treat drug dose allergy symptom ward bed adm disch admission discharge
death died dead alive surv censor follow up fu arm trial visitno baseline
"""
"""What a run of letters without blanks may be made of."""

PERSON_WORDS_JA = (
    "顧客|お?客(様|さま|さん)|会員|(利用|図書|ポイント|会員)カード|(接種|診察|利用|"
    "受診)券|患者|社員|職員|従業員|生徒|学生|児童|園児|ユーザ|メンバー|住民|宛名|個人|"
    "本人|"
    "選手|教員|講師|学籍|診察券|カルテ|カード会員|世帯員|被保険|スタッフ|ドライバー|"
    "登録者|利用者|契約者|[^\\W\\d_]者"
    "|[^\\W\\d_]主|仮名|cif|アカウント|モニター|パネル|得意先|取引先(?=担当)|ログイン|"
    "マイページ|受講|受験|免許"
)
PERSON_WORDS_EN = """
customer cust client member patient pat subject subj usubj user usr employee emp staff student
pupil person persons people participant respondent individual indiv resident visitor donor driver
rider passenger guest applicant borrower holder policyholder buyer worker player owner subscriber
panelist caller child mother father kokyaku kaiin kanja shain gakusei seito riyousha riyosha atena
kojin setainushi personnel contact lead mrn pid chart cliente clientes kunde kunden paciente
utilisateur personne persona mitarbeiter empleado soci voter inmate victim claimant beneficiary
insured account acct household hh tenant learner trainee candidate consumer payer payee debtor
cardholder cif crm panel twitter profile uid userid
"""
EVENT_WORDS_JA = (
    "予約|注文|受付|伝票|取引|請求|領収|レシート|申込|申請|契約|問い?合わ?せ|案件|"
    "チケット|訪問|来院|受診|検体|検査|入院|"
    "処方|診察|配送|追跡|発注|購入|売上|決済|回答|応募|整理|管理|受注|出荷|送り状|登録|"
    "通し|連番|通番|行|明細|報告|事故|"
    "セッション|イベント|履歴|記録|文書|証券|証明|当選|保証"
)
EVENT_WORDS_EN = """
order invoice visit transaction trans txn booking reservation ticket case claim request session
encounter admission sample specimen tracking shipment payment application response record rec row
entry event call trip ride chumon denpyo uketsuke yoyaku juchu receipt receptionno message msg log
document doc contract policy incident report submission survey form rental sale sales purchase
appointment appt confirmation pedido factura bestellung rechnung commande bill setai
expediente dossier aktenzeichen vorgang akte
"""
THING_WORDS_JA = (
    "商品|製品|品|店舗|店|支店|部署|部門|課|カテゴリ|分類|棚|倉庫|地域|地区|都道府県|"
    "県|市区町村|市町村|自治体|国|銀行|金融機関|学校|"
    "勤務先|取引先|仕入先|得意先|発注先|派遣先|出向先|納入先|会社|企業|法人|団体|車種|"
    "車両|物件|部屋|機器|設備|科目|コース|プラン|メニュー|薬|病|傷病|疾患|施設|病院|"
    "医療機関|メーカー|"
    "ブランド|種別|区分|職業|職種|業種|産業|路線|駅|通貨|キャンペーン|媒体|チーム|"
    "クラス|組|ロット|型|ファイル|項目|列|町|字|大字|"
    "作品|曲|書|イベント|サービス|試験|講座|授業|検査項目|測定|事業|大学|学部|学科|科|"
    "棟|便|口座種|郵便局|出席|保険者|jan|サイト|ページ"
)
THING_WORDS_EN = """
product prod item items stock goods article store shop branch category cat team department dept
warehouse region city state country county area zone site location plan course school hospital
bank company vehicle room machine campaign model currency flight station job occupation industry
error status type class lot batch block center centre inst institution provider file document
brand service event movie song book genre drug medicine disease test column field variable group
segment district tract fips iso hs naics sic icd cpt ndc supplier vendor manufacturer maker
organization org firm species animal breed plant tree storm island river planet star car tenpo
shohin hinmoku busho kubun jusho todofuken siten shiten section division unit menu producto tienda
produkt produit magasin color colour party kind host domain app version page activity project
street road building village town province pref prefecture mode arm treatment game
"""
PERSON_ROLES_JA = (
    "担当医|主治医|医師|担当者|担当|受取人|受領者|依頼主|届け?先|配送先|送付先|上司|"
    "紹介者|記入者|入力者|代表者?|契約者|保護者|世帯主|"
    "宿泊者|利用者|申込者|講師|看護師|ヘルパー|ケアマネ(ージャー)?|施術者|家族|配偶者|"
    "参加者|出席者|回答者|患者|顧客|お客様|会員|従業員|"
    "社員|職員|生徒|児童|学生|請求先|注文者|連絡者|名宛人?|宛先|宛名|差出人|送り主|"
    "贈り主|同伴者|代理人|保証人|相続人|被相続人|"
    "債務者|被害者|加害者|著者|作者|監督|選手|議員|候補者|先生|教員|担任|ドライバー|"
    "運転手|オペレータ(ー)?|スタッフ|店長|所有者|使用者|所持者|申請者|届出人|借主|貸主|買主|"
    "売主|飼い?主|施主|喪主|名義"
)
PERSON_ROLES_EN = """
patient customer client employee doctor physician teacher author director coach manager agent
salesperson rep representative recipient sender beneficiary guardian parent nurse attending
interviewer passenger player candidate artist actor actress supervisor owner tenant landlord buyer
seller consignee shipper guest surgeon therapist caregiver instructor student member driver
applicant requester assignee reporter submitter creator contact husband wife spouse mother father
child victim suspect officer senator president mayor pilot attendee participant subscriber payee
payer consultant handler operator cashier clerk insured claimant tantou tantosha hogosha
setainushi uketorinin
"""
_FOREIGN_HEADERS = """
氏名: 이름 성명 성함 고객명 환자명 학생이름 客户姓名 имя фамилия фио отчество
氏名: όνομα επώνυμο ονοματεπώνυμο الاسم ชื่อ นามสกุล
氏名: 员工姓名 学生姓名 患者姓名 ученик сотрудник пациент
担当者: 紧急联系人 紧急联络人 联系人 收件人 收货人 보호자 담당자 추천인
担当者: 보호자명 수취인 받는분 контактноелицо получатель
電話番号: 비상연락처 비상연락망 紧急联系电话 收件人电话
年収: 연봉 월급 급여 월급여 기본급 зарплата оклад μισθός الراتب เงินเดือน
金額: 만원 천원 금액 руб
部署: 부서 отдел τμήμα แผนก
役職: 직급 직책 должность
入社日: 입사일 入职日期 датаприема
住所: 자택주소 거주지 주소 地址 住址 家庭住址 详细地址 通讯地址 адрес διεύθυνση العنوان ที่อยู่
電話番号: 전화번호 전화 휴대폰 휴대전화 연락처 手机号 手机 手机号码 телефон τηλέφωνο الهاتف โทรศัพท์
電話番号: เบอร์โทร เบอร์โทรศัพท์ 联系电话 联系方式
ユーザー名: 微信号 微信 昵称 用户名 아이디 닉네임 логин ник ไลน์
メールアドレス: 이메일 메일 邮箱 电子邮箱 почта эл.почта อีเมล
生年月日: 생년월일 생일 出生日期 датарождения γέννηση วันเกิด
性別: 성별 性别 пол φύλο الجنس เพศ
年齢: 나이 연령 年龄 возраст ηλικία العمر อายุ
郵便番号: 우편번호 邮编 邮政编码 индекс
マイナンバー: 주민등록번호 주민번호 身份证号 身份证 身份证号码 снилс инн паспорт
マイナンバー: เลขบัตรประชาชน เลขประจำตัวประชาชน
顧客番号: 编号 会员编号 รหัสสมาชิก รหัสลูกค้า
顧客番号: 고객번호 회원번호 환자번호 학번 사번 客户编号 会员号 学号 工号
職業: 직업 职业 профессия
備考: 비고 메모 备注 примечание комментарий
診断名: 진단명 诊断 диагноз
"""
FOREIGN_HEADERS = {
    word: meaning
    for line in _FOREIGN_HEADERS.strip().splitlines()
    for meaning, _, words in [line.partition(": ")]
    for word in words.split()
}
"""Names in scripts that the vocabulary does not read, by what they mean in Japanese.

Korean, Chinese, Russian, Greek, Arabic, Thai: the commonest names of what identifies or describes
a person. A name of such a script that is not here says nothing, and its column is asked about.
"""


def compile_any_word(words: str) -> LazyPattern:
    """Any of the words, whole."""
    return LazyPattern(rf"\b({'|'.join(sorted(words.split(), key=len, reverse=True))})s?\b")
