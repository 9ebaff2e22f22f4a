#!/usr/bin/env python3
"""usage: table.py ZOO.csv BASELINE.csv OUT.md: the page of the model zoo from what measure.py recorded."""
import csv, os, statistics, sys

HEAD = """# The model zoo, converted

Made by `tests/zoo/measure.py` from one run on one machine; do not edit. Every model that MXNet's gluon, gluoncv and gluonnlp
make is converted by Crosswalk and, where it can, by MXNet 1.9.1's own exporter, mx2onnx.

- **mx2onnx**: seconds of its export call alone (its process takes longer: it imports MXNet first), the peak of its anonymous
  memory, and the nodes of its export as it is and after onnxsim, which also folds BatchNormalization. "there" is what
  `zoo-mx2onnx.csv` recorded on another machine.
- **crosswalk**: seconds of the whole process from start to end, on the wall and of CPU (medians of 7 runs), the peak of its anonymous
  memory, and the nodes of its export as it is and with `--optimize`.
- **times**: mx2onnx's seconds here over crosswalk's.
"""


def rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def number(text, form="{:.3g}"):
    return form.format(float(text)) if text else "–"


def ratio(row, base):
    return float(base) / float(row["seconds"]) if base else None


def summary(table, there):
    here = [r for r in (ratio(row, row["mx_seconds"]) for row in table) if r]
    other = [r for r in (ratio(row, there.get(row["model"], {}).get("seconds")) for row in table) if r]
    counted = [row for row in table if row["mx_simplified"]]
    more = [row["model"] for row in counted if int(row["optimized_nodes"]) > int(row["mx_simplified"])]
    lines = [f"- {len(table)} models; mx2onnx exports {sum(bool(row['mx_seconds']) for row in table)} of them.",
             f"- The largest peak of crosswalk's anonymous memory is {max(float(r['anonymous_mb']) for r in table):.1f} MB, for weights "
             f"of up to {max(float(r['weights_mb']) for r in table):.0f} MB."]
    if here:
        whole = statistics.median(ratio(row, row["mx_process_seconds"]) for row in table if row["mx_process_seconds"])
        lines.append(f"- In the median crosswalk's process is {statistics.median(here):.1f} times faster than mx2onnx's call, and {whole:.0f} "
                     "times than its process.")
    if other:
        lines.append(f"- Against the seconds recorded there the median is {statistics.median(other):.1f} times.")
    if counted:
        lines.append(f"- With `--optimize` the nodes are at most those of mx2onnx's export after onnxsim in {len(counted) - len(more)} of "
                     f"{len(counted)} models.")
    if more:
        wrong = [model for model in more if there.get(model, {}).get("correct") == "False"]
        right = [model for model in more if model not in wrong]
        lines.append("- They are more where mx2onnx does less: its export does not give MXNet's outputs for " + ", ".join(wrong) +
                     (", and happens to for " + ", ".join(right) if right else "") +
                     ". Of outputs of one name it keeps one (monodepth2 has four); its box_nms is one NonMaxSuppression, in which boxes "
                     "of different classes suppress one another whatever id_index and force_suppress say, as it warns itself.")
    return "\n".join(lines)


def line(row, there):
    other = there.get(row["model"], {})
    exported = other.get("exported") == "True"
    faster = ratio(row, row["mx_seconds"])
    cells = [row["model"], number(row["weights_mb"], "{:.1f}"),
             number(other.get("seconds") if exported else ""), number(other.get("rss_mb") if exported else "", "{:.0f}"),
             number(row["mx_seconds"]), number(row["mx_anonymous_mb"], "{:.0f}"), row["mx_nodes"] or "–", row["mx_simplified"] or "–",
             number(row["seconds"]), number(row["cpu"]), number(row["anonymous_mb"], "{:.1f}"), row["nodes"], row["optimized_nodes"],
             f"{faster:.0f}" if faster else "–"]
    return "| " + " | ".join(cells) + " |"


def write(recorded, baseline, out):
    table = rows(recorded)
    there = {row["model"]: row for row in rows(baseline)} if os.path.exists(baseline) else {}
    heads = ["model", "weights MB", "mx2onnx there s", "there MB", "mx2onnx s", "MB", "nodes", "after onnxsim",
             "crosswalk s", "CPU s", "MB", "nodes", "optimized", "times"]
    with open(out, "w") as f:
        f.write(HEAD + "\n" + summary(table, there) + "\n"+ "\n")
        f.write("| " + " | ".join(heads) + " |\n|---|" + "--:|" * (len(heads) - 1) + "\n")
        f.writelines(line(row, there) + "\n" for row in table)


if __name__ == "__main__":
    write(*sys.argv[1:])
