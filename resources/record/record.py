# SPDX-License-Identifier: Apache-2.0
"""Records what a program computes inside, for Lapidary to hold an export against.

Copy this file beside your program. With a model of PyTorch, TensorFlow, Keras or Flax:

    import record
    with record.Recorder(model, "run.npz"):
        model(x)                                # of Flax: model.apply(variables, x)

Then `lapidary-cli diverge model.onnx --recorded run.npz` runs the export on the same inputs and names the first module
or layer whose output differs. Export and record the model in the same state: call model.eval() first. Call the model
itself: a compiled function (torch.compile, tf.function, Keras' predict(), jax.jit) hides its layers.

Of a program of functions, in plain JAX or TensorFlow, wrap the model and the functions that matter:

    net.attention = record.call("layer_0/attention", net.attention)
    model = record.call("", functools.partial(net.model, parameters))
    with record.Recorder(model, "run.npz"):
        model(x)                                # what is given here are the inputs of the export

Functions of jax.jit and tf.function then run uncompiled; what jax.grad or jax.vmap traces has no values.

With any other framework, note values yourself, in the order in which they come to be:

    recording = record.Recording("run.npz")
    recording.input("x", x)
    recording.module("encoder.layer_0", y)      # the scope that the nodes of the export are named by
    recording.output("logits", logits)
    recording.save()

What the file holds: a NumPy archive with the array "index", which is JSON in bytes, and the arrays that it names.
Inputs and outputs of the model are whole. Of a tensor inside with more than `most_elements` elements, every n-th
element in the order of memory is kept, and the index says n ("stride"). Once inner values take `most_bytes`, further
ones are left out, and the index says so. Needs NumPy, and for Recorder the framework.
"""
import contextlib
import functools
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
        dtype = getattr(value, "dtype", "")
        name = str(getattr(dtype, "name", dtype)) or None
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
        try:
            array, dtype = as_array(value)
        except (TypeError, NotImplementedError):  # of JAX and TensorFlow, for a value without elements
            return {"name": name, "left_out": "it was traced, not computed"}
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


def calling_line(frame, packages):
    """file:line of the innermost frame that is neither of these packages nor of this file."""
    others = [os.path.abspath(__file__)]
    for package in packages:
        if getattr(sys.modules.get(package), "__file__", None):
            others.append(os.path.dirname(os.path.abspath(sys.modules[package].__file__)) + os.sep)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith("<") and not os.path.abspath(file).startswith(tuple(others)):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def class_name_of(module):
    return f"{type(module).__module__}.{type(module).__qualname__}"


def arguments_of(function, args, kwargs):
    """(name, value) of what a call gives; keyword arguments of any name by that name."""
    try:
        signature = inspect.signature(function)
        given = signature.bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        yield from ((f"input_{i}", value) for i, value in enumerate(args))
        yield from kwargs.items()
        return
    for name, value in given.items():
        if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            yield from value.items()
        else:
            yield name, value


def Recorder(model, file, most_elements=65536, most_bytes=1 << 30):
    """Records the first call of the model while it is entered; writes the file at its end."""
    bases = {base.__module__.split(".")[0] for base in type(model).__mro__}
    # Over PyTorch, a model of Keras is a module of PyTorch, too.
    kind = (KerasRecorder if bases & {"keras", "tf_keras", "tensorflow"} and hasattr(model, "layers")
            else TorchRecorder if hasattr(model, "register_forward_hook")
            else FlaxRecorder if "flax" in bases and hasattr(model, "apply")
            else FunctionRecorder if hasattr(model, "recorded_as") else None)
    if kind is None:
        raise TypeError(f"record: {class_name_of(model)} is no module of PyTorch, model of Keras or module of Flax "
                        "(linen); of a function, give what record.call(\"\", function) returns, or note values by "
                        "record.Recording")
    return kind(model, file, most_elements, most_bytes)


class FrameworkRecorder:
    """What recorders of all frameworks do."""
    frameworks = ()  # packages, of which the first that is loaded is named

    def __init__(self, model, file, most_elements, most_bytes):
        self.model, self.recording = model, Recording(file, most_elements, most_bytes)
        self.is_inside, self.is_done = False, False

    def __enter__(self):
        package = next((name for name in self.frameworks if name in sys.modules), "")
        version = getattr(sys.modules.get(package), "__version__", "")
        self.recording.index["framework"] = f"{package} {version}".strip()
        self.recording.index["model"] = class_name_of(self.model)
        self.hook()
        return self

    def __exit__(self, kind, error, trace):
        self.unhook()
        if kind is not None:
            return
        if not self.is_done:
            raise RuntimeError("record: the model was not called, so there is nothing to write; torch.compile, "
                               "TorchScript, tf.function and predict() hide calls, record the plain model")
        self.recording.save()

    def begin(self, arguments):
        """The call of the model begins. False where it was recorded before, or calls itself."""
        if self.is_done or self.is_inside:
            return False
        self.is_inside = True
        for name, value in arguments:
            self.recording.input(name, value)
        return True

    def inner(self, path, module, output, frame):
        if self.is_inside:
            self.recording.module(path, output, class_name_of(module), calling_line(frame, self.frameworks))

    def end(self, output):
        self.is_inside, self.is_done = False, True
        if hasattr(output, "to_tuple") and not isinstance(output, dict):
            output = output.to_tuple()
        self.recording.output("", output)


class TorchRecorder(FrameworkRecorder):
    """Hooks the modules of a module of PyTorch."""
    frameworks = ("torch",)

    def hook(self):
        self.hooks = [self.model.register_forward_pre_hook(self._begin, with_kwargs=True)]
        for path, module in self.model.named_modules():
            if module is not self.model:
                self.hooks.append(module.register_forward_hook(self._inner(path)))
        self.hooks.append(self.model.register_forward_hook(self._end))

    def unhook(self):
        for hook in self.hooks:
            hook.remove()

    def _begin(self, model, args, kwargs):
        self.begin(arguments_of(model.forward, args, kwargs))

    def _inner(self, path):
        return lambda module, args, output: self.inner(path, module, output, sys._getframe(1))

    def _end(self, model, args, output):
        if self.is_inside:
            self.end(output)


class KerasRecorder(FrameworkRecorder):
    """Puts a function around call() of each layer of a model of Keras, of any backend."""
    frameworks = ("keras", "tf_keras", "tensorflow", "torch", "jax")

    def hook(self):
        self.hooked = [self.model]
        object.__setattr__(self.model, "call", self._model_call(self.model.call))
        self._hook_layers(self.model, "")

    def _hook_layers(self, model, scope):
        for layer in getattr(model, "layers", None) or getattr(model, "_layers", []):
            if any(layer is known for known in self.hooked):
                continue
            path = f"{scope}/{layer.name}" if scope else layer.name
            self.hooked.append(layer)
            object.__setattr__(layer, "call", self._layer_call(path, layer, layer.call))
            self._hook_layers(layer, path)

    def unhook(self):
        for layer in self.hooked:
            object.__delattr__(layer, "call")

    def _input_names(self):
        try:
            return list(self.model.input_names)
        except AttributeError:
            try:
                return [tensor.name for tensor in self.model.inputs]
            except (AttributeError, TypeError):
                return []

    def _model_call(self, call):
        @functools.wraps(call)
        def recorded(*args, **kwargs):
            tensors = list(tensors_of(args[0] if args else next(iter(kwargs.values()), None), ""))
            names = self._input_names()
            if len(names) == len(tensors):
                tensors = [(name, tensor) for name, (_, tensor) in zip(names, tensors)]
            is_first = self.begin((name or "input_0", tensor) for name, tensor in tensors)
            output = call(*args, **kwargs)
            if is_first:
                self.end(output)
            return output
        return recorded

    def _layer_call(self, path, layer, call):
        @functools.wraps(call)
        def recorded(*args, **kwargs):
            output = call(*args, **kwargs)
            self.inner(path, layer, output, sys._getframe(1))
            return output
        return recorded


class FlaxRecorder(FrameworkRecorder):
    """Sees the calls of a module of Flax (linen) and of the modules in it."""
    frameworks = ("flax", "jax")

    def hook(self):
        import flax.linen
        import jax
        self.contexts = contextlib.ExitStack()
        self.contexts.enter_context(jax.disable_jit())
        self.contexts.enter_context(flax.linen.intercept_methods(self._call))

    def unhook(self):
        self.contexts.close()

    def _call(self, method, args, kwargs, context):
        if context.method_name != "__call__":
            return method(*args, **kwargs)
        path, module = "/".join(context.module.path), context.module
        is_first = not path and self.begin(
            (name, value) for name, value in arguments_of(type(module).__call__, (module, *args), kwargs)
            if value is not module)
        output = method(*args, **kwargs)
        if path:
            self.inner(path, module, output, sys._getframe(1))
        elif is_first:
            self.end(output)
        return output


class FunctionRecorder(FrameworkRecorder):
    """Sees the calls of functions that call() wrapped; the model is one of them."""
    frameworks = ("jax", "tensorflow", "torch", "numpy")
    entered = None  # the recorder that is

    def hook(self):
        self.recording.index["model"] = self.model.recorded_as
        self.contexts = contextlib.ExitStack()
        if "jax" in sys.modules:
            self.contexts.enter_context(sys.modules["jax"].disable_jit())
        if "tensorflow" in sys.modules:
            config = sys.modules["tensorflow"].config
            self.contexts.callback(config.run_functions_eagerly, config.functions_run_eagerly())
            config.run_functions_eagerly(True)
        FunctionRecorder.entered = self

    def unhook(self):
        FunctionRecorder.entered = None
        self.contexts.close()


def call(path, function):
    """Does what `function` does. While a Recorder is entered, what it returns is noted under the path; of the model
    that the Recorder was given, what it takes and returns are the inputs and outputs."""
    named = function
    while isinstance(named, functools.partial):
        named = named.func
    name = f"{getattr(named, '__module__', '')}.{getattr(named, '__qualname__', type(named).__qualname__)}"

    def recorded(*args, **kwargs):
        recorder = FunctionRecorder.entered
        if recorder is None:
            return function(*args, **kwargs)
        is_model = recorder.model is recorded
        is_first = is_model and recorder.begin(arguments_of(function, args, kwargs))
        output = function(*args, **kwargs)
        if is_first:
            recorder.end(output)
        elif recorder.is_inside and not is_model:
            line = calling_line(sys._getframe(1), recorder.frameworks)
            recorder.recording.module(path, output, name, line)
        return output

    functools.update_wrapper(recorded, named)
    recorded.recorded_as = name
    return recorded
