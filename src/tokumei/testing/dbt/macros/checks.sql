{#- Each query gives a row for every class that breaks the model; none: the model holds. -#}

{%- macro small_classes(model, columns, k) -%}
with cells as (
  select {{ tokumei.class_columns(columns) }} from {{ model }}
)
select {{ tokumei.column_list(columns) }}, count(*) as tokumei_rows
from cells
group by {{ tokumei.column_list(columns) }}
having count(*) < {{ tokumei.at_least_2('k', k) }}
{%- endmacro -%}

{%- macro classes_of_few_people(model, columns, person, k) -%}
with cells as (
  select {{ tokumei.class_columns(columns) }}, {{ tokumei.person_spelling(tokumei.name(person)) }} as tokumei_person
  from {{ model }}
)
select {{ tokumei.column_list(columns) }}, count(distinct tokumei_person) as tokumei_people
from cells
group by {{ tokumei.column_list(columns) }}
having count(distinct tokumei_person) < {{ tokumei.at_least_2('k', k) }}
{%- endmacro -%}

{#- Values are counted as words and, where all texts are numbers, as numbers: the fewer decide. -#}
{%- macro classes_of_few_values(model, columns, sensitive, l) -%}
with words as (
  select {{ tokumei.class_columns(columns) }},
    nullif({{ tokumei.as_text(tokumei.name(sensitive)) }}, '') as tokumei_text,
    {{ tokumei.present_word(tokumei.name(sensitive)) }} as tokumei_word
  from {{ model }}
),
kinds as (
  select
    count(tokumei_text) as tokumei_texts,
    coalesce(sum(case when {{ tokumei.is_number('tokumei_text') }} then 1 else 0 end), 0) as tokumei_numbers,
    coalesce(sum(case when {{ tokumei.is_whole('tokumei_text') }} then 1 else 0 end), 0) as tokumei_wholes
  from words
),
cells as (
  select {{ tokumei.column_list(columns) }}, tokumei_word,
    case
      when tokumei_wholes = tokumei_texts then {{ tokumei.whole('tokumei_text') }}
      when tokumei_numbers = tokumei_texts then {{ tokumei.number('tokumei_text') }}
      else tokumei_text
    end as tokumei_number
  from words cross join kinds
),
counts as (
  select {{ tokumei.column_list(columns) }},
    count(distinct tokumei_word) as tokumei_words, count(distinct tokumei_number) as tokumei_numbers
  from cells
  group by {{ tokumei.column_list(columns) }}
)
select {{ tokumei.column_list(columns) }},
  case when tokumei_words < tokumei_numbers then tokumei_words else tokumei_numbers end as tokumei_values
from counts
where tokumei_words < {{ tokumei.at_least_2('l', l) }} or tokumei_numbers < {{ tokumei.at_least_2('l', l) }}
{%- endmacro -%}

{#- ½ Σ |p − q| in whole numbers: values that a class lacks differ by their q, and all q sum to 1. -#}
{%- macro distant_classes(model, columns, sensitive, t) -%}
with cells as (
  select {{ tokumei.class_columns(columns) }},
    {{ tokumei.as_text(tokumei.name(sensitive)) }} as tokumei_value
  from {{ model }}
),
entries as (
  select {{ tokumei.column_list(columns) }}, tokumei_value, count(*) as tokumei_rows
  from cells
  group by {{ tokumei.column_list(columns) }}, tokumei_value
),
shares as (
  select {{ tokumei.column_list(columns) }}, tokumei_rows,
    sum(tokumei_rows) over (partition by {{ tokumei.column_list(columns) }}) as tokumei_size,
    sum(tokumei_rows) over (partition by tokumei_value) as tokumei_total,
    sum(tokumei_rows) over () as tokumei_all
  from entries
),
distances as (
  select {{ tokumei.column_list(columns) }},
    (
      sum(abs(tokumei_rows * tokumei_all - tokumei_size * tokumei_total) - tokumei_size * tokumei_total)
      + max(tokumei_size * tokumei_all)
    ) * 1e0 / (2 * max(tokumei_size * tokumei_all)) as tokumei_distance
  from shares
  group by {{ tokumei.column_list(columns) }}
)
select * from distances where tokumei_distance > {{ tokumei.share('t', t) }} * (1 + 1e-9)
{%- endmacro -%}
