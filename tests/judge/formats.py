"""The formats whose recorded cases are judged, a sample of the cases, and the cases that a change can affect.

Add a row to FORMATS for each format that the program can read. check.py and ./dev use this table.
"""
import argparse
import dataclasses
import fnmatch
import glob
import hashlib
import json
import math
import os
import sys


@dataclasses.dataclass(frozen=True)
class Format:
    name: str
    folders: tuple  # of the recorded cases
    sources: tuple  # after a change below these folders, all cases of the format are judged
    kinds: tuple = ()  # values of `format` in case.json; empty: all cases of the folders
    cases: tuple = ("*",)  # names or patterns of the supported cases


FORMATS = (
    Format("keras", ("keras", "tf"), ("core/formats/keras/",), kinds=("h5", "keras", "json")),
    Format("mxnet", ("mxnet-extra", "mxnet-legacy", "mxnet-ops", "mxnet-real", "rnn", "zoo"), ("core/formats/mxnet/",)),
    Format("pytorch", ("torch",), ("core/formats/pytorch/",), kinds=("pt2", "pt2_core", "torchscript_frozen", "torchscript_lite", "torchscript_script", "torchscript_trace")),
    Format("tensorflow", ("tf",), ("core/formats/tensorflow/",), kinds=("frozen", "saved_model", "meta")),
)

# A change below these folders can affect every format, so a larger sample is judged.
COMMON_SOURCES = ("core/", "app/")
# Number of cases in a sample of all formats; two cores judge 20 to 50 per second. Every stratum has at least one case.
SAMPLE = 1000
COMMON_SAMPLE = 4000


@dataclasses.dataclass(frozen=True)
class Case:
    path: str  # of its folder
    folder: str  # below the cases' folder
    kind: str  # `format` of its case.json
    stratum: tuple

    @property
    def name(self):
        return os.path.basename(self.path)


def find_cases(root):
    """All recorded cases, by name. A repeated name is an error, because verdicts are recorded by name."""
    cases = {}
    for file in sorted(glob.glob(os.path.join(root, "**", "case.json"), recursive=True)):
        with open(file) as stream:
            keys = json.load(stream)
        path = os.path.dirname(file)
        folder, kind = os.path.relpath(path, root).split(os.sep)[0], keys.get("format", "")
        case = Case(path, folder, kind, (folder, kind, keys.get("category", ""), keys.get("op", "")))
        if case.name in cases:
            sys.exit(f"error: {path} and {cases[case.name].path}: two cases share a name")
        cases[case.name] = case
    return cases


def is_of(case, fmt):
    return (case.folder in fmt.folders and (not fmt.kinds or case.kind in fmt.kinds) and
            any(fnmatch.fnmatchcase(case.name, pattern) for pattern in fmt.cases))


def sample(cases, share):
    """Deterministic: in each stratum, the cases whose names have the smallest hashes."""
    strata = {}
    for case in cases:
        strata.setdefault(case.stratum, []).append(case)
    chosen = []
    for members in strata.values():
        members.sort(key=lambda case: hashlib.sha256(case.name.encode()).digest())
        chosen += members[:math.ceil(share * len(members))]
    return chosen


def lies_below(path, folders):
    return any(path.startswith(folder) for folder in folders)


def select(cases, changed, table=FORMATS):
    """The cases to judge after a change of the files `changed`; all supported cases if None. Returns {name: Case}."""
    read = {fmt: [case for case in cases.values() if is_of(case, fmt)] for fmt in table}
    own = [source for fmt in table for source in fmt.sources]
    is_common = any(lies_below(path, COMMON_SOURCES) and not lies_below(path, own) for path in changed or ())
    share = min(1, (COMMON_SAMPLE if is_common else SAMPLE) / max(1, sum(map(len, read.values()))))
    chosen = {}
    for fmt, members in read.items():
        is_affected = changed is None or any(lies_below(path, fmt.sources) for path in changed)
        chosen.update((case.name, case) for case in (members if is_affected else sample(members, share)))
    return chosen


def main():
    parser = argparse.ArgumentParser(description="Prints the folders of all recorded cases of a format.")
    parser.add_argument("root", help="the folder of all cases")
    parser.add_argument("format", help="a format of the table, a folder of cases, or a `format` of case.json")
    a = parser.parse_args()
    cases = find_cases(a.root).values()
    rows = [fmt for fmt in FORMATS if fmt.name == a.format]
    found = [case.path for case in cases if a.format in (case.folder, case.kind) or any(is_of(case, fmt) for fmt in rows)]
    if not found:
        known = {fmt.name for fmt in FORMATS} | {key for case in cases for key in (case.folder, case.kind) if key}
        sys.exit(f"error: no case of format {a.format}; available: {', '.join(sorted(known))}")
    print("\n".join(found))


if __name__ == "__main__":
    main()
