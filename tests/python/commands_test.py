# SPDX-License-Identifier: Apache-2.0
"""Commands as functions: figures, options, progress, cancellation."""

import inspect
import os
import signal
import sys
import threading
import unittest
import unittest.mock

import numpy

import package
import lapidary
from lapidary import commands


class Commands(unittest.TestCase):
    def test_figures_are_those_of_the_command_line(self):
        for function, words, options in (
            (lapidary.memory, ["memory", "sample:squeezenet", "--dim", "batch=2"], {"dim": {"batch": 2}}),
            (lapidary.passes, ["passes"], {}),
        ):  # fmt: skip
            models = [word for word in words if word.startswith("sample:")]
            self.assertEqual(
                package.without(function(*models, **options).to_dict(), {"time_ms"}),
                package.without(package.command_line(*words), {"time_ms"}),
            )

    def test_a_guarded_optimization_proves_its_result(self):
        result = lapidary.optimize("sample:lenet", level="all", guard=True)
        self.assertEqual(result.exit_code, 0)
        self.assertTrue(result.guard.matches)
        refused = lapidary.optimize("sample:lenet", level="all", guard=True, rtol=0, atol=0)
        self.assertEqual(refused.exit_code, 0 if refused.guard.matches else 1)

    def test_fresh_processes_are_those_of_the_program(self):
        lapidary._engine.use_program("")
        with self.assertRaises(lapidary.NotSupportedError):
            lapidary.memory("sample:lenet", measure=True)
        lapidary._engine.use_program(os.environ["LAPIDARY_CLI"])
        self.assertGreater(lapidary.memory("sample:lenet", measure=True).measured.running_bytes, 0)

    def test_arrays_are_inputs(self):
        array = numpy.ones((1, 1, 28, 28), numpy.float32)
        result = lapidary.run("sample:lenet", input={"input": array})
        self.assertEqual(result.inputs[0].statistics.mean, 1)
        made = lapidary.Session("sample:lenet").run({"input": array})["logits"]
        self.assertEqual(result.outputs[0].values, [float(v) for v in made.ravel()[:8]])

    def test_arrays_are_samples(self):
        model = lapidary.Model.sample("lenet")
        images = numpy.random.default_rng(1).random((4, 1, 28, 28), numpy.float32)
        whole = model.quantize(mode="static", data={"input": images}).report
        listed = model.quantize(mode="static", data=[{"input": image[None]} for image in images])
        self.assertEqual(whole.sqnr_db, listed.report.sqnr_db)
        for wrong in (images, [images], [], {"input": "file.npy"}):
            with self.assertRaisesRegex(lapidary.UsageError, "data is a path, a dict of arrays"):
                model.quantize(mode="static", data=wrong)
        with self.assertRaisesRegex(lapidary.UsageError, "input is a dict of arrays"):
            lapidary.run(model, input=images)

    def test_onnxruntime_of_this_interpreter_is_the_default(self):
        given = {"vs": "onnxruntime"}
        with unittest.mock.patch.object(commands, "_has_onnxruntime", lambda: True):
            with unittest.mock.patch.dict(os.environ, LAPIDARY_ONNXRUNTIME=""):
                made = commands._with_interpreter(given, {"--onnxruntime"})
                self.assertEqual(made["onnxruntime"], sys.executable)
                named = {**given, "onnxruntime": "/mine"}
                self.assertEqual(commands._with_interpreter(named, {"--onnxruntime"}), named)
                self.assertEqual(commands._with_interpreter(given, {"--engine"}), given)
                compared = {"by": "node", "engine": ["lapidary", "onnxruntime"]}
                made = commands._with_interpreter(compared, {"--engine"})
                self.assertEqual(made["engine"], ["lapidary", sys.executable])
            with unittest.mock.patch.dict(os.environ, LAPIDARY_ONNXRUNTIME="/theirs"):
                self.assertEqual(commands._with_interpreter(given, {"--onnxruntime"}), given)

    def test_models_of_this_process_are_arguments(self):
        fast, _ = lapidary.Model.sample("lenet").optimize(level="extended")
        self.assertEqual(lapidary.info(fast).nodes, 8)
        self.assertEqual(lapidary.compare("sample:lenet", fast, seconds=1).exit_code, 0)

    def test_profile_becomes_tables(self):
        result = lapidary.profile("sample:lenet", runs=2, warmup=0)
        self.assertEqual(result.runs, 2)
        rows = result.rows("operators")
        self.assertEqual(len(rows), len(result.operators))
        self.assertIn("nodes", result.tables())

    def test_progress_is_reported_and_may_end_the_work(self):
        stages = []

        class Enough(Exception):
            pass

        def look(stage, fraction):
            stages.append(stage)
            self.assertTrue(fraction is None or 0 <= fraction <= 1)
            raise Enough

        with self.assertRaises(Enough):
            lapidary.sweep("sample:squeezenet", seconds=60, on_progress=look)
        self.assertTrue(stages[0])

    def test_ctrl_c_ends_a_command(self):
        timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt) as caught:
            lapidary.sweep("sample:squeezenet", seconds=60)
        timer.join()
        result = getattr(caught.exception, "result", None)  # where a cell was measured before
        self.assertTrue(result is None or result.cancelled)
        self.assertTrue(lapidary.info("sample:mlp").nodes)

    def test_errors_are_those_of_the_command_line(self):
        with self.assertRaises(lapidary.UsageError):
            lapidary.info()
        with self.assertRaises(lapidary.InvalidInputError) as caught:
            lapidary.run("sample:nope")
        self.assertEqual(caught.exception.exit_code, 3)
        with self.assertRaisesRegex(TypeError, "did you mean 'level'"):
            lapidary.run("sample:lenet", leve="all")
        with self.assertRaisesRegex(lapidary.UsageError, "takes MODEL by position, found 2"):
            lapidary.info("sample:mlp", "sample:lenet")
        with self.assertRaisesRegex(TypeError, "expected a path"):
            lapidary.info(3)
        with self.assertRaises(AttributeError):
            lapidary.no_such_command

    def test_functions_explain_themselves(self):
        self.assertIn("disable_pass", lapidary.run.__doc__)
        self.assertIn("level", lapidary.option_names("run"))
        self.assertIn("level", inspect.signature(lapidary.run).parameters)
        self.assertNotIn("serve", dir(lapidary))
        self.assertNotIn("mcp", dir(lapidary))


if __name__ == "__main__":
    package.main()
