"""Common names of people.

Japanese names stand as kanji:katakana, so that the same list serves kanji, kana and Latin letters.
"""

from __future__ import annotations

from tokumei.tables.profiling.detection.cell_patterns import parse_words


def _parse_kana_pairs(pairs: str) -> dict[str, str]:
    return {kanji: kana for kanji, _, kana in (pair.partition(":") for pair in pairs.split())}


SURNAMES = _parse_kana_pairs("""
佐藤:サトウ 鈴木:スズキ 高橋:タカハシ 田中:タナカ 伊藤:イトウ 渡辺:ワタナベ 山本:ヤマモト
中村:ナカムラ 小林:コバヤシ 加藤:カトウ 吉田:ヨシダ 山田:ヤマダ 佐々木:ササキ 山口:ヤマグチ
松本:マツモト 井上:イノウエ 木村:キムラ 林:ハヤシ 斎藤:サイトウ 清水:シミズ 山崎:ヤマザキ 森:モリ
池田:イケダ 橋本:ハシモト 阿部:アベ 石川:イシカワ 山下:ヤマシタ 中島:ナカジマ 石井:イシイ
小川:オガワ 前田:マエダ 岡田:オカダ 長谷川:ハセガワ 藤田:フジタ 後藤:ゴトウ 近藤:コンドウ
村上:ムラカミ 遠藤:エンドウ 青木:アオキ 坂本:サカモト 斉藤:サイトウ 福田:フクダ 太田:オオタ
西村:ニシムラ 藤井:フジイ 金子:カネコ 岡本:オカモト 藤原:フジワラ 三浦:ミウラ 中野:ナカノ
中川:ナカガワ 原田:ハラダ 松田:マツダ 竹内:タケウチ 小野:オノ 田村:タムラ 中山:ナカヤマ 和田:ワダ
石田:イシダ 森田:モリタ 上田:ウエダ 原:ハラ 内田:ウチダ 柴田:シバタ 酒井:サカイ 宮崎:ミヤザキ
横山:ヨコヤマ 高木:タカギ 安藤:アンドウ 宮本:ミヤモト 大野:オオノ 小島:コジマ 谷口:タニグチ
工藤:クドウ 今井:イマイ 高田:タカダ 増田:マスダ 丸山:マルヤマ 杉山:スギヤマ 村田:ムラタ
大塚:オオツカ 新井:アライ 小山:コヤマ 平野:ヒラノ 藤本:フジモト 河野:コウノ 上野:ウエノ
野口:ノグチ 武田:タケダ 松井:マツイ 千葉:チバ 岩崎:イワサキ 菅原:スガワラ 木下:キノシタ 久保:クボ
佐野:サノ 野村:ノムラ 松尾:マツオ 市川:イチカワ 菊地:キクチ 菊池:キクチ 杉本:スギモト
古川:フルカワ 大西:オオニシ 島田:シマダ 水野:ミズノ 桜井:サクライ 高野:タカノ 吉川:ヨシカワ
渡部:ワタナベ 山内:ヤマウチ 西田:ニシダ 飯田:イイダ 西川:ニシカワ 小松:コマツ 北村:キタムラ
安田:ヤスダ 五十嵐:イガラシ 川口:カワグチ 平田:ヒラタ 関:セキ 中田:ナカタ 久保田:クボタ
服部:ハットリ 東:アズマ 岩田:イワタ 土屋:ツチヤ 川崎:カワサキ 福島:フクシマ 本田:ホンダ 辻:ツジ
樋口:ヒグチ 秋山:アキヤマ 田口:タグチ 永井:ナガイ 山中:ヤマナカ 中西:ナカニシ 吉村:ヨシムラ
川上:カワカミ 大島:オオシマ 石原:イシハラ 浅野:アサノ 矢野:ヤノ 浜田:ハマダ 馬場:ババ 荒木:アラキ
大久保:オオクボ 野田:ノダ 小沢:オザワ 田辺:タナベ 川村:カワムラ 星野:ホシノ 黒田:クロダ 堀:ホリ
尾崎:オザキ 望月:モチヅキ 永田:ナガタ 熊谷:クマガイ 内藤:ナイトウ 松村:マツムラ 西山:ニシヤマ
大谷:オオタニ 平井:ヒライ 大橋:オオハシ 岩本:イワモト 片山:カタヤマ 本間:ホンマ 早川:ハヤカワ
横田:ヨコタ 岡崎:オカザキ 荒井:アライ 大石:オオイシ 鎌田:カマタ 成田:ナリタ 宮田:ミヤタ 小田:オダ
石橋:イシバシ 高山:タカヤマ 須藤:スドウ 河村:カワムラ 大沢:オオサワ 小池:コイケ 南:ミナミ 西:ニシ
栗原:クリハラ 伊東:イトウ 松原:マツバラ 三宅:ミヤケ 福井:フクイ 大森:オオモリ 奥村:オクムラ
岡:オカ 内山:ウチヤマ 片岡:カタオカ 松岡:マツオカ 桑原:クワハラ 関口:セキグチ 北川:キタガワ
奥田:オクダ 富田:トミタ 古賀:コガ 八木:ヤギ 吉野:ヨシノ 中沢:ナカザワ 上原:ウエハラ 今村:イマムラ
白石:シライシ 田代:タシロ 中尾:ナカオ 小泉:コイズミ 川島:カワシマ 青山:アオヤマ 牧野:マキノ
根本:ネモト 岡村:オカムラ 山根:ヤマネ 坂口:サカグチ 児玉:コダマ 河合:カワイ 小西:コニシ
寺田:テラダ 大川:オオカワ 広瀬:ヒロセ 坂井:サカイ 甲斐:カイ 竹田:タケダ 亀井:カメイ 宮下:ミヤシタ
澤田:サワダ 沢田:サワダ 森本:モリモト 篠原:シノハラ 松下:マツシタ 飯塚:イイヅカ 堀内:ホリウチ
若林:ワカバヤシ 神田:カンダ 植田:ウエダ 戸田:トダ 津田:ツダ 稲垣:イナガキ 神谷:カミヤ 小倉:オグラ
安部:アベ 黒川:クロカワ 岸:キシ 榎本:エノモト 堤:ツツミ 町田:マチダ 門田:カドタ 渡邊:ワタナベ
渡邉:ワタナベ 齋藤:サイトウ 齊藤:サイトウ 髙橋:タカハシ 濱田:ハマダ 山﨑:ヤマザキ 櫻井:サクライ
廣瀬:ヒロセ 長田:オサダ 岩井:イワイ 臼井:ウスイ 江口:エグチ 岡部:オカベ 石塚:イシヅカ
""")
GIVEN_NAMES = _parse_kana_pairs("""
太郎:タロウ 花子:ハナコ 一郎:イチロウ 次郎:ジロウ 健一:ケンイチ 健太:ケンタ 翔太:ショウタ
大輔:ダイスケ 拓也:タクヤ 達也:タツヤ 直樹:ナオキ 直人:ナオト 裕太:ユウタ 裕樹:ユウキ 雄太:ユウタ
和也:カズヤ 和彦:カズヒコ 浩:ヒロシ 浩二:コウジ 洋介:ヨウスケ 陽一:ヨウイチ 誠:マコト 学:マナブ
聡:サトシ 治:オサム 修:オサム 健:ケン 亮:リョウ 涼:リョウ 翼:ツバサ 蓮:レン 大翔:ヒロト
陽翔:ハルト 湊:ミナト 樹:イツキ 悠真:ユウマ 美咲:ミサキ 陽子:ヨウコ 洋子:ヨウコ 裕子:ユウコ
恵子:ケイコ 京子:キョウコ 幸子:サチコ 和子:カズコ 直子:ナオコ 智子:トモコ 明美:アケミ 由美:ユミ
久美子:クミコ 真由美:マユミ 香織:カオリ 里佳:リカ 加奈:カナ 舞:マイ 愛:アイ 葵:アオイ 結衣:ユイ
陽菜:ヒナ 凛:リン 咲良:サクラ さくら:サクラ 七海:ナナミ 彩:アヤ 綾:アヤ 恵:メグミ 優:ユウ
隆:タカシ 孝:タカシ 剛:ツヨシ 豊:ユタカ 博:ヒロシ 茂:シゲル 実:ミノル 進:ススム 正:タダシ
昇:ノボル 純子:ジュンコ 千代:チヨ 千尋:チヒロ 典子:ノリコ 文子:フミコ 順子:ジュンコ 弘:ヒロシ
清:キヨシ 勇:イサム 勝:マサル 宏:ヒロシ 太一:タイチ 康弘:ヤスヒロ 英樹:ヒデキ 篤司:アツシ
晃:アキラ 明:アキラ 充:ミツル さゆり:サユリ 桃子:モモコ 春香:ハルカ
""")
GIVEN_NAME_ENDINGS = (
    "子美恵江代枝香奈菜花乃希沙里紗理衣絵音葉海実穂月織彩咲愛優凛郎男夫雄朗助介輔平一二三司志史士人斗翔太汰"
    "也哉矢弥樹貴生哲彦弘宏浩博之幸行明昭彰光誠真学聡智修治隆孝剛豊茂正昇健亮涼翼蓮進純歩望努仁敬恭守稔"
)
"""Characters that end many given names."""
WESTERN_GIVEN_NAMES = parse_words("""
james john robert michael william david richard joseph thomas charles christopher daniel matthew
anthony mark donald steven paul andrew joshua kenneth kevin brian george edward ronald timothy
jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin
samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose henry adam
douglas nathan peter zachary kyle walter harold jeremy ethan carl keith roger gerald christian
terry sean arthur austin noah lawrence jesse joe bryan billy jordan albert dylan bruce willie
gabriel alan juan logan wayne ralph roy eugene randy vincent russell louis philip bobby johnny
bradley mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty
sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie
rebecca sharon laura cynthia dorothy amy kathleen angela shirley emma brenda pamela nicole anna
samantha katherine christine helen debra rachel carolyn janet maria catherine heather diane olivia
julie joyce victoria ruth virginia lauren kelly christina joan evelyn judith andrea hannah
jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice julia
judy sophia grace denise amber doris marilyn danielle beverly isabella theresa diana natalie
brittany charlotte marie kayla alexis lori oliver amelia isla freya mateo lucia hugo chloe lars
ingrid pedro sofia piotr marek yusuf fatima priya arjun wei mei kofi liam ruby oscar nora felix
clara theo hans klaus jurgen wolfgang heinz stefan monika ursula petra sabine pierre jacques
francois michel claude isabelle sophie nathalie antonio francisco manuel carlos miguel carmen
isabel marco giovanni giuseppe luca paolo francesca giulia ahmed mohamed mohammed ali hassan omar
aisha ravi sanjay anil sunita ivan sergei dmitri olga natasha elena erik karin sven bjorn astrid
joao luis ana paula rosa jorge diego pablo kate
""")
WESTERN_SURNAMES = parse_words("""
smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez
wilson anderson thomas taylor moore jackson martin lee perez thompson white harris sanchez clark
ramirez lewis robinson walker young allen king wright scott torres nguyen hill flores green adams
nelson baker hall rivera campbell mitchell carter roberts gomez phillips evans turner diaz parker
cruz edwards collins reyes stewart morris morales murphy cook rogers gutierrez ortiz morgan cooper
peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks chavez wood james
bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers long ross foster
jimenez muller schmidt schneider fischer weber meyer wagner becker schulz hoffmann koch bauer
richter klein wolf dubois durand leroy moreau simon laurent michel lefebvre garnier rossi russo
ferrari esposito bianchi romano silva santos oliveira souza pereira costa kowalski nowak novak
horvath andersen hansen johansson larsen nilsson olsen singh kumar sharma gupta khan ahmed wang li
zhang liu chen yang huang zhao wu zhou park choi jung kang okafor haddad doyle osborne macdonald
""")
