"""Names of places: Japanese prefectures, American states, Canadian provinces, countries."""

from __future__ import annotations

from tokumei.tables.profiling.detection.cell_patterns import parse_words

_PREFECTURE_NAMES = """
北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 東京都
神奈川県 新潟県 富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 愛知県 三重県 滋賀県 京都府
大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県 香川県 愛媛県 高知県
福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県
"""
_STATE_CODES = """
alabama:al alaska:ak arizona:az arkansas:ar california:ca colorado:co connecticut:ct delaware:de
florida:fl georgia:ga hawaii:hi idaho:id illinois:il indiana:in iowa:ia kansas:ks kentucky:ky
louisiana:la maine:me maryland:md massachusetts:ma michigan:mi minnesota:mn mississippi:ms
missouri:mo montana:mt nebraska:ne nevada:nv new_hampshire:nh new_jersey:nj new_mexico:nm
new_york:ny north_carolina:nc north_dakota:nd ohio:oh oklahoma:ok oregon:or pennsylvania:pa
rhode_island:ri south_carolina:sc south_dakota:sd tennessee:tn texas:tx utah:ut vermont:vt
virginia:va washington:wa west_virginia:wv wisconsin:wi wyoming:wy district_of_columbia:dc
puerto_rico:pr guam:gu ontario:on quebec:qc british_columbia:bc alberta:ab manitoba:mb
saskatchewan:sk nova_scotia:ns new_brunswick:nb newfoundland:nl prince_edward_island:pe
northwest_territories:nt yukon:yt nunavut:nu
"""
COUNTRIES = parse_words("""
japan united_states usa us united_kingdom uk england france germany spain italy portugal
netherlands belgium switzerland austria sweden norway denmark finland iceland ireland poland
greece turkey russia ukraine china taiwan hong_kong south_korea korea north_korea india pakistan
bangladesh vietnam thailand philippines indonesia malaysia singapore australia new_zealand canada
mexico brazil argentina chile colombia peru venezuela cuba jamaica haiti guatemala nicaragua
ecuador egypt south_africa nigeria kenya ethiopia ghana morocco algeria israel iran iraq
saudi_arabia uae united_arab_emirates eire channel_islands others united-states puerto-rico
czech_republic hungary romania bulgaria croatia serbia slovakia slovenia lithuania latvia estonia
malta cyprus luxembourg lebanon bahrain 日本 中国 韓国 台湾 香港 アメリカ 米国 アメリカ合衆国
イギリス 英国 フランス ドイツ イタリア スペイン ロシア インド ベトナム タイ フィリピン
インドネシア マレーシア シンガポール オーストラリア 豪州 カナダ ブラジル ペルー ネパール
ミャンマー メキシコ ニュージーランド モンゴル スリランカ バングラデシュ カンボジア ラオス トルコ
大韓民国 中華人民共和国 deutschland frankreich osterreich schweiz italien spanien espana francia
alemania italia mexique espagne allemagne
""")
"""By name, lower case, in several languages."""
_FULL_PREFECTURES = _PREFECTURE_NAMES.split()
PREFECTURES = {
    *_FULL_PREFECTURES,
    *(name.rstrip("県府都") for name in _FULL_PREFECTURES if name != "京都府"),
    "京都",
}
"""With and without 県, 府, 都."""
STATES = {pair.partition(":")[0].replace("_", " ") for pair in _STATE_CODES.split()}
"""States and provinces by name, lower case."""
