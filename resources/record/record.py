# SPDX-License-Identifier: Apache-2.0
"""Records what a program computes inside, for Lapidary to hold an export against.

Copy this file beside your program. With PyTorch:

    import record
    with record.Recorder(model, "run.npz"):
        model(x)

Then `lapidary-cli check model.onnx --recorded run.npz` runs the export on the same inputs and names the first module
whose output differs. Export and record the model in the same state: call model.eval() first.

With any other framework, note values yourself, in the order in which they come to be:

    recording = record.Recording("run.npz")
    recording.input("x", x)
    recording.module("encoder.layer_0", y)      # the scope that the nodes of the export are named by
    recording.output("logits", logits)
    recording.save()

What the file holds: a NumPy archive with the array "index", which is JSON in bytes, and the arrays that it names.
Inputs and outputs of the model are whole. Of a tensor inside with more than `most_elements` elements, every n-th
element in the order of memory is kept, and the index says n ("stride"). Once inner values take `most_bytes`, further
ones are left out, and the index says so. Needs NumPy, and for Recorder PyTorch.
"""
import inspect
import json
import os
import sys

import numpy as np

VERSION = 1


def as_array(value):
    """The value as an array of its own and the name of its type; None where it is no tensor."""
    name = None
    if hasattr(value, "detach"):  # a tensor of PyTorch
        value = value.detach().cpu()
        name = str(value.dtype).replace("torch.", "")
        if value.is_sparse or value.is_quantized:
            value = value.to_dense() if value.is_sparse else value.dequantize()
        if name == "bfloat16" or name.startswith("float8"):  # which NumPy lacks
            value = value.float()
        value = value.numpy()
    elif not isinstance(value, (np.ndarray, np.generic, bool, int, float)):
        if not hasattr(value, "__array__"):
            return None, None
        name = str(getattr(value, "dtype", "")) or None
    array = np.array(value)
    if array.dtype.kind not in "biufc":
        if name != "bfloat16":
            return None, None
        array = array.astype(np.float32)
    return array, name if name else str(array.dtype)


def tensors_of(value, name=""):
    """(name, tensor) of a tensor, or of those in tuples, lists, dicts and objects with fields."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from tensors_of(item, f"{name}.{key}" if name else str(key))
    elif isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            yield from tensors_of(item, f"{name}.{i}" if name else str(i))
    elif value is not None:
        yield name, value


class Recording:
    """Values of one run by name, written by save()."""

    def __init__(self, file, most_elements=65536, most_bytes=1 << 30):
        self.file, self.most_elements, self.most_bytes = file, most_elements, most_bytes
        self.inner_bytes, self.arrays, self.calls = 0, {}, {}
        self.index = {"format": "lapidary recording", "version": VERSION, "framework": "", "model": "",
                      "inputs": [], "outputs": [], "modules": []}

    def input(self, name, value):
        self.index["inputs"] += [self._entry(n, v, True) for n, v in tensors_of(value, name)]

    def output(self, name, value):
        self.index["outputs"] += [self._entry(n, v, True) for n, v in tensors_of(value, name)]

    def module(self, path, value, class_name="", line=""):
        call = self.calls[path] = self.calls.get(path, -1) + 1
        self.index["modules"].append({
            "path": path, "class": class_name, "call": call, "line": line,
            "outputs": [self._entry(n, v, False) for n, v in tensors_of(value)]})

    def _entry(self, name, value, is_whole):
        array, dtype = as_array(value)
        if array is None:
            return {"name": name, "left_out": f"it is a {type(value).__name__}, not a tensor of numbers"}
        entry = {"name": name, "shape": list(array.shape), "dtype": dtype, "stride": 1}
        if not is_whole:
            entry["stride"] = max(1, -(-array.size // self.most_elements))
            if entry["stride"] > 1:
                array = array.reshape(-1)[::entry["stride"]].copy()
            if self.inner_bytes + array.nbytes > self.most_bytes:
                return {**entry, "left_out": f"the values before take {self.inner_bytes} bytes, the limit"}
            self.inner_bytes += array.nbytes
        entry["array"] = f"a{len(self.arrays)}"
        self.arrays[entry["array"]] = array
        return entry

    def save(self):
        text = json.dumps(self.index).encode()
        np.savez(self.file, index=np.frombuffer(text, np.uint8), **self.arrays)


def calling_line(frame):
    """file:line of the innermost frame that is neither of PyTorch nor of this file."""
    others = (os.path.abspath(__file__), os.path.dirname(os.path.abspath(sys.modules["torch"].__file__)) + os.sep)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith("<") and not os.path.abspath(file).startswith(others):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def class_name_of(module):
    return f"{type(module).__module__}.{type(module).__qualname__}"


class Recorder:
    """Records the first call of a PyTorch module while it is entered; writes the file at its end."""

    def __init__(self, model, file, most_elements=65536, most_bytes=1 << 30):
        self.model, self.recording = model, Recording(file, most_elements, most_bytes)
        self.hooks, self.is_inside, self.is_done = [], False, False

    def __enter__(self):
        import torch
        self.recording.index["framework"] = f"torch {torch.__version__}"
        self.recording.index["model"] = class_name_of(self.model)
        self.hooks.append(self.model.register_forward_pre_hook(self._begin, with_kwargs=True))
        for path, module in self.model.named_modules():
            if module is not self.model:
                self.hooks.append(module.register_forward_hook(self._inner(path)))
        self.hooks.append(self.model.register_forward_hook(self._end))
        return self

    def __exit__(self, kind, error, trace):
        for hook in self.hooks:
            hook.remove()
        if kind is not None:
            return
        if not self.is_done:
            raise RuntimeError("record: the model was not called, so there is nothing to write; torch.compile and "
                               "TorchScript hide calls, record the plain model")
        self.recording.save()

    def _begin(self, model, args, kwargs):
        if self.is_done or self.is_inside:
            return
        self.is_inside = True
        try:
            given = inspect.signature(model.forward).bind(*args, **kwargs).arguments
        except (TypeError, ValueError):
            given = {**{f"input_{i}": value for i, value in enumerate(args)}, **kwargs}
        for name, value in given.items():
            kind = getattr(inspect.signature(model.forward).parameters.get(name), "kind", None)
            if kind is inspect.Parameter.VAR_KEYWORD:
                for key, item in value.items():
                    self.recording.input(key, item)
            else:
                self.recording.input(name, value)

    def _inner(self, path):
        def record_output(module, args, output):
            if self.is_inside:
                self.recording.module(path, output, class_name_of(module), calling_line(sys._getframe(1)))
        return record_output

    def _end(self, model, args, output):
        if not self.is_inside:
            return
        self.is_inside, self.is_done = False, True
        if hasattr(output, "to_tuple") and not isinstance(output, dict):
            output = output.to_tuple()
        self.recording.output("", output)
