{#- Cells as the verifier of Tokumei reads them. Names are quoted, values never stand in the text. -#}

{#- A quoted name; adapters put it between quotation marks as it is. -#}
{%- macro name(column) -%}{{ adapter.quote(column | string | replace('"', '""')) }}{%- endmacro -%}

{%- macro quoted_list(columns) -%}
  {%- for column in columns %}{{ tokumei.name(column) }}{% if not loop.last %}, {% endif %}{% endfor -%}
{%- endmacro -%}

{#- Parameters that would let every table pass are refused. -#}
{%- macro column_list(columns) -%}
  {%- if not columns %}{{ exceptions.raise_compiler_error("tokumei: columns must name the columns of a class") }}{% endif -%}
  {{ tokumei.quoted_list([columns] if columns is string else columns) }}
{%- endmacro -%}
{%- macro at_least_2(name, number) -%}
  {%- if number | int(0) < 2 or number | int(0) != number | float(0) %}{{ exceptions.raise_compiler_error("tokumei: " ~ name ~ " must be a whole number of at least 2") }}{% endif -%}
  {{ number | int }}
{%- endmacro -%}
{%- macro share(name, number) -%}
  {%- if number | float(-1) < 0 or number | float(-1) >= 1 %}{{ exceptions.raise_compiler_error("tokumei: " ~ name ~ " must be at least 0 and below 1") }}{% endif -%}
  {{ number | float }}
{%- endmacro -%}

{#- The columns as texts, under their names: 0.0 and -0.0 are two values of a class. -#}
{%- macro class_columns(columns) -%}
  {%- for column in ([columns] if columns is string else columns) -%}
    {{ tokumei.as_text(tokumei.name(column)) }} as {{ tokumei.name(column) }}{% if not loop.last %}, {% endif %}
  {%- endfor -%}
{%- endmacro -%}

{%- macro as_text(cell) -%}{{ adapter.dispatch('as_text', 'tokumei')(cell) }}{%- endmacro -%}
{%- macro default__as_text(cell) -%}cast({{ cell }} as varchar){%- endmacro -%}
{%- macro bigquery__as_text(cell) -%}cast({{ cell }} as string){%- endmacro -%}

{#- Letters in one width and one case; databases that are not named here know the case only. -#}
{%- macro plain_text(cell) -%}{{ adapter.dispatch('plain_text', 'tokumei')(cell) }}{%- endmacro -%}
{%- macro default__plain_text(cell) -%}lower({{ tokumei.as_text(cell) }}){%- endmacro -%}
{%- macro duckdb__plain_text(cell) -%}
  lower(translate(nfc_normalize({{ tokumei.as_text(cell) }}), '{{ tokumei.wide_signs() }}', '{{ tokumei.narrow_signs() }}'))
{%- endmacro -%}
{%- macro postgres__plain_text(cell) -%}lower(normalize({{ tokumei.as_text(cell) }}, NFKC)){%- endmacro -%}

{#- A text as a person sees it: no invisible signs, single blanks inside, none around. -#}
{%- macro word(cell) -%}{{ adapter.dispatch('word', 'tokumei')(cell) }}{%- endmacro -%}
{%- macro default__word(cell) -%}trim({{ tokumei.plain_text(cell) }}){%- endmacro -%}
{%- macro duckdb__word(cell) -%}
  trim(regexp_replace(regexp_replace({{ tokumei.plain_text(cell) }}, '\p{Cf}', '', 'g'), '\s+', ' ', 'g'))
{%- endmacro -%}
{%- macro postgres__word(cell) -%}
  btrim(regexp_replace(regexp_replace({{ tokumei.plain_text(cell) }}, '[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]', '', 'g'), '\s+', ' ', 'g'))
{%- endmacro -%}

{#- A word, or nothing if it says that there is none. -#}
{%- macro present_word(cell) -%}
  case when {{ tokumei.word(cell) }} in ('', 'na', 'n/a', '#n/a', '<na>', 'nan', 'null') then null else {{ tokumei.word(cell) }} end
{%- endmacro -%}

{#- Whether a text is a number, a whole one; and the number. Elsewhere no text is read as a number. -#}
{%- macro is_number(text) -%}{{ adapter.dispatch('is_number', 'tokumei')(text) }}{%- endmacro -%}
{%- macro default__is_number(text) -%}1 = 0{%- endmacro -%}
{%- macro duckdb__is_number(text) -%}regexp_matches({{ text }}, '{{ tokumei.number_pattern() }}'){%- endmacro -%}
{%- macro postgres__is_number(text) -%}{{ text }} ~ '{{ tokumei.number_pattern() }}'{%- endmacro -%}
{%- macro number_pattern() -%}^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?${%- endmacro -%}

{%- macro is_whole(text) -%}{{ adapter.dispatch('is_whole', 'tokumei')(text) }}{%- endmacro -%}
{%- macro default__is_whole(text) -%}1 = 0{%- endmacro -%}
{%- macro duckdb__is_whole(text) -%}regexp_matches({{ text }}, '^[+-]?[0-9]+$'){%- endmacro -%}
{%- macro postgres__is_whole(text) -%}{{ text }} ~ '^[+-]?[0-9]+$'{%- endmacro -%}

{%- macro number(text) -%}{{ adapter.dispatch('number', 'tokumei')(text) }}{%- endmacro -%}
{%- macro default__number(text) -%}{{ text }}{%- endmacro -%}
{%- macro duckdb__number(text) -%}cast(try_cast({{ text }} as double) + 0.0 as varchar){%- endmacro -%}
{%- macro postgres__number(text) -%}
  cast(cast(case when {{ tokumei.is_number(text) }} then {{ text }} end as double precision) + 0.0 as varchar)
{%- endmacro -%}

{#- Whole numbers stay texts, whatever their length: +007 is 7, -0 is 0. -#}
{%- macro whole(text) -%}{{ adapter.dispatch('whole', 'tokumei')(text) }}{%- endmacro -%}
{%- macro default__whole(text) -%}{{ text }}{%- endmacro -%}
{%- macro duckdb__whole(text) -%}{{ tokumei.whole_without_zeros(text) }}{%- endmacro -%}
{%- macro postgres__whole(text) -%}{{ tokumei.whole_without_zeros(text) }}{%- endmacro -%}
{%- macro whole_without_zeros(text) -%}
  regexp_replace(regexp_replace({{ text }}, '^[+]?(-?)0*([0-9])', '\1\2'), '^-0$', '0')
{%- endmacro -%}

{#- One spelling of a person: case, blanks, width, signs and zeros of a number do not make another. -#}
{%- macro person_spelling(cell) -%}{{ adapter.dispatch('person_spelling', 'tokumei')(cell) }}{%- endmacro -%}
{%- macro default__person_spelling(cell) -%}nullif(trim({{ tokumei.plain_text(cell) }}), ''){%- endmacro -%}
{%- macro duckdb__person_spelling(cell) -%}{{ tokumei.spelling_without_zeros(cell) }}{%- endmacro -%}
{%- macro postgres__person_spelling(cell) -%}{{ tokumei.spelling_without_zeros(cell) }}{%- endmacro -%}
{%- macro spelling_without_zeros(cell) -%}
  nullif(regexp_replace(regexp_replace({{ tokumei.plain_text(cell) }}, '\s+', '', 'g'), '^[+]?0*([0-9]+)([.]0*)?$', '\1'), '')
{%- endmacro -%}

{#- The full-width signs of ASCII, but the quotation mark, and what they stand for. -#}
{%- macro wide_signs() -%}{{ '　！＂＃＄％＆（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ［＼］＾＿｀ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～' }}{%- endmacro -%}
{%- macro narrow_signs() -%}{{ ' !"#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~' }}{%- endmacro -%}
