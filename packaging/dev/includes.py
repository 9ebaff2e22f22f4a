"""Checks that headers include the standard headers whose names they use, and no others, with include-what-you-use 0.18
(Debian's package iwyu). Prints what is missing or unused, and fails if there is anything; --fix changes the headers.

  build/deps/venv/bin/python packaging/dev/includes.py --build build/release [--fix] core/graph/*.h

Without headers, checks those of include, core, ui and app. Headers of the project and of libraries are not judged: many of ours
include others on purpose, to offer what they declare, and the tool looks through the forwarding headers of Qt.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
QT = "/usr/include/" + os.uname().machine + "-linux-gnu/qt6"
ADD = re.compile(r"^#include <([a-z_0-9]+)> +// for (.*)$", re.M)
REMOVE = re.compile(r"^- #include <([a-z_0-9]+)>", re.M)

# Names that the tool attributes to other headers.
MISJUDGED = {"algorithm": r"\bstd::ranges::", "utility": r"\bstd::(move|forward|exchange|swap|pair)\b"}


def uses(text, symbols):
    """Whether a header names one of the symbols itself, and not by what another header declares."""
    names = (re.sub(r"<.*|\W.*", "", symbol.strip()) for symbol in symbols.split(","))
    return any(name and re.search(r"\bassert\(" if name == "assert" else rf"\bstd::{name}\b", text) for name in names)


def check(header, build):
    """(missing, unused) standard headers of a header; None if it depends on what precedes it."""
    command = ["include-what-you-use", "-std=c++20", "-fPIC", "-x", "c++", f"-I{ROOT}", f"-I{ROOT}/include", f"-I{build}/core",
               "-isystem", f"{ROOT}/build/deps/onnx/include", "-DONNX_ML=1", "-DONNX_NAMESPACE=onnx"]
    for module in ("", "/QtCore", "/QtGui", "/QtWidgets", "/QtSvg"):
        command += ["-isystem", QT + module]
    command += ["-Xiwyu", "--no_fwd_decls", "-Xiwyu", "--max_line_length=1000", header]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if ": error: " in run.stderr or "fatal error" in run.stderr:
        print(f"{header} cannot be compiled alone:\n{run.stderr}")
        return None
    with open(os.path.join(ROOT, header)) as file:
        text = file.read()
    changes = run.stderr.split("The full include-list", 1)[0]
    missing = {name for name, symbols in ADD.findall(changes) if uses(text, symbols) and f"#include <{name}>" not in text}
    unused = {name for name in REMOVE.findall(changes)
              if f"#include <{name}>\n" in text  # a comment gives a reason
              and not re.search(MISJUDGED.get(name, rf"\bstd::{name}\b"), text)}
    return sorted(missing), sorted(unused)


def fix(header, missing, unused):
    path = os.path.join(ROOT, header)
    with open(path) as file:
        text = file.read()
    for name in unused:
        text = text.replace(f"#include <{name}>\n", "")
    if missing:
        lines = "".join(f"#include <{name}>\n" for name in missing)
        standard = re.search(r"^#include <[a-z_]+>\n", text, re.M)  # clang-format sorts them
        own = list(re.finditer(r"^#include .*\n", text, re.M))
        if standard:
            text = text[:standard.start()] + lines + text[standard.start():]
        elif own:
            text = text[:own[-1].end()] + "\n" + lines + text[own[-1].end():]
        else:
            text = text.replace("#pragma once\n", "#pragma once\n\n" + lines, 1)
    with open(path, "w") as file:
        file.write(re.sub(r"\n{3,}", "\n\n", text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("headers", nargs="*")
    arguments = parser.parse_args()
    headers = arguments.headers or subprocess.run(
        ["git", "ls-files", "include/*.h", "core/*.h", "ui/*.h", "app/*.h"], cwd=ROOT, capture_output=True, text=True,
        check=True).stdout.split()
    build = os.path.abspath(arguments.build)
    found = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, result in zip(headers, pool.map(lambda header: check(header, build), headers)):
            if result == ([], []):
                continue
            found += 1
            if result is None:
                continue
            missing, unused = result
            print(f"{header}:", *(f"<{name}> is missing" for name in missing), *(f"<{name}> is unused" for name in unused), sep="\n  ")
            if arguments.fix:
                fix(header, missing, unused)
    print(f"{found} of {len(headers)} headers")
    if arguments.fix and found:
        subprocess.run(["clang-format-14", "-i", *headers], cwd=ROOT, check=True)
        return 0
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
