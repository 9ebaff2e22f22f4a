#!/usr/bin/env python3
"""Draws random settings of MXNet's operators and records the results of MXNet, as cases for judge.py.

  draw.py OUT --seed 7 --count 500 [--only REGEX]     writes cases family-operator-seed-index
  judge.py --bin .../crosswalk OUT                    no case may be wrong
  draw.py OUT --missing .../crosswalk                 lists operators that crosswalk converts and that no case in OUT has

The same seed gives the same cases, also individually (--only, --index). Needs the environment of requirements.txt.
"""
import argparse, glob, json, os, re, subprocess, sys, warnings

warnings.filterwarnings("ignore")
import numpy as np

np.bool = bool  # MXNet 1.9.1 uses it
import mxnet as mx

import detection, elementwise, extremes, flow, fused, indexing, layers, linear, losses, networks, numpy_arrays, numpy_elementwise, numpy_numbers, numpy_shaping
import array_corners, layer_corners, number_corners, placing, quantized, randoms, recurrent, reducing, seldom, shaping, spectra, vision
import record
from draws import Draws

FAMILIES = (layers, layer_corners, array_corners, number_corners, elementwise, shaping, indexing, reducing, linear, vision, detection,
            recurrent, quantized, randoms, losses, placing, flow, fused, networks, extremes,
            numpy_elementwise, numpy_numbers, numpy_shaping, numpy_arrays, spectra, seldom)
NUMPY = ("nothing", "scalars")  # for families that have both


def draw(family, operator, seed, index, out):
    """Whether a case was recorded. Runs in a separate process, because some settings crash MXNet."""
    name = f"{family.__name__}-{operator.__name__}-{seed}-{index}"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            numpy = family.__name__.startswith(("numpy", "spectra")) or operator.__name__.startswith("numpy") or operator.__name__ in NUMPY
            if numpy:
                mx.npx.set_np()
            record.record(operator(Draws(f"{name}")), os.path.join(out, name), numpy)
            status = 0
        except record.Unusable:
            pass
        except Exception as e:  # an error in this program: report it and continue
            print(f"{name}: {type(e).__name__}: {str(e).splitlines()[0][:150] if str(e) else ''}", flush=True)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def missing(binary, folder):
    """Operators of the program's table without a case. MXNet 1.9 cannot record those of MXNet 2."""
    table = json.loads(subprocess.run([binary, "ops", "--json"], check=True, capture_output=True).stdout)
    drawn = set()
    for path in glob.glob(os.path.join(folder, "*", "model-symbol.json")):
        with open(path) as f:
            drawn |= {node["op"] for node in json.load(f)["nodes"]}
    known = set(mx.operator.get_all_registered_operators())
    return [o["operator"] for o in table if o["status"].startswith("exact") and o["operator"] in known - drawn]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=500, help="how many to draw; some are no cases")
    parser.add_argument("--index", type=int, help="this one of each operator alone")
    parser.add_argument("--only", default="", help="regular expression on family-operator")
    parser.add_argument("--missing", metavar="CROSSWALK", help="draw nothing; name the operators that no case in OUT has")
    a = parser.parse_args()
    if a.missing:
        print(*missing(a.missing, a.out), sep="\n")
        return
    chosen = [(f, o) for f in FAMILIES for o in f.OPERATORS if re.search(a.only, f"{f.__name__}-{o.__name__}")]
    if not chosen:
        sys.exit("error: no such operator")
    os.makedirs(a.out, exist_ok=True)
    made = 0
    for i in range(a.count if a.index is None else len(chosen)):
        family, operator = chosen[i % len(chosen)]
        made += draw(family, operator, a.seed, i // len(chosen) if a.index is None else a.index, a.out)
    print(f"{made} cases in {a.out}")


if __name__ == "__main__":
    main()
