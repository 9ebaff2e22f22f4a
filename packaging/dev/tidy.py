"""Runs clang-tidy on the given sources. Skips those that passed before and have not changed, including their headers."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys


def dependencies(build):
    """The project files on which each object depends, as recorded by ninja."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    made_from = {}
    for block in listing.split("\n\n"):
        lines = block.splitlines()
        paths = [os.path.realpath(os.path.join(build, line.strip())) for line in lines[1:]]
        own = sorted(path for path in paths if path.startswith(os.getcwd() + os.sep) and "/build/" not in path)
        if paths:
            made_from[paths[0]] = own
    return made_from


def digest(paths):
    sum = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            sum.update(file.read())
    return sum.hexdigest()


def write_commands(entries, folder):
    """Writes compile_commands.json without gcc's own options and precompiled headers, which clang cannot read, into the folder."""
    for entry in entries:
        words = shlex.split(entry["command"])
        kept = [word for word in words if word not in ("-Winvalid-pch", "-fpch-preprocess") and not word.startswith("--param=")]
        for at in [i for i, word in enumerate(kept) if word.endswith("cmake_pch.hxx") and kept[i - 1] == "-include"][::-1]:
            del kept[at - 1 : at + 1]
        entry["command"] = shlex.join(kept)
    with open(os.path.join(folder, "compile_commands.json"), "w") as file:
        json.dump(entries, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build tree with compile_commands.json")
    parser.add_argument("--tidy", required=True, help="the clang-tidy program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("files", nargs="*")
    a = parser.parse_args()

    with open(os.path.join(a.build, "compile_commands.json")) as file:
        entries = json.load(file)
    compiled = {os.path.realpath(entry["file"]) for entry in entries}
    made_from, stamps = dependencies(a.build), os.path.join(a.build, "tidy")
    os.makedirs(stamps, exist_ok=True)
    write_commands(entries, stamps)
    todo = {}
    for path in sorted({os.path.realpath(name) for name in a.files} & compiled):
        stamp = os.path.join(stamps, digest([".clang-tidy", path, *made_from.get(path, [])]))
        if not os.path.exists(stamp):
            todo[path] = stamp
    print(f"{len(todo)} of {len(a.files)} sources to check", flush=True)

    def look(path):
        command = [a.tidy, "-p", stamps, "--quiet", "--warnings-as-errors=*", path]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if run.returncode == 0:
            open(todo[path], "w").close()
        return run

    objections = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for run in pool.map(look, todo):
            objections += run.returncode != 0
            print(run.stdout, end="", flush=True)
    if objections:
        sys.exit(f"error: clang-tidy reports problems in {objections} of them")


if __name__ == "__main__":
    main()
