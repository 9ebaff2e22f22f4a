"""Check that Qt's moc found each test function: test_functions.py SOURCES BUILD

moc skips the bodies of functions by counting braces, also those in raw string literals. Where these are not balanced, it takes the
functions behind for a part of the body, and they never run."""
import pathlib
import re
import sys


def functions_of(source):
    slots = source.split("private slots:", 1)[1].split("\n};", 1)[0].split("\nprivate:", 1)[0]
    return set(re.findall(r"^    void (\w+)\(\)", slots, re.MULTILINE))


def main(sources, build):
    meta_objects = {path.stem: path.read_text() for path in pathlib.Path(build).rglob("tst_*.moc")}
    lost = []
    checked = 0
    for path in sorted(pathlib.Path(sources).rglob("tst_*.cpp")):
        source = path.read_text()
        if path.stem not in meta_objects or "private slots:" not in source:
            continue
        known = set(re.findall(r'"(\w+)"', meta_objects[path.stem]))
        checked += 1
        lost += [f"{path}: {name}" for name in sorted(functions_of(source) - known)]
    for name in lost:
        print(f"{name} does not run: balance the braces of the raw string literals before it")
    return 1 if lost or checked < 100 else 0


sys.exit(main(*sys.argv[1:]))
