# SPDX-License-Identifier: Apache-2.0
"""Five tasks in Python, with `lapidary` and with the packages onnx and onnxruntime: lines of code and seconds.

    python_tasks.py SOURCE LAPIDARY_CLI
    python_tasks.py SOURCE LAPIDARY_CLI --write

Each task is done both ways on the same model, each way in a process of its own, and both results have to agree. The
table of resources/help/python.md has the lines and seconds; --write writes it. Without, lines that differ from the page
are a failure; seconds, which are those of a machine, are not looked at. Exit code 77 where a package is missing.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap

HEAD = "| task | lines here | lines there | seconds here | seconds there |"
MODEL = "squeezenet"

# Each way imports what it needs, and leaves in `result` what the other way is compared with.
TASKS = {
    "Run a model on arrays": (
        """
        import lapidary, numpy as np

        session = lapidary.Session("net.onnx", intra=1)
        result = session.run({"input": np.load("x.npy")})["logits"]
        """,
        """
        import numpy as np, onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        session = ort.InferenceSession("net.onnx", options, providers=["CPUExecutionProvider"])
        result = dict(zip(["logits"], session.run(["logits"], {"input": np.load("x.npy")})))["logits"]
        """,
    ),
    "Look at a value inside": (
        """
        import lapidary, numpy as np

        session = lapidary.Session("net.onnx", level="disabled", intra=1)
        result = session.run({"input": np.load("x.npy")}, outputs=["INNER"])["INNER"]
        """,
        """
        import numpy as np, onnx, onnxruntime as ort

        model = onnx.shape_inference.infer_shapes(onnx.load("net.onnx"))
        inner = [value for value in model.graph.value_info if value.name == "INNER"]
        model.graph.output.extend(inner)
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = ort.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        result = session.run(["INNER"], {"input": np.load("x.npy")})[0]
        """,
    ),
    "Rename an output and fix the batch": (
        """
        import lapidary

        model = lapidary.open("net.onnx").edit("rename output logits -> scores\\ndim batch = 1")
        model.save("renamed.onnx")
        result = sorted(port.name for port in model.info().outputs)
        """,
        """
        import onnx

        model = onnx.load("net.onnx")
        for node in model.graph.node:
            for index, name in enumerate(node.output):
                if name == "logits":
                    node.output[index] = "scores"
            for index, name in enumerate(node.input):
                if name == "logits":
                    node.input[index] = "scores"
        for output in model.graph.output:
            if output.name == "logits":
                output.name = "scores"
        for value in [*model.graph.input, *model.graph.output, *model.graph.value_info]:
            for dim in value.type.tensor_type.shape.dim:
                if dim.dim_param == "batch":
                    dim.dim_value = 1
        model = onnx.shape_inference.infer_shapes(model)
        onnx.checker.check_model(model)
        onnx.save(model, "renamed.onnx")
        result = sorted(output.name for output in model.graph.output)
        """,
    ),
    "Time of each operator": (
        """
        import lapidary

        profile = lapidary.profile("net.onnx", runs=20, warmup=2, intra=1, level="extended")
        result = {row["operator"]: row["calls"] for row in profile.rows("operators")}
        """,
        """
        import collections, json, numpy as np, onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.enable_profiling = True
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        session = ort.InferenceSession("net.onnx", options, providers=["CPUExecutionProvider"])
        for _ in range(22):
            session.run(None, {"input": np.load("x.npy")})
        with open(session.end_profiling()) as file:
            events = json.load(file)
        calls, times = collections.Counter(), collections.Counter()
        runs = [event["ts"] for event in events if event["name"] == "model_run"]
        for event in events:
            if event["name"].endswith("_kernel_time") and event["ts"] >= runs[2]:
                calls[event["args"]["op_name"]] += 1
                times[event["args"]["op_name"]] += event["dur"]
        result = {name: count / 20 for name, count in calls.items()}
        """,
    ),
    "Quantize by eight samples": (
        """
        import lapidary, numpy as np

        samples = {"input": np.load("samples.npy")}
        small, price = lapidary.open("net.onnx").quantize(mode="static", data=samples)
        small.save("small.onnx")
        result = price.sqnr_db
        """,
        """
        import numpy as np, onnxruntime as ort
        from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_static
        from onnxruntime.quantization.shape_inference import quant_pre_process

        class Samples(CalibrationDataReader):
            def __init__(self):
                self.left = iter(np.load("samples.npy"))

            def get_next(self):
                sample = next(self.left, None)
                return None if sample is None else {"input": sample[None]}

        quant_pre_process("net.onnx", "prepared.onnx")
        quantize_static(
            "prepared.onnx", "small.onnx", Samples(), quant_format=QuantFormat.QDQ, per_channel=True
        )
        outputs = [
            ort.InferenceSession(file, providers=["CPUExecutionProvider"]).run(
                None, {"input": np.load("samples.npy")[:1]}
            )[0]
            for file in ("net.onnx", "small.onnx")
        ]
        noise = np.square(outputs[0] - outputs[1]).mean()
        result = 10 * np.log10(np.square(outputs[0]).mean() / noise)
        """,
    ),
}

RUNNER = """
import json, sys, time
code = open(sys.argv[1]).read()
head, _, body = code.partition("\\n\\n")
names = {}
exec(head, names)
start = time.perf_counter()
exec(body, names)
seconds = time.perf_counter() - start
result = names["result"]
print(json.dumps([seconds, result.tolist() if hasattr(result, "tolist") else result]))
"""


def code_of(text, inner):
    return textwrap.dedent(text).strip().replace("INNER", inner) + "\n"


def lines_of(code):
    return sum(bool(line.strip()) for line in code.splitlines())


def done(code, folder):
    """Seconds without the imports, and the result."""
    (folder / "task.py").write_text(code)
    (folder / "runner.py").write_text(RUNNER)
    ran = subprocess.run([sys.executable, "runner.py", "task.py"], cwd=folder, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(f"{code}\n{ran.stderr[-2000:]}")
    return json.loads(ran.stdout.splitlines()[-1])


def disagreement(task, ours, theirs):
    """What is wrong with the two results; empty where they agree."""
    import numpy as np
    if task == "Quantize by eight samples":
        return "" if ours > 5 and theirs > 5 else f"{ours:.1f} dB here, {theirs:.1f} dB there"
    if task == "Time of each operator":
        # fused operators have names of their own
        return "" if ours and theirs and ours.get("MaxPool") == theirs.get("MaxPool") else f"{ours} and {theirs}"
    if isinstance(ours[0], str):
        return "" if ours == theirs else f"{ours} and {theirs}"
    a, b = np.array(ours), np.array(theirs)
    if a.shape != b.shape or not np.allclose(a, b, rtol=1e-3, atol=1e-3 * np.abs(b).max()):
        return f"outputs differ: {a.ravel()[:4]} and {b.ravel()[:4]}"
    return ""


def prepare(folder, cli):
    """The model, its arrays, and the name of a value inside."""
    import numpy as np
    import onnx
    subprocess.run([cli, "sample", MODEL, "-o", folder / "net.onnx", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    graph = onnx.load(folder / "net.onnx").graph
    sizes = [dim.dim_value or 1 for dim in graph.input[0].type.tensor_type.shape.dim]
    random = np.random.default_rng(1)
    np.save(folder / "x.npy", random.normal(size=sizes).astype(np.float32))
    np.save(folder / "samples.npy", random.normal(size=[8, *sizes[1:]]).astype(np.float32))
    return next(node.output[0] for node in graph.node if node.op_type == "Relu")


def table(rows):
    text = [HEAD, "|---|---|---|---|---|"]
    for task, (a, b, ours, theirs) in rows.items():
        text.append(f"| {task} | {a} | {b} | {ours:.2f} | {theirs:.2f} |")
    return "\n".join(text)


def parts_of(page):
    """What stands before the table, the table, and what stands behind it."""
    before, behind = page.split(HEAD)
    rows, behind = behind.split("\n\n", 1)
    return before, HEAD + rows, "\n\n" + behind


def page_lines(page):
    """The lines of code that the page tells: by the task, here and there."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in parts_of(page)[1].splitlines()]
    return {row[0]: (int(row[1]), int(row[2])) for row in rows if row[1].isdigit()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("cli")
    parser.add_argument("--write", action="store_true", help="write the table of the page")
    options = parser.parse_args()
    for name in ("lapidary", "numpy", "onnx", "onnxruntime"):
        try:
            __import__(name)
        except ImportError as missing:
            print(f"skipped: {name} cannot be imported: {missing}")
            return 77
    rows, failed = {}, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        inner = prepare(folder, os.path.abspath(options.cli))
        for task, ways in TASKS.items():
            codes = [code_of(way, inner) for way in ways]
            tries = [[done(code, folder) for code in codes] for _ in range(3 if options.write else 1)]
            seconds = [min(one[side][0] for one in tries) for side in range(2)]
            wrong = disagreement(task, tries[0][0][1], tries[0][1][1])
            failed += bool(wrong)
            rows[task] = (*map(lines_of, codes), *seconds)
            print(f"{task}: {rows[task]} {wrong}", flush=True)
    path = options.source / "resources" / "help" / "python.md"
    page = path.read_text()
    if options.write:
        before, _, behind = parts_of(page)
        path.write_text(before + table(rows) + behind)
    elif page_lines(page) != {task: row[:2] for task, row in rows.items()}:
        print("resources/help/python.md has other numbers of lines: python_tasks.py --write")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
