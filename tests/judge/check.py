"""Runs judge.py on recorded cases and compares the verdicts with the recorded ones. Only improvements pass.

formats.py selects the cases for a change: a sample of every format, and all cases of a format whose sources changed. The check
fails if a verdict is worse than recorded, or if a new case is wrong, invalid or broken.
"""
import argparse
import csv
import os
import subprocess
import sys

import formats

RANK = {"correct": 2, "refused": 1, "invalid": 0, "wrong": 0, "broken": 0}


def verdicts(path):
    if not os.path.exists(path):
        return {}
    with open(path, newline="") as file:
        return {row["case"]: row for row in csv.DictReader(file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judge", required=True, help="judge.py")
    parser.add_argument("--cases", required=True, help="the folder of all cases")
    parser.add_argument("--bin", required=True, help="the program to judge")
    parser.add_argument("--recorded", required=True, help="the recorded verdicts")
    parser.add_argument("--out", required=True, help="folder for the output of judge.py")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--record", action="store_true", help="update the recorded verdicts")
    parser.add_argument("--all", action="store_true", help="judge all cases of all supported formats")
    parser.add_argument("--changed", nargs="*", default=[], help="the changed files")
    a = parser.parse_args()

    cases = formats.find_cases(a.cases)
    chosen = formats.select(cases, None if a.all else a.changed)
    print(f"{len(chosen)} of {len(cases)} cases", flush=True)
    os.makedirs(a.out, exist_ok=True)
    table, log = os.path.join(a.out, "verdicts.csv"), os.path.join(a.out, "log")
    if os.path.exists(table):
        os.remove(table)
    with open(log, "w") as file:
        subprocess.run([sys.executable, a.judge, "--bin", a.bin, "--jobs", a.jobs, "--csv", table,
                        *(case.path for case in chosen.values())],
                       stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    now, before = verdicts(table), verdicts(a.recorded)
    if not now:
        sys.exit(f"error: judge.py reported no verdicts; its output is in {log}")
    if set(now) != set(chosen):
        sys.exit(f"error: {len(chosen)} cases were judged, but {len(now)} have verdicts; see {log}")

    better, worse, bad, new = [], [], [], 0
    for case, row in sorted(now.items()):
        rank = RANK[row["verdict"]]
        line = f"{case}: {row['verdict']} {row['why']}".rstrip()
        if case not in before:
            new += 1
            if rank == 0:
                bad.append(line)
        elif rank < RANK[before[case]["verdict"]]:
            worse.append(f"{line} (was {before[case]['verdict']})")
        elif rank > RANK[before[case]["verdict"]]:
            better.append(f"{case}: {row['verdict']} (was {before[case]['verdict']})")
    gone = sorted(set(before) - set(cases))

    with open(log) as file:
        print(file.read().split("\n\n", 1)[-1].strip())
    for title, lines in (("worse than recorded", worse), ("new and not correct", bad), ("recorded, but missing", gone)):
        if lines:
            print(f"\n{len(lines)} {title}:\n  " + "\n  ".join(lines))
    if new:
        print(f"\n{new} are not recorded yet" + ("" if a.record else "; ./dev check --record records them"))
    if better:
        print(f"\n{len(better)} better than recorded" + ("" if a.record else "; ./dev check --record records them") + ":")
        print("  " + "\n  ".join(better[:20]) + ("\n  ..." if len(better) > 20 else ""))
    if a.record:
        rows = {case: row for case, row in before.items() if case in cases} | now
        with open(a.recorded, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["case", "verdict"])
            writer.writerows([case, row["verdict"]] for case, row in sorted(rows.items()))
        print(f"\nwrote {a.recorded}")
    elif worse or bad or gone:
        sys.exit(f"error: the verdicts are worse than the recorded ones (details in {table})")


if __name__ == "__main__":
    main()
