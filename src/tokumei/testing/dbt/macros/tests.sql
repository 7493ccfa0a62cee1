{% test k_anonymous(model, columns, k) %}
{{ tokumei.small_classes(model, columns, k) }}
{% endtest %}

{% test people_per_class(model, columns, person, k) %}
{{ tokumei.classes_of_few_people(model, columns, person, k) }}
{% endtest %}

{% test l_diverse(model, columns, sensitive, l) %}
{{ tokumei.classes_of_few_values(model, columns, sensitive, l) }}
{% endtest %}

{% test t_close(model, columns, sensitive, t) %}
{{ tokumei.distant_classes(model, columns, sensitive, t) }}
{% endtest %}
