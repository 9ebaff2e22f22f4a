"""Run with the installed wheel: python -m unittest discover python/tests. CROSSWALK: the program, to compare with."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import crosswalk

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "resources" / "examples"
SPEECH = EXAMPLES / "speech_commands" / "frozen.pb"
KEYWORD = EXAMPLES / "keyword_lstmp" / "model-symbol.json"
PROGRAM = os.environ.get("CROSSWALK", str(ROOT / "build" / "release" / "bin" / "crosswalk"))
SHAPES = {"data": [20, 1, 8]}


class CrosswalkTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_export_equals_that_of_the_program(self):
        for arguments, options in (([], {}), (["--opset", "21", "--optimize"], {"opset": 21, "optimize": True}),
                                   (["--opset", "23", "--optimize=attention"], {"opset": 23, "optimize": "attention"})):
            expected = self.folder / "program.onnx"
            subprocess.run([PROGRAM, "convert", str(SPEECH), "-o", str(expected), "--quiet", *arguments], check=True)
            self.assertEqual(crosswalk.convert(SPEECH, **options).to_bytes(), expected.read_bytes())

    def test_optimize_is_a_bool_or_attention(self):
        with self.assertRaises(ValueError):
            crosswalk.convert(SPEECH, optimize="fast")

    def test_save_leaves_no_half_file(self):
        target = self.folder / "absent" / "model.onnx"
        with self.assertRaises(crosswalk.CrosswalkError) as raised:
            crosswalk.convert(SPEECH).save(target)
        self.assertEqual(raised.exception.code, "unwritable")
        self.assertFalse(target.parent.exists())

    def test_problems_are_at_their_nodes(self):
        conversion = crosswalk.convert(KEYWORD)
        gaps = [problem for problem in conversion.problems if problem.choices]
        self.assertTrue(gaps)
        self.assertTrue(gaps[0].node)
        self.assertIn("exact", [choice.strategy for choice in gaps[0].choices])

    def test_errors_carry_all_problems(self):
        model = crosswalk.open(KEYWORD)
        conversion = model.convert(outputs=[next(iter(model.inspect()["outputs"]))["name"]])
        self.assertTrue(conversion.is_complete)
        with self.assertRaises(crosswalk.CrosswalkError) as raised:
            model.convert(shapes={"nothing": [1]})
        self.assertEqual(raised.exception.code, "unknown-input")
        self.assertEqual(raised.exception.problems[0].severity, "error")

    def test_reading_errors(self):
        with self.assertRaises(crosswalk.CrosswalkError) as raised:
            crosswalk.open(self.folder / "absent.pb")
        self.assertEqual(raised.exception.code, "unreadable")
        (self.folder / "text.txt").write_text("not a model")
        with self.assertRaises(crosswalk.CrosswalkError) as raised:
            crosswalk.open(self.folder / "text.txt")
        self.assertEqual(raised.exception.code, "unknown-format")

    def test_wrong_arguments(self):
        for options, error in (({"opset": 3}, ValueError), ({"nonsense": 1}, TypeError), ({"rnn": "magic"}, ValueError),
                               ({"shapes": {"x": [-2]}}, ValueError), ({"dtypes": {"x": "float7"}}, ValueError)):
            with self.assertRaises(error, msg=str(options)):
                crosswalk.convert(SPEECH, **options)

    def test_wrong_types(self):
        for options in ({"opset": "17"}, {"shapes": {"x": 5}}, {"shapes": {"x": "N,3"}}, {"shapes": {"x": [1.5]}},
                        {"dtypes": {"x": 1}}, {"outputs": "y"}, {"outputs": [1]}, {"rnn": 1}, {"custom_ops": {"x": "y"}},
                        {"rename": {"x": 1}}, {"reroll": "yes"}, {"optimize": 2}):
            with self.assertRaisesRegex(TypeError, " is .*, not ", msg=str(options)):
                crosswalk.open(SPEECH).convert(**options)
        with self.assertRaisesRegex(TypeError, "opset is a number, not str"):
            crosswalk.convert(SPEECH, opset="17")

    def test_options_of_open_are_not_ignored(self):
        with self.assertRaisesRegex(TypeError, "open"):
            crosswalk.convert(crosswalk.open(SPEECH), allow_large=True)

    def test_none_is_the_default(self):
        model = crosswalk.open(SPEECH)
        self.assertEqual(model.convert(opset=None, shapes=None).opset, crosswalk.convert(SPEECH, opset=None).opset)

    def test_names_of_invalid_utf8(self):
        def message(number, *parts):
            content = b"".join(parts)
            return bytes([number << 3 | 2, len(content)]) + content

        name = b"in\xffput"
        tensor = message(1, b"\x08\x01", message(2, message(1, b"\x08\x02")))  # float32, of 2
        value = lambda port: message(1, port) + message(2, tensor)  # noqa: E731
        node = message(1, name) + message(2, b"y") + message(3, b"relu") + message(4, b"Relu")
        graph = message(1, node) + message(2, b"g") + message(11, value(name)) + message(12, value(b"y"))
        (self.folder / "name.onnx").write_bytes(b"\x08\x08" + message(7, graph) + message(8, b"\x10\x11"))
        model = crosswalk.open(self.folder / "name.onnx")
        self.assertEqual(model.inspect()["inputs"][0]["name"], "in\udcffput")
        self.assertEqual(model.inspect(shapes={"in\udcffput": [3]})["inputs"][0]["shape"], (3,))
        with self.assertRaises(crosswalk.CrosswalkError):
            model.convert(shapes={"other": [3]})

    def test_inspect(self):
        summary = crosswalk.inspect(SPEECH)
        self.assertEqual(summary["format"], "tensorflow")
        self.assertTrue(summary["inputs"][0]["name"])
        self.assertGreater(summary["parameters"]["elements"], 0)

    def test_pictures(self):
        model = crosswalk.open(SPEECH)
        self.assertIn("<svg", model._repr_svg_())
        self.assertIn("<svg", model.convert().render("onnx", groups="closed", dark=True))
        with self.assertRaises(ValueError):
            model.convert().render("left")

    def test_diff(self):
        first, second = self.folder / "a.onnx", self.folder / "b.onnx"
        crosswalk.convert(SPEECH).save(first)
        crosswalk.convert(SPEECH, opset=21).save(second)
        self.assertFalse(crosswalk.diff(first, first))
        changed = crosswalk.diff(first, second)
        self.assertTrue(changed)
        self.assertIn("opset ai.onnx", [what for what, _, _ in changed.model])

    def test_verify(self):
        try:
            import onnxruntime  # noqa: F401
        except ImportError:
            self.skipTest("needs onnxruntime")
        target = self.folder / "a.onnx"
        crosswalk.convert(SPEECH).save(target)
        report = crosswalk.verify(target, SPEECH.parent / "test_data_set_0")
        self.assertTrue(report)
        self.assertTrue(report.outputs[0].equal)

    def test_to_onnx(self):
        try:
            import onnx
        except ImportError:
            self.skipTest("needs onnx")
        onnx.checker.check_model(crosswalk.convert(SPEECH).to_onnx())

    def test_other_threads_run_meanwhile(self):
        ticks = []
        done = threading.Event()

        def tick():
            while not done.wait(0.001):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        for _ in range(5):
            crosswalk.convert(SPEECH, optimize=True).to_bytes()
        done.set()
        thread.join()
        self.assertGreater(len(ticks), 3)

    def test_interrupt(self):
        # A shell starts background jobs with SIGINT ignored, and Python leaves it so.
        script = ("import crosswalk, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nprint('start', flush=True)\n"
                  f"while True: crosswalk.convert({str(SPEECH)!r}, optimize=True)")
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
        self.assertIn(b"KeyboardInterrupt", errors)


if __name__ == "__main__":
    unittest.main()
