# SPDX-License-Identifier: Apache-2.0
"""What edit scripts make of models computes in ONNX Runtime what numpy says it should.

    edit_tasks.py LAPIDARY_CLI [--only NAME]
    edit_tasks.py --write

Tasks that people ask editors of graphs for: each builds a small model, has `lapidary-cli edit` apply a script,
checks the file by the onnx package and compares its outputs in ONNX Runtime with a numpy reference. Where
onnx-graphsurgeon is installed, tasks are done with it too and compared; WITHOUT_SURGEON says of the others why not.
Exit code 77 when the Python packages are not installed: skipped.

tests/fixtures/edits/tasks.json has the models and scripts for the test of the window (edited_bytes_test.cpp). --write
writes it; a file that differs from the tasks is a failure.
"""
import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import numpy_helper, parser
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)
try:
    import onnx_graphsurgeon as surgeon
except ImportError:
    surgeon = None

ort.set_default_logger_severity(4)
TASKS = {}
FIXTURE = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "edits" / "tasks.json"


def numbers(seed, *shape):
    """Numbers of both signs that are exact in 16 bits, the same with every release of numpy."""
    count = int(np.prod(shape))
    return (((np.arange(count) * 37 + seed * 11) % 29 - 14) / 8).astype(np.float32).reshape(shape)


W34, W43, W33, B4 = numbers(1, 3, 4), numbers(2, 4, 3), numbers(3, 3, 3), numbers(4, 4)
X23, IMAGE = numbers(5, 2, 3), numbers(6, 1, 3, 4, 4)


def built(signature, body, opset=17, **weights):
    """A model from the text form of the onnx package; weights are added as initializers."""
    text = f'<ir_version: 8, opset_import: ["" : {opset}]> g {signature} {{ {body} }}'
    model = parser.parse_model(text)
    for name, value in weights.items():
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    for index, node in enumerate(model.graph.node):
        node.name = node.name or f"{node.op_type}_{index}"
    return model


def relu(x):
    return np.maximum(x, 0)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def task(function):
    """Registers a task: a function of a folder that returns model, script, inputs and expected outputs by name."""
    TASKS[function.__name__] = function
    return function


@task
def delete_dropout(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "a = Relu(x) b = Dropout(a) y = Neg(b)")
    return model, "delete op:Dropout", {"x": X23}, {"y": -relu(X23)}


@task
def cut_a_head(_):
    model = built("(float[2,3] x) => (float[2,3] y, float[2,3] z)", "a = Relu(x) y = Neg(a) z = Exp(a)")
    return model, "remove output z", {"x": X23}, {"y": -relu(X23)}


@task
def keep_one_output(_):
    model = built("(float[2,3] x) => (float[2,3] y, float[2,3] z)", "a = Relu(x) y = Neg(a) z = Exp(a)")
    return model, "keep outputs z", {"x": X23}, {"z": np.exp(relu(X23))}


@task
def expose_an_inner_value(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "a = Relu(x) y = Neg(a)")
    return model, "output a", {"x": X23}, {"y": -relu(X23), "a": relu(X23)}


@task
def insert_a_cast(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "a = Relu(x) y = Neg(a)")
    rounded = relu(X23).astype(np.float16).astype(np.float32)
    return model, "insert Cast(to=float16) on a\ninsert Cast(to=float) before Neg_1", {"x": X23}, {"y": -rounded}


@task
def change_a_resize_mode(_):
    model = built("(float[1,1,2,2] x) => (float[1,1,4,4] y)",
                  'y = Resize <mode = "nearest", coordinate_transformation_mode = "half_pixel"> (x, , s)',
                  s=np.array([1, 1, 2, 2], np.float32))
    x = np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2)
    script = "set Resize_0.coordinate_transformation_mode = asymmetric\nset Resize_0.nearest_mode = floor"
    return model, script, {"x": x}, {"y": x.repeat(2, 2).repeat(2, 3)}


@task
def change_an_attribute(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "y = LeakyRelu <alpha = 0.1> (x)")
    return model, "set LeakyRelu_0.alpha = 0.5", {"x": X23}, {"y": np.where(X23 < 0, X23 / 2, X23)}


@task
def replace_an_operator(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "a = Relu(x) y = Neg(a)")
    return model, "replace op:Relu with Abs", {"x": X23}, {"y": -np.abs(X23)}


@task
def rename_all_inputs(_):
    model = built("(float[2,3] in_a, float[2,3] in_b) => (float[2,3] y)", "y = Sub(in_a, in_b)")
    return model, "rename input in_* -> first_*", {"first_a": X23, "first_b": X23 * 2}, {"y": -X23}


@task
def rename_an_output(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "y = Relu(x)")
    return model, "rename output y -> logits", {"x": X23}, {"logits": relu(X23)}


@task
def fix_a_dimension(_):
    model = built("(float[n,3] x) => (float[n,3] y)", "y = Relu(x)")
    return model, "dim n = 2", {"x": X23}, {"y": relu(X23)}


@task
def convert_the_opset(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "y = Softmax <axis = 1> (x)", opset=11)
    return model, "opset 18", {"x": X23}, {"y": softmax(X23)}


@task
def change_an_input_type(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "y = Relu(x)")
    x = np.concatenate([X23, X23])
    script = "type input x = float[batch,3]\ntype output y = float[batch,3]"
    return model, script, {"x": x}, {"y": relu(x)}


@task
def make_an_input_constant(_):
    model = built("(float[2,3] x, float s) => (float[2,3] y)", "y = Mul(x, s)")
    return model, "constant s = 2.5", {"x": X23}, {"y": X23 * np.float32(2.5)}


@task
def make_an_input_constant_from_a_file(folder):
    model = built("(float[2,3] x, float[3] s) => (float[2,3] y)", "y = Mul(x, s)")
    np.save(folder / "s.npy", B4[:3])
    return model, "constant s = s.npy", {"x": X23}, {"y": X23 * B4[:3]}


@task
def make_a_constant_an_input(_):
    model = built("(float[2,3] x) => (float[2,4] y)", "y = MatMul(x, w)", w=W34)
    return model, "input w bare", {"x": X23, "w": W34 * 2}, {"y": X23 @ (W34 * 2)}


@task
def reorder_inputs(_):
    model = built("(float[2,3] a, float[2,3] b) => (float[2,3] y)", "y = Sub(a, b)")
    return model, "order inputs b, a", {"b": X23, "a": X23 * 3}, {"y": X23 * 3 - X23}


@task
def replace_a_weight(folder):
    model = built("(float[2,3] x) => (float[2,4] y)", "y = MatMul(x, w)", w=W34)
    np.save(folder / "w.npy", W34 + 1)
    return model, "weight w = w.npy", {"x": X23}, {"y": X23 @ (W34 + 1)}


@task
def transpose_weights(_):
    model = built("(float[2,3] x) => (float[2,4] y)", "y = Gemm <transB = 1> (x, w, b)", w=W43, b=B4)
    return model, "weight w transpose 1, 0", {"x": X23}, {"y": X23 @ W43.T + B4}


@task
def store_a_weight_in_half_precision(_):
    model = built("(float[2,3] x) => (float[2,4] y)", "y = MatMul(x, w)", w=W34)
    return model, "weight w cast float16", {"x": X23}, {"y": X23 @ W34.astype(np.float16).astype(np.float32)}


@task
def doubles_to_floats(_):
    model = built("(double[2,3] x) => (double[2,4] y)", "a = MatMul(x, w) y = Relu(a)", w=W34.astype(np.float64))
    return model, "cast model float64 -> float32", {"x": X23}, {"y": relu(X23 @ W34)}


@task
def free_a_baked_batch(_):
    model = built("(float[1,2,3] x) => (float[1,6] y)", "a = Reshape(x, t) y = Relu(a)", t=np.array([1, 6], np.int64))
    x = np.concatenate([X23[None], X23[None] * 2, -X23[None]])
    return model, "free x[0] as batch", {"x": x}, {"y": relu(x.reshape(3, 6))}


@task
def split_a_gemm(_):
    model = built("(float[2,3] x) => (float[2,4] y)", "y = Gemm <alpha = 0.5, transB = 1> (x, w, b)", w=W43, b=B4)
    return model, "split gemm Gemm_0", {"x": X23}, {"y": X23 @ W43.T * np.float32(0.5) + B4}


@task
def hard_swish_by_its_parts(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "y = HardSwish(x)")
    gate = np.clip(X23 / 6 + 0.5, 0, 1).astype(np.float32)
    return model, "expand op:HardSwish\nexpand op:HardSigmoid", {"x": X23}, {"y": X23 * gate}


@task
def resolve_an_if(_):
    model = built("(float[2,3] x, bool c) => (float[2,3] y)",
                  "y = If(c) <then_branch = t () => (float[2,3] p) { p = Relu(x) }, "
                  "else_branch = e () => (float[2,3] q) { q = Neg(x) }>")
    return model, "resolve If_0 else\nremove input c", {"x": X23}, {"y": -X23}


@task
def join_two_models(folder):
    second = built("(float[2,4] codes) => (float[2,3] z)", "z = MatMul(codes, w)", opset=13, w=W43)
    onnx.save(second, folder / "decoder.onnx")
    model = built("(float[2,3] x) => (float[2,4] y)", "y = MatMul(x, w)", w=W34)
    return model, "join decoder.onnx with y -> codes", {"x": X23}, {"z": X23 @ W34 @ W43}


@task
def split_for_two_devices(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "a = MatMul(x, w) b = Relu(a) y = Exp(b)", w=W33)
    return model, "split at b into first.onnx and second.onnx", {"x": X23}, {"b": relu(X23 @ W33)}


@task
def bytes_normalized_inside(_):
    model = built("(float[1,3,4,4] x) => (float[1,3,4,4] y)", "y = Relu(x)")
    x = np.arange(48, dtype=np.uint8).reshape(1, 3, 4, 4)
    mean = np.array([10, 20, 30], np.float32).reshape(3, 1, 1)
    scale = np.array([2, 4, 8], np.float32).reshape(3, 1, 1)
    return model, "wrap x normalize [10,20,30] [2,4,8]", {"x": x}, {"y": relu((x - mean) / scale)}


@task
def channels_last(_):
    model = built("(float[1,3,4,4] x) => (float[1,3,4,4] y)", "y = Relu(x)")
    return model, "wrap x nhwc", {"x": IMAGE.transpose(0, 2, 3, 1)}, {"y": relu(IMAGE)}


@task
def the_best_classes(_):
    model = built("(float[2,3] x) => (float[2,3] y)", "y = Neg(x)")
    order = np.argsort(X23, axis=1, kind="stable")[:, :2]
    return (model, "wrap y softmax\nwrap y topk 2", {"x": X23},
            {"y": np.take_along_axis(softmax(-X23), order, 1), "y_indices": order})


@task
def boxes_selected(_):
    model = built("(float[1,3,4] b, float[1,1,3] s) => (float[1,3,4] boxes, float[1,1,3] scores)",
                  "boxes = Identity(b) scores = Identity(s)")
    b = np.array([[[0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3]]], np.float32)
    s = np.array([[[0.5, 0.9, 0.3]]], np.float32)
    return (model, "wrap boxes scores nms count 5 overlap 0.5", {"b": b, "s": s},
            {"boxes": b, "scores": s, "selected_indices": np.array([[0, 0, 1], [0, 0, 2]])})


def outputs_in_onnxruntime(path, inputs):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    found = {i.name for i in session.get_inputs()}
    if found != set(inputs):
        raise ValueError(f"inputs are {sorted(found)}, expected {sorted(inputs)}")
    return dict(zip(names, session.run(None, inputs)))


def difference(found, expected):
    """How outputs differ, or None."""
    if set(found) != set(expected):
        return f"outputs are {sorted(found)}, expected {sorted(expected)}"
    for name, value in expected.items():
        if found[name].shape != value.shape:
            return f"{name} is {found[name].shape}, expected {value.shape}"
        if not np.allclose(found[name], value, rtol=1e-4, atol=1e-5):
            return f"{name} differs by {np.abs(found[name] - value).max()}"
    return None


def surgeon_constant(name, values):
    return surgeon.Constant(name, np.ascontiguousarray(values))


def surgeon_insert(graph, tensor, op, attrs=None, dtype=None, more=()):
    """A node on a tensor that all its readers, and the output that it is, read instead."""
    made = surgeon.Variable(tensor.name + "_" + op, dtype or tensor.dtype, tensor.shape)
    readers = list(tensor.outputs)
    graph.nodes.append(surgeon.Node(op, attrs=attrs or {}, inputs=[tensor, *more], outputs=[made]))
    for reader in readers:
        reader.inputs = [made if i is tensor else i for i in reader.inputs]
    if any(o is tensor for o in graph.outputs):
        graph.outputs = [made if o is tensor else o for o in graph.outputs]
        tensor.name, made.name = tensor.name + "_before", tensor.name
    return made


def surgeon_before(graph, tensor, op, attrs=None, dtype=np.float32, shape=None, more=()):
    """A node between an input of the model and its readers; the input is of another type."""
    inner = surgeon.Variable(tensor.name + "_inner", tensor.dtype, tensor.shape)
    for reader in list(tensor.outputs):
        reader.inputs = [inner if i is tensor else i for i in reader.inputs]
    tensor.dtype, tensor.shape = dtype, shape or tensor.shape
    graph.nodes.append(surgeon.Node(op, attrs=attrs or {}, inputs=[tensor, *more], outputs=[inner]))


def surgeon_replace(graph, node, body):
    """What body(inputs, output) appends in place of a node."""
    output, inputs = node.outputs[0], list(node.inputs)
    node.outputs, node.inputs = [], []
    graph.nodes.remove(node)
    body(inputs, output)


def add_node(graph, op, inputs, output=None, attrs=None):
    made = output if output is not None else surgeon.Variable(f"{op}_made_{len(graph.nodes)}")
    graph.nodes.append(surgeon.Node(op, attrs=attrs or {}, inputs=inputs, outputs=[made]))
    return made


def surgeon_gemm(graph):
    def body(inputs, output):
        x, w, b = inputs
        w.values = np.ascontiguousarray(w.values.T)
        product = add_node(graph, "MatMul", [x, w])
        scaled = add_node(graph, "Mul", [product, surgeon_constant("alpha", np.float32(0.5))])
        add_node(graph, "Add", [scaled, b], output)
    surgeon_replace(graph, graph.nodes[0], body)


def surgeon_hard_swish(graph):
    def body(inputs, output):
        scaled = add_node(graph, "Mul", [inputs[0], surgeon_constant("sixth", np.float32(1 / 6))])
        moved = add_node(graph, "Add", [scaled, surgeon_constant("half", np.float32(0.5))])
        zero, one = (surgeon_constant(n, np.float32(v)) for n, v in (("zero", 0), ("one", 1)))
        gate = add_node(graph, "Clip", [moved, zero, one])
        add_node(graph, "Mul", [inputs[0], gate], output)
    surgeon_replace(graph, graph.nodes[0], body)


def surgeon_if(graph):
    branch = graph.nodes[0].attrs["else_branch"]
    output = graph.nodes[0].outputs[0]
    graph.nodes[0].outputs, graph.nodes[0].inputs = [], []
    graph.nodes.clear()
    for node in branch.nodes:
        outer = [graph.inputs[0] if i.name == "x" else i for i in node.inputs]
        add_node(graph, node.op, outer, output)
    graph.inputs = graph.inputs[:1]


def surgeon_float(graph):
    for tensor in graph.tensors().values():
        if isinstance(tensor, surgeon.Constant):
            tensor.values = tensor.values.astype(np.float32)
        else:
            tensor.dtype = np.float32


def surgeon_best(graph):
    shares = surgeon_insert(graph, graph.outputs[0], "Softmax", {"axis": -1})
    name, shares.name = shares.name, "shares"
    values = surgeon.Variable(name, np.float32, (2, 2))
    indices = surgeon.Variable(name + "_indices", np.int64, (2, 2))
    graph.nodes.append(surgeon.Node("TopK", inputs=[shares, surgeon_constant("k", np.array([2], np.int64))],
                                    outputs=[values, indices]))
    graph.outputs = [values, indices]


def surgeon_boxes(graph):
    limits = [surgeon_constant(name, np.array([value], dtype))
              for name, value, dtype in (("count", 5, np.int64), ("overlap", 0.5, np.float32))]
    selected = surgeon.Variable("selected_indices", np.int64, ("n", 3))
    graph.nodes.append(surgeon.Node("NonMaxSuppression", inputs=[*graph.outputs, *limits], outputs=[selected]))
    graph.outputs.append(selected)


def surgeon_join(graph, folder):
    second = surgeon.import_onnx(onnx.load(str(folder / "decoder.onnx")))
    for node in second.nodes:
        node.name = "second_" + node.name
        node.inputs = [graph.outputs[0] if i.name == "codes" else i for i in node.inputs]
        for tensor in node.inputs:
            if isinstance(tensor, surgeon.Constant):
                tensor.name = "second_" + tensor.name
    graph.nodes += second.nodes
    graph.outputs = second.outputs


def surgeon_normalized(graph):
    x = graph.inputs[0]
    shape = (1, 3, 1, 1)
    mean = surgeon_constant("mean", np.array([10, 20, 30], np.float32).reshape(shape))
    scale = surgeon_constant("scale", np.array([2, 4, 8], np.float32).reshape(shape))
    surgeon_before(graph, x, "Cast", {"to": 1}, np.uint8)
    inner = graph.nodes[-1].outputs[0]
    surgeon_insert(graph, surgeon_insert(graph, inner, "Sub", more=[mean]), "Div", more=[scale])


def surgeon_channels(graph):
    surgeon_before(graph, graph.inputs[0], "Transpose", {"perm": [0, 3, 1, 2]}, shape=(1, 4, 4, 3))


def surgeon_casts(graph):
    a = surgeon_insert(graph, graph.nodes[0].outputs[0], "Cast", {"to": 10}, np.float16)
    surgeon_insert(graph, a, "Cast", {"to": 1}, np.float32)


def surgeon_half(graph):
    weight = graph.nodes[0].inputs[1]
    half = surgeon_constant("half", weight.values.astype(np.float16))
    graph.nodes[0].inputs[1] = add_node(graph, "Cast", [half], attrs={"to": 1})


def surgeon_batch(graph):
    graph.nodes[0].inputs[1].values = np.array([0, -1], np.int64)
    graph.inputs[0].shape, graph.outputs[0].shape = ("batch", 2, 3), ("batch", 6)


def surgeon_types(graph):
    graph.inputs[0].shape = graph.outputs[0].shape = ("batch", 3)


def surgeon_transposed(graph):
    node = graph.nodes[0]
    node.inputs[1].values = np.ascontiguousarray(node.inputs[1].values.T)
    node.attrs["transB"] = 0


def surgeon_weight(graph, folder):
    graph.nodes[0].inputs[1].values = np.load(folder / "w.npy")


def surgeon_input_constant(graph, values):
    graph.inputs[1].to_constant(values)
    graph.inputs.pop()


def surgeon_constant_input(graph):
    graph.nodes[0].inputs[1] = surgeon.Variable("w", np.float32, (3, 4))
    graph.inputs.append(graph.nodes[0].inputs[1])


def surgeon_renamed(graph):
    for tensor in graph.inputs:
        tensor.name = tensor.name.replace("in_", "first_")


def surgeon_split(graph):
    graph.outputs = [graph.tensors()["b"].to_variable(np.float32, (2, 3))]


SURGEON = {
    "delete_dropout": lambda g, _: g.nodes[2].inputs.__setitem__(0, g.nodes[0].outputs[0]),
    "cut_a_head": lambda g, _: g.outputs.pop(),
    "keep_one_output": lambda g, _: g.outputs.pop(0),
    "expose_an_inner_value": lambda g, _: g.outputs.append(g.tensors()["a"].to_variable(np.float32, (2, 3))),
    "insert_a_cast": lambda g, _: surgeon_casts(g),
    "change_a_resize_mode": lambda g, _: g.nodes[0].attrs.update(
        coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    "change_an_attribute": lambda g, _: g.nodes[0].attrs.update(alpha=0.5),
    "replace_an_operator": lambda g, _: setattr(g.nodes[0], "op", "Abs"),
    "rename_all_inputs": lambda g, _: surgeon_renamed(g),
    "rename_an_output": lambda g, _: setattr(g.outputs[0], "name", "logits"),
    "fix_a_dimension": lambda g, _: setattr(g.inputs[0], "shape", (2, 3)),
    "change_an_input_type": lambda g, _: surgeon_types(g),
    "make_an_input_constant": lambda g, _: surgeon_input_constant(g, np.float32(2.5)),
    "make_an_input_constant_from_a_file": lambda g, f: surgeon_input_constant(g, np.load(f / "s.npy")),
    "make_a_constant_an_input": lambda g, _: surgeon_constant_input(g),
    "reorder_inputs": lambda g, _: g.inputs.reverse(),
    "replace_a_weight": surgeon_weight,
    "transpose_weights": lambda g, _: surgeon_transposed(g),
    "store_a_weight_in_half_precision": lambda g, _: surgeon_half(g),
    "doubles_to_floats": lambda g, _: surgeon_float(g),
    "free_a_baked_batch": lambda g, _: surgeon_batch(g),
    "split_a_gemm": lambda g, _: surgeon_gemm(g),
    "hard_swish_by_its_parts": lambda g, _: surgeon_hard_swish(g),
    "resolve_an_if": lambda g, _: surgeon_if(g),
    "join_two_models": surgeon_join,
    "split_for_two_devices": lambda g, _: surgeon_split(g),
    "bytes_normalized_inside": lambda g, _: surgeon_normalized(g),
    "channels_last": lambda g, _: surgeon_channels(g),
    "the_best_classes": lambda g, _: surgeon_best(g),
    "boxes_selected": lambda g, _: surgeon_boxes(g),
}
# Done by a numpy reference alone.
WITHOUT_SURGEON = {"convert_the_opset": "it writes another opset number, but converts no node"}


def surgeon_problem(name, model, path, inputs):
    """How the result differs from that of onnx-graphsurgeon; None: it does not, or that cannot do the task."""
    if surgeon is None or name in WITHOUT_SURGEON:
        return None
    graph = surgeon.import_onnx(model)
    SURGEON[name](graph, path.parent)
    other = path.with_name("surgeon.onnx")
    onnx.save(surgeon.export_onnx(graph.cleanup().toposort()), other)
    problem = difference(outputs_in_onnxruntime(path, inputs), outputs_in_onnxruntime(other, inputs))
    return f"unlike onnx-graphsurgeon: {problem}" if problem else None


def problem_of(cli, name, folder):
    model, script, inputs, expected = TASKS[name](folder)
    onnx.save(model, folder / "model.onnx")
    (folder / "edits.txt").write_text(script + "\n")
    edited = folder / "edited.onnx"
    run = subprocess.run([cli, "edit", folder / "model.onnx", "--script", folder / "edits.txt", "-o", edited],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return f"edit ended with {run.returncode}: {' '.join(run.stderr.split())[:300]}"
    try:
        onnx.checker.check_model(str(edited), full_check=True)
        found = outputs_in_onnxruntime(edited, inputs)
        problem = difference(found, expected) or surgeon_problem(name, model, edited, inputs)
        if name == "split_for_two_devices" and problem is None:
            whole = outputs_in_onnxruntime(folder / "model.onnx", inputs)
            first = outputs_in_onnxruntime(folder / "first.onnx", inputs)
            problem = difference(outputs_in_onnxruntime(folder / "second.onnx", first), whole)
        return problem
    except Exception as error:  # noqa: BLE001 - every failure of a peer is reported
        return " ".join(str(error).split())[:300]


def recorded_tasks():
    """What the fixture has to hold: of each task its model, script and further files."""
    tasks = []
    for name, make in TASKS.items():
        with tempfile.TemporaryDirectory() as folder:
            model, script, _, _ = make(pathlib.Path(folder))
            files = {p.name: base64.b64encode(p.read_bytes()).decode() for p in sorted(pathlib.Path(folder).iterdir())}
        data = model.SerializeToString(deterministic=True)
        tasks.append({"name": name, "script": script.split("\n"), "model": base64.b64encode(data).decode(),
                      "files": files})
    return tasks


def comparable(recorded):
    """Without what another release of the packages may write in other bytes."""
    return recorded["name"], recorded["script"], onnx.load_from_string(base64.b64decode(recorded["model"]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("cli", nargs="?")
    arguments.add_argument("--only", help="name of one task")
    arguments.add_argument("--write", action="store_true", help="write the fixture")
    options = arguments.parse_args()
    if options.write:
        FIXTURE.parent.mkdir(parents=True, exist_ok=True)
        FIXTURE.write_text(json.dumps(recorded_tasks(), indent=1) + "\n")
        return 0
    if options.cli is None:
        arguments.error("LAPIDARY_CLI is missing")
    if surgeon is None:
        print("onnx-graphsurgeon is not installed: compared with numpy alone")
    failed = 0
    for name in [options.only] if options.only else TASKS:
        with tempfile.TemporaryDirectory() as folder:
            problem = problem_of(options.cli, name, pathlib.Path(folder))
        print(f"{name}: {problem or 'ok'}")
        failed += problem is not None
    if [comparable(t) for t in json.loads(FIXTURE.read_text())] != [comparable(t) for t in recorded_tasks()]:
        print(f"{FIXTURE.name} is not what the tasks are: write it again by --write")
        failed += 1
    print(f"{len(TASKS) if not options.only else 1} tasks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
