# SPDX-License-Identifier: Apache-2.0
"""Models of the Python package: opened, described, optimized, edited, saved."""

import errno
import importlib.util
import os
import pickle
import tempfile
import unittest

import package
import lapidary


class Models(unittest.TestCase):
    def test_info_is_that_of_the_command_line(self):
        model = lapidary.Model.sample("lenet")
        self.assertEqual(model.info().to_dict(), package.command_line("info", "sample:lenet"))
        self.assertEqual(lapidary.info("sample:lenet").to_dict(), model.info().to_dict())
        self.assertIn("12 nodes", repr(model))

    def test_samples_are_named(self):
        self.assertIn("lenet", [name for name, _ in lapidary.samples()])

    def test_save_and_open_give_the_same_model(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.onnx")
            self.assertEqual(lapidary.Model.sample("mlp").save(path), [])
            opened = lapidary.open(path)
            self.assertEqual(opened.info().nodes, lapidary.Model.sample("mlp").info().nodes)
            with self.assertRaises(lapidary.Error):
                opened.save(path)
            opened.save(path, overwrite=True)
            opened.save(path + "2", external_data=0)
            self.assertTrue(os.path.exists(path + "2.data"))

    def test_bytes_and_back(self):
        model = lapidary.Model.sample("lenet")
        data = model.to_bytes()
        again = lapidary.Model.from_bytes(data)
        same = ["nodes", "parameters", "operators", "inputs", "outputs", "opsets"]
        for name in same:
            self.assertEqual(again.info()[name], model.info()[name])
        self.assertEqual(again.to_bytes(), data)

    @unittest.skipUnless(importlib.util.find_spec("onnx"), "the package onnx is not installed")
    def test_onnx_and_back(self):
        import onnx

        proto = lapidary.Model.sample("lenet").to_onnx()
        onnx.checker.check_model(proto)
        self.assertEqual(len(proto.graph.node), 12)
        self.assertEqual(lapidary.Model.from_onnx(proto).info().nodes, 12)

    def test_optimize_reports_what_the_command_line_reports(self):
        model = lapidary.Model.sample("squeezenet")
        made, report = model.optimize(level="all", disable_pass=["fuse_conv_mul"], dim={"batch": 2})
        printed = package.command_line(
            "optimize", "sample:squeezenet", "--level", "all", "--disable-pass", "fuse_conv_mul",
            "--dim", "batch=2",
        )  # fmt: skip
        times = {"time_ms", "notes"}
        self.assertEqual(
            package.without(report.to_dict(), times), package.without(printed["report"], times)
        )
        self.assertEqual(report.to_dict()["notes"], printed["notes"])
        self.assertEqual(made.info().nodes, printed["nodes"])
        self.assertEqual(report.nodes_before, model.optimize(level="disabled").report.nodes_before)

    def test_the_default_level_is_extended(self):
        self.assertEqual(lapidary.Model.sample("lenet").optimize().report.level, "extended")

    def test_near_misses_say_why(self):
        _, report = lapidary.Model.sample("resnet18").optimize(level="basic")
        for miss in report.near_misses:
            self.assertTrue(miss.reason)
            self.assertTrue(miss.pass_)

    def test_edit_makes_a_new_model(self):
        model = lapidary.Model.sample("lenet")
        edited = model.edit("rename output logits -> scores")
        self.assertEqual(edited.info().outputs[0].name, "scores")
        self.assertEqual(model.info().outputs[0].name, "logits")
        with self.assertRaises(lapidary.InvalidInputError):
            model.edit("no such verb")

    def test_errors_have_fields(self):
        with self.assertRaises(lapidary.InvalidInputError) as caught:
            lapidary.Model.sample("nope")
        self.assertEqual(caught.exception.code, "invalid_input")
        self.assertIn("lenet", caught.exception.message)
        self.assertEqual(caught.exception.where, ())
        with self.assertRaises(lapidary.IoError) as caught:
            lapidary.open("/nowhere/net.onnx")
        self.assertIsInstance(caught.exception, OSError)
        self.assertIn("/nowhere/net.onnx", str(caught.exception))
        missing = pickle.loads(pickle.dumps(caught.exception))
        for error in (caught.exception, missing):
            self.assertIsInstance(error, FileNotFoundError)
            self.assertEqual((error.errno, error.filename), (errno.ENOENT, "/nowhere/net.onnx"))
            self.assertEqual((error.code, error.exit_code), ("io_failure", 3))
        with self.assertRaises(FileNotFoundError):
            lapidary.info("/nowhere/net.onnx")
        with self.assertRaises(lapidary.InvalidModelError):
            lapidary.Model.from_bytes(b"no model")
        with self.assertRaises(lapidary.UsageError):
            lapidary.Model.sample("lenet").optimize(level="extendd")
        with self.assertRaisesRegex(TypeError, "disable_pass"):
            lapidary.Model.sample("lenet").optimize(disable_passes="x")

    def test_what_is_no_model_says_what_to_write(self):
        model = lapidary.Model.sample("mlp")
        for call, said in (
            (lambda: lapidary.open(b"x"), "from_bytes"),
            (lambda: lapidary.open(3), "expected a path"),
            (lambda: lapidary.Model("net.onnx"), "lapidary.open"),
            (lambda: lapidary.Model.from_bytes("x"), "expected bytes"),
            (lambda: lapidary.Model.from_onnx("x"), "ModelProto"),
            (lambda: model.edit(["dim batch = 1"]), "one text"),
            (lambda: model.quantize(output="q.onnx"), "save"),
        ):
            with self.assertRaisesRegex(TypeError, said):
                call()

    def test_models_show_where_they_come_from(self):
        model = lapidary.Model.sample("lenet")
        made = model.optimize()
        self.assertIn("sample:lenet, optimized at extended", repr(made.model))
        self.assertIn("nodes became", made._repr_html_())
        self.assertIn("-> scores: ", repr(model.edit("rename output logits -> scores")))
        small = model.quantize(mode="dynamic", generate=2)
        self.assertIn("sample:lenet, quantized", repr(small.model))
        self.assertEqual(small.report.output, "")
        self.assertIn(small.report.verdict.sentence, small._repr_html_())

    def test_quantize_gives_a_model_and_its_price(self):
        made, report = lapidary.Model.sample("mlp").quantize(mode="dynamic", generate=4)
        self.assertLess(made.info().weight_bytes, lapidary.Model.sample("mlp").info().weight_bytes)
        self.assertTrue(report.keys())


if __name__ == "__main__":
    package.main()
