"""Column names in scripts that the vocabulary does not read, by what they mean in Japanese.

Korean, Chinese, Russian, Greek, Arabic, Thai: the commonest names of what identifies or describes
a person. A name of such a script that is not here says nothing, and its column is asked about.
"""

from __future__ import annotations

_LINES = """
氏名: 이름 성명 성함 고객명 환자명 학생이름 客户姓名 имя фамилия фио отчество
氏名: όνομα επώνυμο ονοματεπώνυμο الاسم ชื่อ นามสกุล
住所: 주소 地址 住址 家庭住址 详细地址 通讯地址 адрес διεύθυνση العنوان ที่อยู่
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
FOREIGN = {
    word: meaning
    for line in _LINES.strip().splitlines()
    for meaning, _, words in [line.partition(": ")]
    for word in words.split()
}
