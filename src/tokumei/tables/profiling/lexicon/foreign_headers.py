"""Column names in European languages beside English, Turkish, Indonesian and Vietnamese.

Each line: the type, nothing for Japanese, whole words without their accents. What is not here is
asked about; a word is put here only if it means the same wherever it stands.
"""

from __future__ import annotations

_NEVER_MATCHES = r"(?!)"
_SHORT_WORD_LENGTH = 3


def _header_pattern(column_type: str, words: str) -> tuple[str, str, str]:
    """Words between blanks; an underscore is a blank within one.

    Words of up to three letters mean too much elsewhere: they count where they are the whole name.
    """
    sorted_words = sorted(words.replace("_", " ").split("|"), key=len, reverse=True)
    short = "|".join(word for word in sorted_words if len(word) <= _SHORT_WORD_LENGTH)
    long = "|".join(word for word in sorted_words if len(word) > _SHORT_WORD_LENGTH)
    return (
        column_type,
        _NEVER_MATCHES,
        rf"\b({long})\b|^ ({short or _NEVER_MATCHES})( (no|nr|am))? $",
    )


HEADER_PATTERNS = (
    _header_pattern(
        "ssn",
        "secu|securite_sociale|numero_de_securite|no_secu|tckn|tc_kimlik|t_c_kimlik|kimlik_no|"
        "henkilotunnus|rodne_cislo|oib|jmbg|cccd|cmnd|nhs|ni|personalausweis|ausweisnummer|"
        "steuernummer|steuer_id|isikukood|asmens_kodas|egn|cnp|fodselsnummer|cpr|cpr_nr|"
        "kenteken|kennzeichen|kfz|immatriculation|targa|plaka|nr_rejestracyjny|number_plate|"
        "vehicle_reg|reg_mark|permis|carte_d_identite|cedula_de_identidad|titulo_de_eleitor",
    ),
    _header_pattern(
        "bank_account",
        "bankverbindung|kontoverbindung|konto|conto_corrente|cuenta_bancaria|conta_bancaria|"
        "compte_bancaire|rib|rekeningnummer|numer_rachunku|banka_hesabi|a_c|a_c_no|clabe|bic_iban",
    ),
    _header_pattern(
        "email",
        "poczta_el|poczta|e_posta|eposta|epost|e_post|sahkoposti|posta_elettronica|"
        "correo_electronico|correo_e|courrier_electronique|surel",
    ),
    _header_pattern(
        "phone",
        "gsm|mob|rufnummer|handynummer|mobilnummer|telefoon|telefone|telefonszam|tlf|tlph|cep_tel|"
        "puhelin|pager|dien_thoai|sdt|so_dien_thoai|nr_tel|numer_telefonu|telepon|no_hp|"
        "cellulare|recapito|kontaktnummer|mobiel|mobil|portatil|telefonnummer",
    ),
    _header_pattern(
        "device_id", "chip_nr|chipnr|chipnummer|modem|seriennummer|numero_de_serie|ga|client_mac"
    ),
    _header_pattern(
        "birth_date",
        "geb|geb_am|geburtstag|ne_e_le|ne_le|nee_le|date_naiss|f_nac|fec_nac|fecha_nac|nac|nasc|"
        "data_nasc|data_de_nasc|ur|urodz|urodzenia|data_urodzenia|dogum|dogum_tarihi|"
        "geboortedatum|fodselsdato|fodelsedatum|syntymaaika|narozeni|datum_narozeni|ngay_sinh|"
        "tanggal_lahir|tgl_lahir|nato_il",
    ),
    _header_pattern(
        "address",
        "domicilio|domicile|zamieszkaly|zamieszkala|adres|adresa|adreso|straat|straat_en_huisnr|"
        "huisnr|huisnummer|hausnummer|ulica|osoite|alamat|dia_chi|wohnanschrift|lakcim|gade|"
        "logradouro|morada|direccion_postal|voie|bostad",
    ),
    _header_pattern(
        "postal",
        "cp|c_p|kod_pocztowy|psc|posta_kodu|postinumero|postnummer|codice_postale|cod_postal",
    ),
    _header_pattern(
        "city", "plaats|woonplaats|miasto|miejscowosc|il|ilce|mesto|kota|kommune|paikkakunta"
    ),
    _header_pattern(
        "sex", "plec|cinsiyet|geslacht|kjonn|kon|sukupuoli|pohlavi|jenis_kelamin|gioi_tinh"
    ),
    _header_pattern("age", "wiek|yas|leeftijd|alder|vek|ika|umur|usia|tuoi"),
    _header_pattern(
        "free_text",
        "vermerk|notiz|notizen|hinweis|anmerkungen|bemerkungen|kommentar|opmerking|opmerkingen|"
        "uwagi|notatki|aciklama|not|notlar|observ|obs|observaciones|observacoes|remarque|"
        "remarques|note_libre|osservazioni|annotazioni|poznamka|huomautus|catatan|ghi_chu|bemerk",
    ),
)
NAME_WORDS = """
naam voornaam achternaam navn fornavn etternavn efternavn namn fornamn efternamn nimi etunimi
sukunimi imie nazwisko jmeno prijmeni soyad soyadi isim ime prezime nume prenume nama hoten
ho ten razao rufname
"""
"""Words for names of people, whole or in parts."""
PERSON_WORDS = """
fahrer fahrerin beifahrer
mieter mieterin mietpartei vermieter kaeufer verkaeufer halter inhaber inhaberin kontoinhaber
patientin versicherter ansprechpartner betreuer arzt hausarzt lehrer schueler empfaenger absender
antragsteller spender mitglied assure assuree beneficiaire titulaire locataire proprietaire
prescripteur medecin eleve salarie destinataire expediteur adherent usager titular alumno alumna
trabajador trabajadora beneficiario beneficiaria solicitante propietario inquilino medico tutor
responsable responsavel aluno aluna funcionario proprietario intestatario paziente alunno
dipendente eigenaar klant huurder leerling werknemer ofiarodawca klient pacjent wlasciciel
pracownik uczen najemca abone musteri ogrenci calisan kund elev anstalld kunde asiakas
wychowawca wychowawczyni nauczyciel nauczycielka opiekun opiekunka lekarz rodzic huoltaja opettaja
laakari hoitaja ogretmen hasta kefil fiador fiadora avalista corretor corretora procurador huisarts
leraar verzekerde foresatte laerer pasient lege ucitel lekar rodic zastupce patron ordynator
potilas donateur donante socio socia afiliado who prescriber adjuster
"""
"""Words for who somebody is."""
