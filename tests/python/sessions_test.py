# SPDX-License-Identifier: Apache-2.0
"""Sessions of the Python package: arrays in and out, threads, interruption."""

import gc
import signal
import threading
import time
import unittest

import numpy

import package
import lapidary

LONG_LAYER_STEPS, LONG_LAYER_WIDTH = 8000, 1024


def field(number, value):
    """A field of a protobuf message: a number, a text or another message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value):
    data = b""
    while value > 127:
        data += bytes([value & 127 | 128])
        value >>= 7
    return data + bytes([value])


def long_layer():
    """A model of one LSTM over a long sequence: each of its 8,000 steps reads 16 MB of weights."""
    width = LONG_LAYER_WIDTH

    def typed(name, *sizes):
        shape = b"".join(field(1, field(1, size)) for size in sizes)
        return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))

    def weight(name):
        values = numpy.zeros((1, 4 * width, width), numpy.float32)
        sizes = b"".join(field(1, size) for size in values.shape)
        return field(5, sizes + field(2, 1) + field(8, name) + field(9, values.tobytes()))

    hidden_size = field(5, field(1, "hidden_size") + field(3, width) + field(20, 2))
    inputs = b"".join(field(1, name) for name in "xwr")
    node = inputs + field(2, "y") + field(4, "LSTM") + hidden_size
    graph = field(1, node) + field(2, "g") + weight("w") + weight("r")
    graph += field(11, typed("x", LONG_LAYER_STEPS, 1, width))
    graph += field(12, typed("y", LONG_LAYER_STEPS, 1, 1, width))
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))


class Sessions(unittest.TestCase):
    def test_outputs_are_those_of_the_command_line(self):
        session = lapidary.Session("sample:lenet", level="extended", intra=1)
        inputs = session.generate_inputs(seed=3, dim={"batch": 2})
        self.assertEqual(inputs["input"].shape, (2, 1, 28, 28))
        logits = session.run(inputs)["logits"]
        printed = package.command_line(
            "run", "sample:lenet", "--level", "extended", "--intra", "1", "--seed", "3", "--dim",
            "batch=2",
        )  # fmt: skip
        shown = printed["outputs"][0]
        self.assertEqual(list(logits.shape), shown["shape"])
        self.assertEqual([float(v) for v in logits.ravel()[:8]], shown["values"])
        self.assertEqual(session.level, printed["level"])
        self.assertEqual(session.threads, printed["threads"])
        self.assertEqual(session.inputs, ["input"])
        self.assertEqual(session.outputs, ["logits"])
        self.assertEqual(session.input_types, {"input": "f32[batch,1,28,28]"})
        self.assertEqual(session.output_types, {"logits": "f32[batch,10]"})
        self.assertIn("'sample:lenet' level=extended threads=1, input: f32", repr(session))

    def test_arrays_are_read_where_they_lie(self):
        tensor = lapidary._engine.tensor_over(numpy.arange(6, dtype=numpy.float32).reshape(2, 3))
        self.assertEqual(tensor.shape, (2, 3))
        self.assertEqual(tensor.dtype, "f32")
        array = numpy.arange(6, dtype=numpy.float32)
        view = numpy.asarray(lapidary._engine.tensor_over(array))
        self.assertEqual(view.ctypes.data, array.ctypes.data)
        self.assertFalse(view.flags.writeable and view.flags.owndata)

    def test_outputs_are_not_copied_and_outlive_the_session(self):
        session = lapidary.Session("sample:mlp")
        output = session.run(session.generate_inputs())[session.outputs[0]]
        self.assertFalse(output.flags.owndata)
        kept = output.copy()
        del session
        gc.collect()
        numpy.testing.assert_array_equal(output, kept)
        output += 1  # nothing else has it

    def test_results_go_into_memory_of_the_caller(self):
        session = lapidary.Session("sample:lenet")
        inputs = session.generate_inputs()
        out = numpy.zeros((1, 10), numpy.float32)
        made = session.run(inputs, out={"logits": out})["logits"]
        self.assertEqual(made.ctypes.data, out.ctypes.data)
        numpy.testing.assert_array_equal(out, session.run(inputs)["logits"])
        out.flags.writeable = False
        with self.assertRaises((BufferError, ValueError)):
            session.run(inputs, out={"logits": out})

    def test_other_layouts_and_lists(self):
        session = lapidary.Session("sample:mlp")
        name = session.inputs[0]
        array = session.generate_inputs(dim={"batch": 2})[name]
        expected = session.run({name: array})
        for other in (numpy.asfortranarray(array), array.tolist(), array.astype(">f4")):
            for output, value in session.run({name: other}).items():
                numpy.testing.assert_array_equal(value, expected[output])
        with self.assertRaises(lapidary.InvalidInputError):
            session.run({name: array.astype(numpy.float64)})
        with self.assertRaises(lapidary.InvalidInputError):
            session.run({})

    @unittest.skipUnless(hasattr(numpy, "from_dlpack"), "NumPy is older than DLPack")
    def test_dlpack_both_ways(self):
        array = numpy.arange(12, dtype=numpy.int64).reshape(3, 4)

        class Lender:  # as PyTorch's tensors: no buffer protocol
            def __dlpack__(self):
                return array.__dlpack__()

        tensor = lapidary._engine.tensor_of_dlpack(Lender())
        numpy.testing.assert_array_equal(numpy.from_dlpack(tensor), array)
        self.assertEqual(numpy.from_dlpack(tensor).ctypes.data, array.ctypes.data)
        array = array.transpose()  # copied, for its elements do not lie one after another
        tensor = lapidary._engine.tensor_of_dlpack(Lender())
        numpy.testing.assert_array_equal(numpy.from_dlpack(tensor), array)
        array = numpy.arange(24).reshape(2, 3, 4)[:, ::-2, 1:3]
        tensor = lapidary._engine.tensor_of_dlpack(Lender())
        numpy.testing.assert_array_equal(numpy.from_dlpack(tensor), array)
        with self.assertRaisesRegex(lapidary.InvalidInputError, "contiguous"):
            lapidary._engine.tensor_of_dlpack(Lender(), True)
        texts = lapidary._engine.tensor_of_texts(["a", "b"], [2])
        with self.assertRaises(lapidary.NotSupportedError):
            texts.__dlpack__()
        self.assertEqual(texts.elements(), ["a", "b"])

    def test_inner_values(self):
        session = lapidary.Session("sample:lenet", level="disabled")
        info = lapidary.Model.sample("lenet").info()
        self.assertEqual(info.nodes, 12)
        with self.assertRaises(lapidary.InvalidInputError):
            session.run(session.generate_inputs(), outputs=["no such value"])

    def test_a_value_that_the_level_merges_is_said_to_be_so(self):
        inputs = lapidary.Session("sample:lenet").generate_inputs()
        plain = lapidary.Session("sample:lenet", level="disabled")
        self.assertIn("/Relu_output_0", plain.run(inputs, outputs=["/Relu_output_0"]))
        with self.assertRaisesRegex(lapidary.InvalidInputError, "level=\"disabled\""):
            lapidary.Session("sample:lenet").run(inputs, outputs="/Relu_output_0")

    def test_arguments_of_other_types_say_what_to_write(self):
        session = lapidary.Session("sample:lenet")
        inputs = session.generate_inputs()
        self.assertEqual(list(session.run(inputs, outputs="logits")), ["logits"])
        with self.assertRaisesRegex(TypeError, "inputs come first"):
            session.run(None, inputs)
        with self.assertRaisesRegex(TypeError, "dict of arrays by name, found ndarray"):
            session.run(inputs["input"])
        with self.assertRaisesRegex(TypeError, "out is a dict"):
            session.run(inputs, out=[inputs["input"]])

        class Refuses:
            def __dlpack__(self):
                raise BufferError("not lent")

        with self.assertRaisesRegex(lapidary.InvalidInputError, 'input "input": .*not lent'):
            session.run({"input": Refuses()})

    def test_threads_of_python_get_the_same(self):
        session = lapidary.Session("sample:lenet", intra=1)
        inputs = session.generate_inputs()
        expected = session.run(inputs)["logits"].tobytes()
        found = []

        def work():
            for _ in range(20):
                found.append(session.run(inputs)["logits"].tobytes() == expected)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 80)

    def test_ctrl_c_ends_a_run(self):
        session = lapidary.Session("sample:resnet50", intra=1)
        inputs = session.generate_inputs(dim={"batch": 16})
        timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(1000):
                session.run(inputs)
        timer.join()
        small = session.generate_inputs()
        self.assertTrue(session.run(small))  # it still works

    def test_ctrl_c_ends_a_run_of_one_long_step(self):
        session = lapidary.Session(lapidary.Model.from_bytes(long_layer()), intra=1)
        x = numpy.zeros((LONG_LAYER_STEPS, 1, LONG_LAYER_WIDTH), numpy.float32)
        raised = []

        def interrupt():
            raised.append(time.monotonic())
            signal.raise_signal(signal.SIGINT)

        timer = threading.Timer(0.5, interrupt)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            session.run({"x": x})
        self.assertLess(time.monotonic() - raised[0], 5)  # the layer takes much longer
        timer.join()

    def test_engine_objects_are_made_by_functions_alone(self):
        for made in (lapidary._engine.Model, lapidary._engine.Session, lapidary._engine.Tensor):
            with self.assertRaises(TypeError):
                made()
            with self.assertRaises(TypeError):
                made.__new__(made)

    def test_options_are_checked(self):
        with self.assertRaises(lapidary.UsageError):
            lapidary.Session("sample:mlp", intra=-1)
        with self.assertRaisesRegex(TypeError, "did you mean 'intra'"):
            lapidary.Session("sample:mlp", intr=1)


if __name__ == "__main__":
    package.main()
