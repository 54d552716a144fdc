#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that `lapidary-cli quantize --snippet` and `snippet --quantized` write, run in the installed ONNX Runtime.

    quantize_snippets.py LAPIDARY_CLI [--only NAME,...] [--keep FOLDER]

Each program runs to its end and writes a file that ONNX Runtime loads. Where its head says that weights, scales and
zero points come out as ours, they are compared bit for bit with those of our file: the models' weights and inputs are
small multiples of powers of two, so that both engines see the same ranges to the last digit. If it states limits, the
file's SQNR against the float model is at most so many dB below that of ours as the case says. With another version than
1.32, whose numerics are ours, SQNR alone is compared. Exit code 77 when the Python packages are not there: skipped.
Blocks need onnx_ir, without which their cases are left out.
"""
import argparse
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
    import quantized_placement
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

try:
    import PIL.Image
except ImportError:
    PIL = None

ort.set_default_logger_severity(4)
VERSION = ".".join(ort.__version__.split(".")[:2])
SAME = "come out as Lapidary's"
FOLLOWED = "1.32"  # the version whose numerics are ours; files by others are compared by what they give alone
MINMAX = ["--mode", "static", "--range", "minmax", "--no-bias-correction", "--every-sample"]
ALIKE = MINMAX + ["--placement", "onnxruntime"]


class Names:
    """Constants of a model, drawn in order."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.constants = []

    def weight(self, name, *shape):
        values = (self.random.integers(-15, 16, shape) / 16).astype(np.float32)
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def model(self, nodes, inputs, outputs, opset=17):
        graph = helper.make_graph(nodes, "small", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
        onnx.checker.check_model(model)
        return model


def tensor(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def picture_model(opset=17, channels=1):
    """Convolutions, pooling, Gemm and MatMul; names with quotes and a line end, and nodes without a name."""
    names = Names(0)
    weight = names.weight
    nodes = [
        helper.make_node("Conv", ["x", weight("w0", 4, channels, 3, 3), weight("b0", 4)], ["c0"], "conv", pads=[1] * 4),
        helper.make_node("Relu", ["c0"], ["r0"], name="relu"),
        helper.make_node("Conv", ["r0", weight("w1", 8, 4, 3, 3)], ["c\n\"1\" #'"], name="conv\n\"1\" #'"),
        helper.make_node("Relu", ["c\n\"1\" #'"], ["r1"]),
        helper.make_node("MaxPool", ["r1"], ["p"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("Gemm", ["f", weight("w2", 64, 72), weight("b2", 64)], ["g"], name="fc 'one'", transB=1),
        helper.make_node("Relu", ["g"], ["r2"], name="relu2"),
        helper.make_node("MatMul", ["r2", weight("w3", 64, 64)], ["m"]),
        helper.make_node("Add", ["m", weight("b3", 64)], ["s"], name="add"),
        helper.make_node("MatMul", ["s", weight("w4", 64, 10)], ["y"], name="last"),
    ]
    return names.model(nodes, [tensor("x", ["n", channels, 8, 8])], [tensor("y", ["n", 10])], opset)


def picture_data(folder):
    random = np.random.default_rng(1)
    values = (random.integers(-8, 9, (24, 1, 8, 8)) / 4).astype(np.float32)
    np.savez(folder / "data.npz", x=values)
    np.savez(folder / "other.npz", images=values.astype(np.float64))
    np.savez(folder / "pixels.npz", pixels=random.integers(0, 256, (12, 1, 8, 8)).astype(np.uint8))
    np.save(folder / "rows.npy", values)
    for kind in ("archives", "arrays", "protos", "folders"):
        (folder / kind).mkdir()
        for i in range(10):
            one = values[i:i + 1]
            if kind == "archives":
                np.savez(folder / kind / f"{i:02}.npz", x=one)
            elif kind == "arrays":
                np.save(folder / kind / f"{i:02}.npy", one)
            elif kind == "protos":
                onnx.save_tensor(numpy_helper.from_array(one), folder / kind / f"{i:02}.pb")
            else:
                (folder / kind / f"{i:02}").mkdir()
                onnx.save_tensor(numpy_helper.from_array(one), folder / kind / f"{i:02}" / "input_0.pb")
    for kind, mode in (("pictures", "L"), ("colours", "RGB")):
        (folder / kind).mkdir()
        for i in range(10 if PIL else 0):
            pixels = random.integers(0, 256, (11, 19) if mode == "L" else (11, 19, 3)).astype(np.uint8)
            PIL.Image.fromarray(pixels, mode).save(folder / kind / f"{i}.png")
    return [{"x": values[i:i + 1]} for i in range(8)]


def word_model():
    """A table, an LSTM, a GRU and products on a branch too."""
    names = Names(2)
    weight = names.weight
    inner = np.float32(np.arange(1024).reshape(32, 32) % 7) / 8
    branches = [
        helper.make_graph([helper.make_node("MatMul", ["z", f"inner_{name}"], [f"{name}_out"], f"{name}_product")],
                          name, [], [tensor(f"{name}_out", [6, 1, 32])],
                          [numpy_helper.from_array(values, f"inner_{name}")])
        for name, values in (("yes", inner), ("no", np.eye(32, dtype=np.float32)))
    ]
    nodes = [
        helper.make_node("Gather", [weight("table", 64, 32), "ids"], ["e"], name="embed"),
        helper.make_node("Transpose", ["e"], ["t"], perm=[1, 0, 2], name="turn"),
        helper.make_node("LSTM", ["t", weight("w", 1, 128, 32), weight("r", 1, 128, 32)], ["l"], name="lstm",
                         hidden_size=32),
        helper.make_node("Squeeze", ["l", "one"], ["q"], name="squeeze"),
        helper.make_node("GRU", ["q", weight("gw", 1, 96, 32), weight("gr", 1, 96, 32)], ["h"], name="gru",
                         hidden_size=32),
        helper.make_node("Squeeze", ["h", "one"], ["v"], name="squeeze2"),
        helper.make_node("MatMul", ["v", weight("w5", 32, 32)], ["z"], name="product"),
        helper.make_node("If", ["flag"], ["y"], name="if", then_branch=branches[0], else_branch=branches[1]),
    ]
    names.constants.append(numpy_helper.from_array(np.int64([1]), "one"))
    inputs = [tensor("ids", [1, 6], TensorProto.INT64), tensor("flag", [], TensorProto.BOOL)]
    return names.model(nodes, inputs, [tensor("y", [6, 1, 32])])


def word_data(folder):
    random = np.random.default_rng(3)
    feeds = []
    (folder / "words").mkdir()
    for i in range(10):
        feeds.append({"ids": random.integers(0, 64, (1, 6)), "flag": np.array(i % 2 == 0)})
        np.savez(folder / "words" / f"{i}.npz", **feeds[-1])
    return feeds


# Weights are rounded as the tool rounds them.
NEAREST = ["--mode", "dynamic", "--no-bias-correction"]
# model, options of quantize, how many dB below ours the file may be where its head states limits; None: it states none
CASES = {
    "dynamic": ("picture", NEAREST + ["--symmetric-weights", "--per-tensor"], None),
    "dynamic per channel": ("picture", ["--mode", "dynamic"], 12),
    "dynamic products": ("picture", NEAREST + ["--keep-float", "Conv"], None),
    "dynamic 7 bits": ("picture", NEAREST + ["--symmetric-weights", "--per-tensor", "--safe-without-vnni"], None),
    "dynamic kept": ("picture", NEAREST + ["--symmetric-weights", "--per-tensor", "--keep-float", "fc*",
                                           "--keep-float", "conv\n*"], None),
    "dynamic fused": ("picture", NEAREST + ["--symmetric-weights", "--per-tensor", "--fused"], 1),
    "dynamic improved": ("picture", ["--mode", "dynamic", "--compensate", "--smooth", "0.5", "--equalize",
                                     "--weights-alone", "last"], 6),
    "dynamic words": ("word", ["--mode", "dynamic"], 12),
    "dynamic lstm": ("word", NEAREST + ["--symmetric-weights", "--keep-float", "embed", "--keep-float", "gru"], None),
    "dynamic lstm zeros": ("word", NEAREST + ["--keep-float", "embed", "--keep-float", "gru"], 6),
    "dynamic old": ("old", NEAREST + ["--symmetric-weights", "--per-tensor"], None),
    "static alike": ("picture", ALIKE, None),
    "static alike kept": ("picture", ALIKE + ["--keep-float", "fc*", "--keep-float", "last"], None),
    "static alike per tensor": ("picture", ALIKE + ["--per-tensor"], None),
    "static alike s8": ("picture", ALIKE + ["--act", "s8", "--symmetric-act"], None),
    "static alike u8": ("picture", ALIKE + ["--weights", "u8"], None),
    "static alike 7 bits": ("picture", ALIKE + ["--safe-without-vnni"], None),
    "static alike u16": ("picture", ALIKE + ["--act", "u16"], None),
    "static alike s4": ("picture", ALIKE + ["--weights", "s4"], None),
    "static alike old": ("old", ALIKE, None),
    "static": ("picture", MINMAX, 0.1),
    "static kept": ("picture", MINMAX + ["--keep-float", "conv\n*", "--keep-float", "add"], 4),
    "static defaults": ("picture", ["--mode", "static"], 3),
    "static percentile": ("picture", ["--mode", "static", "--range", "percentile", "--percentile", "99.9"], 3),
    "static entropy": ("picture", ["--mode", "static", "--range", "entropy"], 3),
    "static u4": ("picture", ["--mode", "static", "--weights", "u4"], 6),
    "static generated": ("picture", ["--mode", "static"], 6),
    "qoperator": ("picture", ["--mode", "static", "--format", "qoperator"], 3),
    "qoperator alike": ("picture", ALIKE + ["--format", "qoperator"], 3),
    "blocks of 4": ("picture", ["--mode", "weights4"], None),
    "blocks of 4 symmetric": ("picture", ["--mode", "weights4", "--symmetric-blocks", "--block", "16"], None),
    "blocks of 4 kept": ("picture", ["--mode", "weights4", "--keep-float", "fc*"], None),
    "blocks of 4 compensated": ("picture", ["--mode", "weights4", "--compensate"], 22),
    "blocks of 8": ("picture", ["--mode", "weights8", "--block", "64"], None),
    "uint4 blocks": ("picture", ["--mode", "weights4", "--block-form", "dequantize"], 2),
    "int4 blocks": ("picture", ["--mode", "weights4", "--block-form", "dequantize", "--symmetric-blocks"], 2),
    "blocks of words": ("word", ["--mode", "weights4"], 3),
    "blocks of 8 words": ("word", ["--mode", "weights8"], 3),
    "float16": ("picture", ["--mode", "fp16"], 6),
    "float16 kept": ("picture", ["--mode", "fp16", "--keep-float", "conv\n*"], 6),
    "float16 words": ("word", ["--mode", "fp16"], 60),
}
for kind in ("pictures", "colours"):
    CASES[f"samples {kind}"] = (kind, ALIKE + ["--data", kind, "--mean", "100,110,120", "--std", "50,60,70", "--bgr"],
                                None)
EQUAL_THOUGH_TOLD = {"static"}  # where placements agree, all else does
NEARLY_EQUAL = {"samples pictures", "samples colours"}  # resized in floats, whose last digits are each program's own
# Ways to give the samples: what the program reads has to give the ranges that ours gave.
for source in ("other.npz", "other.npz:images", "rows.npy", "archives", "arrays", "protos", "folders", "pixels.npz"):
    scaled = ["--mean", "128,128,128", "--std", "16,16,16"] if source == "pixels.npz" else []
    CASES[f"samples {source}"] = ("picture", ALIKE + ["--data", source, *scaled], None)


def integer_weights(model):
    """By the shape of what integer products and DynamicQuantizeLSTM read: integers without their zero point, scales."""
    arrays, made = quantized_placement.as_arrays(model), {}
    for node in model.graph.node:
        made.update({name: node for name in node.output})
    readers = [node for node in model.graph.node]
    found = []
    for node in model.graph.node:
        if node.op_type in ("MatMulInteger", "ConvInteger"):
            scales = [n for n in readers if n.op_type == "Mul" and
                      any(made.get(i) is not None and made[i].op_type == "DynamicQuantizeLinear" for i in n.input)]
            dynamic = made[node.input[0]].output[1]
            own = [n for n in scales if dynamic in n.input and scaled_by(model, node, n)]
            scale = next(arrays[i] for i in own[0].input if i in arrays)
            zero = arrays[node.input[3]].astype(np.int32)
            found.append((node.op_type, arrays[node.input[1]].astype(np.int32) - zero.reshape(-1)[0], scale))
        elif node.op_type == "DynamicQuantizeLSTM":
            for i in (1, 2):
                found.append(("LSTM", arrays[node.input[i]], arrays[node.input[6 + 2 * i]]))
    return found


def scaled_by(model, product, scales):
    """The product's integers, as floats, are multiplied with what `scales` writes."""
    casts = [n for n in model.graph.node if n.op_type == "Cast" and n.input[0] == product.output[0]]
    return any(n.op_type == "Mul" and casts[0].output[0] in n.input and scales.output[0] in n.input
               for n in model.graph.node)


def block_weights(model):
    """What the blocks of MatMulNBits stand for, [N, K], and their scales."""
    arrays, found = quantized_placement.as_arrays(model), []
    for node in model.graph.node:
        if node.op_type != "MatMulNBits":
            continue
        size = {attribute.name: attribute.i for attribute in node.attribute}
        columns, blocks, bits = size["N"], -(-size["K"] // size["block_size"]), size["bits"]
        scales = arrays[node.input[2]].reshape(columns, blocks)
        zero = np.full((columns, blocks), 2**(bits - 1))
        if len(node.input) > 3 and node.input[3]:
            zero = levels(arrays[node.input[3]].reshape(columns, -1), bits)[:, :blocks]
        values = levels(arrays[node.input[1]].reshape(columns * blocks, -1), bits).reshape(columns, blocks, -1)
        real = (values.astype(np.float32) - zero[..., None].astype(np.float32)) * scales[..., None]
        found.append((node.op_type, real.reshape(columns, -1)[:, :size["K"]].astype(np.float32), scales))
    return found


def levels(packed, bits):
    if bits == 8:
        return packed
    return np.stack([packed & 15, packed >> 4], -1).reshape(len(packed), -1)


def lists_differ(ours, theirs):
    if len(ours) != len(theirs):
        return [f"{len(ours)} weights here, {len(theirs)} by ONNX Runtime"]
    return [f"weight {i} of {a[0]} differs" for i, (a, b) in enumerate(zip(ours, theirs))
            if a[0] != b[0] or len(a) != len(b) or any(x.ravel().tobytes() != y.ravel().tobytes()
                                                       for x, y in zip(a[1:], b[1:]))]


def differences(ours, theirs):
    pairs = quantized_placement.differences(quantized_placement.stored_values(ours),
                                            quantized_placement.stored_values(theirs))
    if any(n.op_type in ("MatMulInteger", "ConvInteger", "DynamicQuantizeLSTM") for n in ours.graph.node):
        return lists_differ(integer_weights(ours), integer_weights(theirs))
    if any(n.op_type == "MatMulNBits" for n in ours.graph.node):
        return lists_differ(block_weights(ours), block_weights(theirs))
    return pairs


def scales_apart(ours, theirs):
    mine, other = (quantized_placement.stored_values(model) for model in (ours, theirs))
    if set(mine) != set(other):
        return [f"other values are quantized: {set(mine) ^ set(other)}"]
    return [f"scale of {name}: {mine[name][1].ravel()[:3]} here, {other[name][1].ravel()[:3]} by ONNX Runtime"
            for name in mine if not np.allclose(mine[name][1], other[name][1], rtol=1e-5)]


def outputs(path, feeds):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.x64quantprecision", "1")
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "0")
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return np.concatenate([np.ravel(value).astype(np.float64) for feed in feeds for value in session.run(None, feed)])


def sqnr(expected, found):
    noise = float(np.square(expected - found).sum())
    return 120.0 if noise == 0 else min(120.0, 10 * np.log10(float(np.square(expected).sum()) / noise))


def run_program(text, folder):
    (folder / "program.py").write_text(text)
    return subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True)


def check(program, name, folder, feeds):
    model, words, allowed = CASES[name]
    data = [] if "--data" in words or name == "static generated" else \
        ["--data", "words" if model == "word" else "data.npz"]
    for old in folder.glob("ours*"):
        old.unlink()
    done = subprocess.run([program, "quantize", f"{model}.onnx", "-o", "ours.onnx", "--snippet", "printed.py",
                           "--as-asked", "--release", VERSION, *data, *words], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: far off, as some are meant to be here
        return [f"not quantized: {done.stderr.strip()[-500:]}"]
    text = (folder / "printed.py").read_text()
    ran = run_program(text, folder)
    if ran.returncode != 0:
        return [f"the program ends with {ran.returncode}: {ran.stderr.strip()[-800:]}"]
    problems = [line for line in ran.stdout.splitlines() if line.startswith("not kept float")]
    reported = [line[4:] for line in text.splitlines() if line.startswith("# - ")]
    ours, theirs = onnx.load(folder / "ours.onnx"), onnx.load(folder / "ours.onnxruntime.onnx")
    exact = allowed is None and VERSION == FOLLOWED
    if VERSION != FOLLOWED:
        allowed = max(allowed or 0, 5)
    if exact and reported:
        problems.append(f"states limits: {reported}")
    if exact != (SAME in text):
        problems.append(f"the head {'does not say' if exact else 'says'} that integers {SAME}")
    if exact and name in NEARLY_EQUAL:
        problems += scales_apart(ours, theirs)
    elif exact or (name in EQUAL_THOUGH_TOLD and VERSION == FOLLOWED):
        problems += differences(ours, theirs)
    expected = outputs(folder / f"{model}.onnx", feeds)
    mine, other = (sqnr(expected, outputs(folder / file, feeds)) for file in ("ours.onnx", "ours.onnxruntime.onnx"))
    if other < mine - (0.5 if exact else allowed):
        problems.append(f"{other:.1f} dB, ours {mine:.1f} dB")
    remark = "same integers" if exact else "; ".join(reported)
    print(f"{name:28} {mine:6.1f} dB here, {other:6.1f} dB by ONNX Runtime  {remark}", flush=True)
    return problems


def check_quantized_option(program, folder):
    """What a file of ours says of how it was made is enough for the same program."""
    subprocess.run([program, "quantize", "picture.onnx", "-o", "ours.onnx", "--snippet", "printed.py", *ALIKE,
                    "--keep-float", "last", "--data", "data.npz"], cwd=folder, check=True, capture_output=True)
    again = subprocess.run([program, "snippet", "picture.onnx", "--language", "python", "--quantized", "ours.onnx",
                            "--data", "data.npz"], cwd=folder, capture_output=True, text=True)
    same = again.stdout == (folder / "printed.py").read_text()
    return [] if again.returncode == 0 and same else [f"snippet --quantized prints another program {again.stderr}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", help="names of cases, separated by commas")
    parser.add_argument("--keep", type=pathlib.Path, help="copy models, data and the last program here")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    names = options.only.split(",") if options.only else list(CASES)
    if PIL is None:
        print("skipped: pictures, the Python package pillow is not installed")
        names = [name for name in names if name not in NEARLY_EQUAL]
    minor = int(VERSION.split(".")[1])
    if minor < 22:  # its tools have blocks of 4 bits alone
        names = [name for name in names if not name.startswith("blocks of 8")]
    if minor >= 24 and importlib.util.find_spec("onnx_ir") is None:
        left_out = [name for name in names if "blocks" in name]
        print(f"skipped: {len(left_out)} cases with blocks, the Python package onnx_ir is not installed")
        names = [name for name in names if name not in left_out]
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        onnx.save(picture_model(), folder / "picture.onnx")
        onnx.save(picture_model(11), folder / "old.onnx")
        onnx.save(word_model(), folder / "word.onnx")
        feeds = {"picture": picture_data(folder), "word": word_data(folder)}
        onnx.save(picture_model(), folder / "pictures.onnx")
        onnx.save(picture_model(channels=3), folder / "colours.onnx")
        feeds["old"] = feeds["pictures"] = feeds["picture"]
        feeds["colours"] = [{"x": np.concatenate([feed["x"]] * 3, 1)} for feed in feeds["picture"]]
        for name in names:
            problems = check(program, name, folder, feeds[CASES[name][0]])
            failed += bool(problems)
            for problem in problems:
                print(f"FAIL {name}: {problem}", flush=True)
        problems = check_quantized_option(program, folder)
        failed += bool(problems)
        for problem in problems:
            print(f"FAIL snippet --quantized: {problem}")
        if options.keep:
            shutil.copytree(folder, options.keep, dirs_exist_ok=True)
    print(f"{failed} of {len(names) + 1} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
