#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts and files that showed defects once, and says of each in one line whether it is fixed.

    defect_scripts.py LAPIDARY_CLI FOLDER [NAME ...] [--quick]

FOLDER holds them (LAPIDARY_TEST_DATA/repro), with `hostile` and `hostile2` below it. Scripts that end with "fixed" or
"FAIL" are taken by their word. Those that compare levels with ONNX Runtime through `show` of common.py or
common_half.py print both and no verdict: here it is what the comparison gives. What else needs a judge has one in
defect_judges.py. --quick leaves out what takes longer than some seconds. Exit code 1 where something is not fixed, 77
where the folder or ONNX Runtime's Python package is not there."""
import argparse, ast, contextlib, io, os, runpy, subprocess, sys, tempfile

SAME = dict(rtol=1e-3, atol=1e-5)
LONGEST = 300  # seconds of one script


class Comparison:
    """Stands in for show(): compares what every level gives with the reference, and remembers the first difference."""

    def __init__(self):
        self.problems, self.count = [], 0

    def compare(self, title, names, expected, run_level, levels):
        import numpy as np
        reported = {}
        for level in levels:
            self.count += 1
            code, values, error = run_level(level)
            reported[level] = "runs" if code == 0 else "refuses"
            if code < 0 or code == 6:
                self.problems.append(f"{title}, level {level}: ends with {code}: {error}")
            elif code and expected is not None:
                self.problems.append(f"{title}, level {level}: refuses what ONNX Runtime runs: {error}")
            elif code == 0 and expected is not None:
                for name, want in zip(names, expected):
                    want, found = np.asarray(want), values[name]
                    tolerance = dict(rtol=1e-2, atol=1e-3) if want.dtype == np.float16 else SAME
                    if want.shape != found.shape:
                        self.problems.append(f"{title}, level {level}: {name} is of shape {found.shape}, expected "
                                             f"{want.shape}")
                    elif want.dtype.kind in "fc" and not np.allclose(found.astype("d"), want.astype("d"),
                                                                     equal_nan=True, **tolerance):
                        off = np.nanmax(np.abs(found.astype("d") - want.astype("d")))
                        self.problems.append(f"{title}, level {level}: {name} is off by {off:.3g}")
                    elif want.dtype.kind not in "fc" and not np.array_equal(found, want):
                        self.problems.append(f"{title}, level {level}: {name} differs")
        if len(set(reported.values())) > 1:
            self.problems.append(f"{title}: " + ", ".join(f"{level} {what}" for level, what in reported.items()))


def judge_by_comparing(folder, script, cli):
    """What is wrong with a script that imports common or common_half, empty where nothing is; None: it never shows."""
    import numpy as np
    sys.argv, sys.path[0] = [script, cli], folder
    comparison = Comparison()

    def run_level(d, names, words):
        def run(level):
            out = d + "/o.npz"
            if os.path.exists(out):
                os.remove(out)
            ended = subprocess.run([cli, *words, d + "/m.onnx", "--inputs", d + "/i.npz", "--outputs", out,
                                    *([] if level == "none" else ["--level", level])], capture_output=True, text=True,
                                   timeout=LONGEST)
            values = dict(np.load(out)) if ended.returncode == 0 else {}
            return ended.returncode, values, ended.stderr.strip()[-200:]
        return run

    def show(title, m, feeds, levels, words, extra, expected):
        import onnx
        names = [o.name for o in m.graph.output]
        with tempfile.TemporaryDirectory() as d:
            onnx.save(m, d + "/m.onnx")
            np.savez(d + "/i.npz", **feeds)
            comparison.compare(title, names, expected, run_level(d, names, [*words, *extra]), levels)

    def of_onnxruntime(common, m, feeds):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        try:
            return onnxruntime.InferenceSession(m.SerializeToString(), options,
                                                providers=["CPUExecutionProvider"]).run(None, feeds)
        except Exception:
            return None  # it refuses the model: then our levels have to agree

    def show_common(title, m, feeds, levels=("none", "disabled", "basic", "extended", "all"), second=True, extra=()):
        words = ["profile", "--warmup", "1", "--runs", "1"] if second else ["run"]
        show(title, m, feeds, levels, words, extra, of_onnxruntime(common, m, feeds))

    def show_half(m, feeds, reference=None, levels=("disabled", "basic", "extended", "all"), extra=(), runs=1):
        show(os.path.basename(script)[:-3], m, feeds, levels, ["run"], extra,
             of_onnxruntime(common, m, feeds) if reference is None else reference)

    with open(script) as text:
        source = text.read()
    name = "common_half" if "from common_half import" in source else "common"
    common = __import__(name)
    common.show = show_half if name == "common_half" else show_common
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_path(script, run_name="__main__")
    return comparison.problems[0] if comparison.problems else "" if comparison.count else None


def described(source):
    """What a script says that it shows, in its docstring or its comments, cut to a line."""
    text = ast.get_docstring(ast.parse(source)) or " ".join(
        line[2:].strip() for line in source.splitlines() if line.startswith("# "))
    text = " ".join(text.split())
    return text if len(text) <= 240 else text[:text.rfind(" ", 0, 240)] + " ..."


def run_script(command, folder):
    """Exit code, what it printed, or None and why there is neither."""
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return None, f"it did not end in {LONGEST} s"
    return ended.returncode, ended.stdout + ended.stderr


def verdict_of(path, cli, quick):
    """One sentence of what is wrong, "" where it is fixed, or one in parentheses where nothing was found out."""
    import defect_judges
    name = os.path.basename(path)
    judge = defect_judges.judge_of(name)
    with tempfile.TemporaryDirectory() as scratch:
        if judge:
            if quick and judge.is_slow:
                return "(left out: it takes long)"
            return judge.function(defect_judges.Tools(cli, path, scratch))
        if not name.endswith(".py"):
            return "(there is no judge for it)"
        with open(path) as text:
            source = text.read()
        if "import *" in source and "show(" in source:
            code, reported = run_script([sys.executable, os.path.abspath(__file__), cli, path, "--compare"], scratch)
            return reported.strip().splitlines()[-1] if code or not reported.startswith("fixed") else ""
        code, reported = run_script([sys.executable, path, cli], scratch)
        lines = [line for line in reported.splitlines() if line.strip()]
        if lines and lines[-1].startswith("fixed"):
            return ""
        return described(source) or f"it ends with {code}: {lines[-1] if lines else 'nothing printed'}"[:300]


def defects_in(folder, wanted):
    for place in (folder, os.path.join(folder, "hostile"), os.path.join(folder, "hostile2")):
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else []:
            is_defect = name.endswith((".py", ".sh", ".c", ".onnx")) and not name.startswith("common")
            if is_defect and (not wanted or os.path.splitext(name)[0] in wanted or name in wanted):
                yield os.path.join(place, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", help="these alone")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    parser.add_argument("--compare", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_intermixed_args()
    cli = os.path.abspath(arguments.cli)
    if arguments.compare:
        problem = judge_by_comparing(os.path.dirname(arguments.folder), arguments.folder, cli)
        print("fixed" if problem == "" else problem or "it compares nothing")
        sys.exit(0 if problem == "" else 1)
    if not os.path.isdir(arguments.folder):
        print(f"skipped: there is no {arguments.folder}")
        sys.exit(77)
    try:
        import onnx, onnxruntime, numpy
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    counts = {"fixed": 0, "not fixed": 0, "left out": 0}
    for path in defects_in(arguments.folder, arguments.names):
        said = verdict_of(path, cli, arguments.quick)
        kind = "fixed" if not said else "left out" if said.startswith("(") else "not fixed"
        counts[kind] += 1
        print(f"{os.path.relpath(path, arguments.folder)}: {said or 'fixed'}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    sys.exit(counts["not fixed"] > 0)


if __name__ == "__main__":
    main()
