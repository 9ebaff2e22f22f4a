"""Tests check.py and formats.py on synthetic cases, with a judge that reads its verdicts from the cases."""
import contextlib
import csv
import io
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check
import formats

JUDGE = """
import csv, json, os, sys
table, folders = sys.argv[sys.argv.index("--csv") + 1], sys.argv[sys.argv.index("--csv") + 2:]
rows = [[os.path.basename(f), json.load(open(os.path.join(f, "case.json")))["verdict"], "why"] for f in folders]
csv.writer(open(table, "w", newline="")).writerows([["case", "verdict", "why"], *rows])
"""


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.cases = folder.name, os.path.join(folder.name, "cases")
        self.recorded = os.path.join(self.root, "recorded.csv")
        with open(os.path.join(self.root, "judge.py"), "w") as file:
            file.write(JUDGE)

    def add(self, name, verdict="correct", folder="mxnet-ops", **keys):
        path = os.path.join(self.cases, folder, name)
        os.makedirs(path)
        with open(os.path.join(path, "case.json"), "w") as file:
            json.dump({"verdict": verdict, **keys}, file)

    def record(self, **verdicts):
        with open(self.recorded, "w", newline="") as file:
            csv.writer(file).writerows([["case", "verdict"], *verdicts.items()])

    def recorded_now(self):
        return {case: row["verdict"] for case, row in check.verdicts(self.recorded).items()}

    def run_check(self, *options):
        """Whether the check passes."""
        arguments = ["check.py", "--judge", os.path.join(self.root, "judge.py"), "--cases", self.cases, "--bin", "none",
                     "--recorded", self.recorded, "--out", os.path.join(self.root, "out"), *options]
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()):
            try:
                check.main()
            except SystemExit:
                return False
        return True

    def test_only_improvements_pass(self):
        self.add("a", "refused")
        for before, passes in (("correct", False), ("refused", True), ("wrong", True)):
            self.record(a=before)
            self.assertEqual(self.run_check(), passes, before)

    def test_a_new_case_must_be_right_or_refused(self):
        self.record()
        self.add("a")
        self.add("b", "refused")
        self.assertTrue(self.run_check())
        self.add("c", "invalid")
        self.assertFalse(self.run_check())

    def test_a_recorded_case_without_a_folder_fails(self):
        self.record(a="correct", b="correct")
        self.add("a")
        self.assertFalse(self.run_check())

    def test_cases_of_formats_that_are_not_read_are_left_out(self):
        self.record()
        self.add("a")
        self.add("b", "broken", folder="unread")
        self.assertTrue(self.run_check("--all"))

    def test_recording_keeps_the_rows_of_cases_that_were_not_run(self):
        for i in range(10):
            self.add(f"a{i}", "correct")
        self.record(a0="wrong", a1="correct", a9="correct", gone="correct")
        with mock.patch.object(formats, "SAMPLE", 1):
            self.assertTrue(self.run_check("--record"))
        now = self.recorded_now()
        self.assertNotIn("gone", now)
        self.assertLessEqual({"a0", "a1", "a9"}, set(now))
        self.assertLessEqual(len(now), 4)
        self.assertTrue(self.run_check("--all", "--record"))
        self.assertEqual(self.recorded_now(), {f"a{i}": "correct" for i in range(10)})

    def test_two_cases_of_one_name_fail(self):
        self.record()
        self.add("a")
        self.add("a", folder="rnn")
        self.assertFalse(self.run_check())


class Select(unittest.TestCase):
    TABLE = (formats.Format("one", ("one",), ("core/formats/one/",)),
             formats.Format("two", ("two",), ("core/formats/two/",), kinds=("x",), cases=("two_1?",)))

    def setUp(self):
        self.cases = {}
        for folder in ("one", "two"):
            for i in range(40):
                name = f"{folder}_{i:02}"
                kind = "xy"[i % 2]
                self.cases[name] = formats.Case(os.path.join("cases", folder, name), folder, kind, (folder, i // 10))
        for target, value in (("SAMPLE", 9), ("COMMON_SAMPLE", 23)):
            patch = mock.patch.object(formats, target, value)
            patch.start()
            self.addCleanup(patch.stop)

    def select(self, *changed):
        chosen = formats.select(self.cases, changed, self.TABLE)
        return [sum(case.folder == folder for case in chosen.values()) for folder in ("one", "two")]

    def test_all_are_the_cases_that_the_table_reads(self):
        chosen = formats.select(self.cases, None, self.TABLE)
        self.assertEqual({name for name in chosen if name.startswith("two")}, {f"two_1{i}" for i in range(0, 10, 2)})
        self.assertEqual(len(chosen), 45)

    def test_a_change_decides_how_many_are_judged(self):
        self.assertEqual(self.select("README.md"), [8, 1])
        self.assertEqual(self.select("core/graph/graph.h"), [24, 3])
        self.assertEqual(self.select("core/formats/format_table.cpp"), [24, 3])
        self.assertEqual(self.select("core/formats/one/reader.cpp"), [40, 1])
        self.assertEqual(self.select("core/formats/two/reader.cpp"), [8, 5])

    def test_the_sample_is_the_same_whatever_the_order(self):
        reverse = dict(reversed(self.cases.items()))
        self.assertEqual(set(formats.select(self.cases, [], self.TABLE)), set(formats.select(reverse, [], self.TABLE)))

    def test_every_stratum_keeps_a_case(self):
        chosen = formats.sample(self.cases.values(), 0.001)
        self.assertEqual(len({case.stratum for case in chosen}), 8)


if __name__ == "__main__":
    unittest.main()
