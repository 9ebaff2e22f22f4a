#!/usr/bin/env python3
"""Measure the conversion of a large TorchScript archive: time against a plain copy of the file, and anonymous memory.

  large_torchscript.py --bin build/release/bin/crosswalk [--gigabytes 3] [--folder build/bench]

The archive has square matrices of 128 MiB, which are written here as PyTorch writes them: stored members, aligned to 64 bytes. Targets: with
--external-data at most twice the time of the copy and 200 MB, with --external-data=in-place 0.3 s. Rounds are interleaved; the best counts."""
import argparse
import os
import shutil
import struct
import subprocess
import time
import zlib

import numpy as np

SIDE = 5793  # of a matrix of 128 MiB
ALIGNMENT = 64


def text(value):
    return b"X" + struct.pack("<I", len(value)) + value.encode()


def pickled_matrix(key):
    size = b"(M" + struct.pack("<H", SIDE) + b"M" + struct.pack("<H", SIDE) + b"t"
    return (b"ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + b"ctorch\nFloatStorage\n" + text(key) + text("cpu") +
            b"J" + struct.pack("<i", SIDE * SIDE) + b"tQK\0" + size + b"(M" + struct.pack("<H", SIDE) + b"K\x01t" + b"\x89" +
            b"ccollections\nOrderedDict\n)RtR")


def members(layers):
    names = [f"w{i}" for i in range(layers)]
    fields = "".join(f"  {name} : Tensor\n" for name in names)
    steps = "".join(f"    x = torch.relu(torch.matmul(x, self.{name}))\n" for name in names)
    yield "m/data.pkl", b"\x80\x02c__torch__\nModel\n)\x81}(" + b"".join(
        text(name) + pickled_matrix(str(i)) for i, name in enumerate(names)) + b"ub."
    yield "m/code/__torch__.py", (f"class Model(Module):\n  __parameters__ = []\n{fields}  def forward(self: __torch__.Model,\n    "
                                  f"x: Tensor) -> Tensor:\n{steps}    return x\n").encode()
    random = np.random.default_rng(1)
    for i in range(layers):
        yield f"m/data/{i}", random.standard_normal(SIDE * SIDE, np.float32).tobytes()
    yield "m/version", b"3\n"


def write_archive(path, layers):
    directory = b""
    with open(path, "wb") as file:
        count = 0
        for name, content in members(layers):
            start, name = file.tell(), name.encode()
            padding = -(start + 30 + len(name) + 4) % ALIGNMENT
            sizes = struct.pack("<III", zlib.crc32(content), len(content), len(content))
            file.write(b"PK\3\4" + struct.pack("<HHHHH", 20, 0, 0, 0, 33) + sizes + struct.pack("<HH", len(name), padding + 4) + name +
                       b"FB" + struct.pack("<H", padding) + b"Z" * padding)
            file.write(content)
            directory += (b"PK\1\2" + struct.pack("<HHHHHH", 20, 20, 0, 0, 0, 33) + sizes +
                          struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, start) + name)
            count += 1
        end = file.tell()
        file.write(directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), end, 0))


def run(words):
    """Seconds, and the most anonymous memory in MB, sampled each 2 ms."""
    start, most = time.perf_counter(), 0
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                most = max([most] + [int(line.split()[1]) for line in status if line.startswith("RssAnon:")])
        except OSError:
            pass
        time.sleep(0.002)
    if process.returncode != 0:
        raise SystemExit(f"{words[0]} ended with status {process.returncode}")
    return time.perf_counter() - start, most * 1024 / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--gigabytes", type=float, default=3)
    parser.add_argument("--folder", default="build/bench")
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()
    os.makedirs(a.folder, exist_ok=True)
    source = os.path.join(a.folder, "large.pt")
    write_archive(source, max(1, round(a.gigabytes * 1e9 / (SIDE * SIDE * 4))))
    print(f"{source}: {os.path.getsize(source) / 1e9:.2f} GB")
    target, copy = os.path.join(a.folder, "large.onnx"), os.path.join(a.folder, "copy.pt")
    convert = [a.bin, "convert", source, "-o", target, "--quiet", "--shape", f"x=1,{SIDE}"]
    best = {}
    for _ in range(a.rounds):
        for name, words in (("copy", ["cp", source, copy]), ("external data", convert + ["--external-data"]),
                            ("in place", convert + ["--external-data=in-place"])):
            for path in (target, target + ".data", copy):
                if os.path.exists(path):
                    os.remove(path)
            os.sync()
            seconds, memory = run(words)
            best[name] = (min(seconds, best.get(name, (seconds,))[0]), max(memory, best.get(name, (0, 0))[1]))
    for name, (seconds, memory) in best.items():
        print(f"{name:14} {seconds:6.2f} s  {memory:6.1f} MB anonymous")
    for path in (source, copy, target, target + ".data"):
        if os.path.exists(path):
            os.remove(path)


if __name__ == "__main__":
    main()
