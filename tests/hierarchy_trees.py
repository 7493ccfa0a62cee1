"""Random hierarchies as plain rows of labels, the leaf first, `*` last."""

from hypothesis import strategies as st

from tokumei.data.cells import plain_text

LETTERS = "ab1.0-;,\"' \t\n[]{}*:#あ漢"


def labels(size, *, empty=False):
    """So many different labels, no two of which are spellings of one number."""
    text = st.text(LETTERS, min_size=0 if empty else 1, max_size=4).filter(lambda t: t != "*")
    return st.lists(text, min_size=size, max_size=size, unique_by=plain_text)


@st.composite
def trees(draw, most=9):
    """Rows of a valid hierarchy: nested, one path per leaf, all of the same length."""
    size = draw(st.integers(1, most))
    paths = [[leaf] for leaf in draw(labels(size, empty=True))]
    nodes = list(range(size))
    for _ in range(draw(st.integers(0, 3))):
        parents = [draw(st.integers(0, max(nodes))) for _ in range(max(nodes) + 1)]
        nodes = [parents[node] for node in nodes]
        names = draw(labels(max(nodes) + 1))
        for path, node in zip(paths, nodes, strict=True):
            path.append(names[node])
    return [[*path, "*"] for path in paths]
