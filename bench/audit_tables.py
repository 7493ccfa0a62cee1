"""The figures of the page's tables on inference, as data; None where the page has none."""

from __future__ import annotations

from tokumei.tables.audit.attacker_view import AttackerModel

Three = tuple[float, ...]
"""AUC, share found at 1 % and at 10 % false alarms; only the AUC where the page says no more."""

EXAMPLES: dict[tuple[str, str, AttackerModel], Three] = {
    ("housing", "dcr", "together"): (0.752, 0.300, 0.500),
    ("housing", "ratio", "together"): (0.744, 0.380, 0.500),
    ("housing", "explain", "alone"): (0.751, 0.390, 0.505),
    ("housing", "explain", "together"): (0.789, 0.475, 0.620),
    ("housing", "stack", "together"): (0.759, 0.380, 0.525),
    ("insurance", "dcr", "together"): (0.745, 0.172, 0.430),
    ("insurance", "ratio", "together"): (0.737, 0.155, 0.457),
    ("insurance", "explain", "alone"): (0.732, 0.194, 0.440),
    ("insurance", "explain", "together"): (0.767, 0.260, 0.514),
}
"""Synth-MIA's two examples: data, attack, threat model."""

EXACT: dict[str, dict[str, Three]] = {
    "copies": {
        "distance": (0.843, 0.347, 0.683),
        "explain": (0.937, 0.607, 0.700),
        "copy": (0.820,),
        "stack": (0.950, 0.619, 0.810),
    },
    "CART leaf 1": {
        "distance": (0.729, 0.249, 0.478),
        "explain": (0.780, 0.370, 0.511),
        "copy": (0.710,),
        "stack": (0.778, 0.345, 0.559),
    },
    "CART leaf 5": {
        "distance": (0.624, 0.073, 0.258),
        "explain": (0.667, 0.093, 0.297),
        "copy": (0.621,),
        "stack": (0.672, 0.091, 0.292),
    },
    "CART leaf 20": {
        "distance": (0.564, 0.025, 0.162),
        "explain": (0.586, 0.027, 0.165),
        "copy": (0.569,),
        "stack": (0.593, 0.029, 0.181),
    },
    "30 % of cells redrawn": {
        "distance": (0.577, 0.066, 0.208),
        "explain": (0.611, 0.064, 0.206),
        "copy": (0.606, 0.063, 0.210),
        "stack": (0.621, 0.083, 0.238),
    },
    "10 % redrawn, age ± 3": {
        "distance": (0.602, 0.036, 0.196),
        "explain": (0.659, 0.042, 0.301),
        "copy": (0.719, 0.163, 0.341),
        "stack": (0.718, 0.167, 0.346),
    },
    "Chow–Liu tree": {
        "distance": (0.504,),
        "explain": (0.509,),
        "copy": (0.511,),
        "stack": (0.507,),
    },
    "marginals": {
        "distance": (0.508,),
        "explain": (0.505,),
        "copy": (0.504,),
        "stack": (0.496,),
    },
}
GROUPS = {
    "distance": ("dcr", "dcr-rare", "local", "ratio", "ratio-3"),
    "explain": ("explain", "explain-sum"),
    "copy": ("copy",),
}

BOXES: dict[tuple[str, int, str], tuple[Three, Three, float]] = {
    ("local", 2, ""): ((0.751, 0.137, 0.390), (0.904, 0.422, 0.674), 0.565),
    ("local", 5, ""): ((0.615, 0.048, 0.219), (0.782, 0.206, 0.420), 0.503),
    ("local", 10, ""): ((0.568, 0.029, 0.172), (0.693, 0.106, 0.324), 0.500),
    ("mondrian", 2, ""): ((0.816, 0.222, 0.382), (0.933, 0.501, 0.594), 0.667),
    ("mondrian", 5, ""): ((0.723, 0.075, 0.297), (0.869, 0.306, 0.459), 0.602),
    ("mondrian", 10, ""): ((0.656, 0.038, 0.215), (0.797, 0.178, 0.334), 0.564),
    ("mondrian-hierarchical", 5, ""): ((0.573, 0.029, 0.157), (0.677, 0.101, 0.264), 0.514),
    ("flash", 5, ""): ((0.515,), (0.538,), 0.500),
    ("flash", 5, "2 % suppressed"): ((0.532, 0.014, 0.109), (0.586, 0.042, 0.174), 0.500),
    ("local", 5, "l=3"): ((0.599,), (0.764,), 0.503),
    ("local", 5, "t=0.4"): ((0.516,), (0.562,), 0.500),
}
"""Method, k, rule: quasi-identifiers known, the sensitive value too, AUC of `covered`."""
ALONE: tuple[tuple[str, int, str], Three] = (("mondrian", 5, ""), (0.681, 0.035, 0.206))

GUESSED_BOXES: dict[tuple[str, int, str], tuple[float, float, float | None, float]] = {
    ("local", 2, ""): (0.389, 0.058, 1.0, 0.102),
    ("local", 5, ""): (0.218, 0.0, None, 0.010),
    ("local", 5, "l=3"): (0.194, 0.0, None, 0.001),
    ("local", 5, "t=0.4"): (0.030, 0.0, None, 0.0),
    ("local", 10, ""): (0.120, 0.0, None, 0.001),
    ("mondrian", 5, ""): (0.244, 0.009, 1.0, 0.011),
    ("flash", 5, "2 % suppressed"): (0.020, 0.0, None, 0.0),
}
"""Best risk, members who are certain, the share right, members with a posterior of .9."""
GUESSED: dict[str, tuple[float, float | None, float | None, float | None]] = {
    "copies": (0.569, 0.455, 1.0, 0.455),
    "CART leaf 1": (0.394, 0.382, 0.888, 0.40),
    "CART leaf 20": (0.052, 0.174, 0.307, None),
    "Chow–Liu tree": (-0.011, 0.148, 0.171, None),
    "30 % of cells redrawn": (0.116, None, None, None),
    "fresh rows": (-0.002, None, None, None),
}
TREE_DRAWN = 0.008
"""Two standard deviations of the tree's certain members over 25 draws of it (mean .144)."""
NEAREST = {
    "copies": 0.526,
    "CART leaf 1": 0.374,
    "30 % of cells redrawn": 0.111,
    "fresh rows": -0.002,
}

SINGLED: dict[str, tuple[float, int]] = {
    "copies": (1.0, 34_666),
    "CART leaf 1": (0.686, 16_677),
    "30 % of cells redrawn": (0.142, 39_943),
    "fresh rows": (0.009, 36_331),
}
"""Risk by four columns, and how many predicates."""
SINGLED_BOXES: dict[tuple[str, int, str], tuple[float, float, int | None]] = {
    ("local", 5, ""): (0.079, 0.692, 3_491),
    ("local", 10, ""): (0.058, 0.581, 1_980),
    ("mondrian", 5, ""): (0.033, 1.0, 3_285),
    ("mondrian", 10, ""): (0.030, 1.0, 1_818),
    ("flash", 5, "2 % suppressed"): (0.562, 0.987, 218),
}
"""Risk by four columns, by all nine, and how many predicates of nine."""
DRAWN = 0.016
"""Half the page's interval by four columns: it drew 3,000 predicates, we count them all."""
