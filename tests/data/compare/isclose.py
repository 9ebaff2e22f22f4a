"""Writes isclose.csv: pairs of values near the edge of a tolerance, and what numpy.isclose says of each."""
import csv
import os

import numpy as np

BITS = {"float16": np.uint16, "float32": np.uint32, "float64": np.uint64}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1e-4, 1e-5, 65504.0, -65504.0, 6e-8, np.inf, -np.inf, np.nan]
TOLERANCES = [(1e-3, 1e-4), (1e-4, 1e-5), (0.0, 0.0), (1e-2, 1e-3)]
random = np.random.default_rng(7)
rows = []


def add(kind, got, wanted, rtol, atol):
    got, wanted = np.array([got], kind), np.array([wanted], kind)
    with np.errstate(all="ignore"):
        close = np.isclose(got, wanted, rtol=rtol, atol=atol, equal_nan=True)[0]
    rows.append([kind, f"{got.view(BITS[kind])[0]:x}", f"{wanted.view(BITS[kind])[0]:x}", rtol, atol, int(close)])


for kind in BITS:
    for a in SPECIAL:
        for b in SPECIAL:
            add(kind, a, b, *TOLERANCES[0])
    for rtol, atol in TOLERANCES:
        for wanted in random.normal(scale=[[1e-4], [1.0], [300.0]], size=(3, 30)).ravel().astype(kind):
            edge = np.array([abs(float(wanted)) * rtol + atol]).astype(kind)[0]
            got = (wanted + random.choice([-1, 1]) * edge).astype(kind)
            for _ in range(random.integers(0, 3)):
                got = np.nextafter(got, np.array(random.choice([-np.inf, np.inf]), kind))
            add(kind, got, wanted, rtol, atol)

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "isclose.csv"), "w", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows([["type", "got", "wanted", "rtol", "atol", "close"], *rows])
