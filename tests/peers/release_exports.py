# SPDX-License-Identifier: Apache-2.0
"""Exports for a release of ONNX Runtime load in it, or the node is named that keeps the release from reading it.

    release_exports.py CLI FOLDER... [--python PYTHON ...] [--references FOLDER ...] [--targets portable,cpu]
                       [--levels disabled,basic,extended,all] [--modes dynamic,static,fp16,weights4]
                       [--only TEXT] [--part K/N] [--keep FOLDER]

Every model file below the folders is exported with `--release 1.N` for each ONNX Runtime at hand, N being its release:
that of this interpreter, of each --python, and of those that LAPIDARY_PEER_PYTHONS lists as PATH lists folders. What is
written must load there, if any release at hand loads the original at all and no note says that another execution
provider has to run a node: at level disabled, and at level all where it loads the original so. It must give the
original's outputs where inputs are recorded: test_data_set_0 beside the model, or inputs.npz below a folder of
--references named as the model is. ONNX's checker, with full checks, must accept what it accepted before. What is
refused must name a node, an opset or an IR version; the reasons are counted. With --modes the model is quantized
instead, once in each mode, and what is written for the release must load.

Exit code 77 when the Python packages onnxruntime or onnx are not installed: skipped.
"""
import argparse
import collections
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnx.numpy_helper

    from onnxruntime_process import named_runtimes
    from onnxruntime_peer import LEFT_OUT
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

NOT_SUPPORTED = 4  # exit code
OF_THE_MACHINE = "construct locale"  # what a runtime refuses for the machine's lack of a language
# What ONNX Runtime keeps under ONNX's domain; files of target cpu are for it alone.
ONLY_OF_RUNTIME = re.compile("No Op registered for (Simplified)?LayerNormalization")
NAMES_A_PLACE = re.compile(r'node |opset \d|IR version|input |output |graph ')


def checker_problem(path):
    """What ONNX's checker says of a file, or None."""
    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception as error:  # noqa: BLE001 - every failure is a result
        return " ".join(str(error).split())[:300]
    return None


def recorded_inputs(path, roots, references, folder):
    """An .npz of inputs that are recorded for the model, or None."""
    for root, reference in ((r, f) for r in roots for f in references if path.is_relative_to(r)):
        for found in sorted((reference / path.relative_to(root).with_suffix("")).rglob("inputs.npz")):
            return found
    pieces = sorted((path.parent / "test_data_set_0").glob("input_*.pb"), key=lambda p: int(p.stem.split("_")[1]))
    if not pieces:
        return None
    graph = onnx.load(str(path), load_external_data=False).graph
    constant = {i.name for i in graph.initializer}
    inputs = [i for i in graph.input if i.name not in constant]
    if len(pieces) != len(inputs) or any(not i.type.HasField("tensor_type") for i in inputs):
        return None
    values = {}
    for piece, value in zip(pieces, inputs):
        tensor = onnx.TensorProto()
        tensor.ParseFromString(piece.read_bytes())
        values[value.name] = onnx.numpy_helper.to_array(tensor)
    if any(v.dtype.kind not in "biuf" for v in values.values()):
        return None
    np.savez(folder / "inputs.npz", **values)
    return folder / "inputs.npz"


class Sweep:

    def __init__(self, options, runtimes):
        self.options = options
        self.runtimes = runtimes
        self.counts = collections.Counter()
        self.refusals = collections.Counter()
        self.unloaded = collections.Counter()
        self.reported = set()  # files of which a note says that the CPU does not run them
        self.problems = 0

    def cli(self, *words):
        """(exit code, what it says)."""
        done = subprocess.run([self.options.cli, *map(str, words)], capture_output=True, text=True, timeout=600)
        return done.returncode, " ".join((done.stdout if done.returncode in (0, 1) else done.stderr).split())

    def report(self, path, what, text):
        self.problems += 1
        print(f"{path}: {what}: {text}", flush=True)
        if self.options.keep:
            self.options.keep.mkdir(parents=True, exist_ok=True)

    def recipes(self):
        """(what an export is called, words of the command that makes it)."""
        if self.options.modes:
            for mode in self.options.modes.split(","):
                yield mode, ["quantize", "--mode", mode, "--as-asked", "--generate", 2]
            return
        for target in self.options.targets.split(","):
            for level in self.options.levels.split(","):
                yield f"{target}_{level}", ["optimize", "--target", target, "--level", level]

    def export(self, path, folder):
        """{runtime: [files written for it]}"""
        written = {r: [] for r in self.runtimes}
        for name, (command, *words) in self.recipes():
            refused = {}
            for runtime in self.runtimes:
                out = folder / f"{name}_{runtime.minor}.onnx"
                code, text = self.cli(command, path, "-o", out, *words, "--release", f"1.{runtime.minor}")
                if code in (0, 1) and out.exists():  # 1: a verdict about accuracy, of a file that is written
                    written[runtime].append(out)
                    if "another execution provider" in text:
                        self.reported.add(str(out))
                    self.counts[f"written for 1.{runtime.minor}"] += 1
                else:
                    refused[runtime] = (code, text)
            if refused and self.cli(command, path, "-o", folder / f"{name}.onnx", *words)[0] not in (0, 1):
                self.counts["not written without --release either"] += len(refused)
                continue
            for runtime, (code, text) in refused.items():
                if code == NOT_SUPPORTED and NAMES_A_PLACE.search(text):
                    self.counts[f"refused for 1.{runtime.minor}"] += 1
                    self.refusals[(runtime.minor, re.sub(r'node \S+( \S+)? \(', "node (", text)[-200:])] += 1
                else:
                    self.report(path, f"{name} for 1.{runtime.minor}", f"exit code {code}: {text[:700]}")
        return written

    def check(self, path, folder):
        inputs = None
        try:
            inputs = recorded_inputs(path, self.options.folders, self.options.references, folder)
        except Exception as error:  # noqa: BLE001
            print(f"{path}: its recorded inputs cannot be read: {error}")
        written = self.export(path, folder)
        if not any(written.values()):
            return
        self.counts["models"] += 1
        was_good = checker_problem(path) is None
        found = {r: r.judge(path, files, None if self.options.modes else inputs) for r, files in written.items()}
        loads = any(problem is None for problem, _ in found.values())
        for runtime, (problem, files) in found.items():
            for file, text in files.items():
                if text and OF_THE_MACHINE in text:
                    self.counts["left out for the machine's languages"] += 1
                elif text and file in self.reported:
                    self.counts["said to need another execution provider"] += 1
                elif text and not loads:
                    self.counts["exports that do not load, nor does any release at hand load the original"] += 1
                    self.unloaded[(runtime.minor, str(path), text[-160:])] += 1
                elif text:
                    self.keep(path, file)
                    note = f" (the original there: {problem[-160:]})" if problem else ""
                    self.report(path, f"{pathlib.Path(file).stem}: ONNX Runtime {runtime.version}", text + note)
                else:
                    self.counts[f"loaded by 1.{runtime.minor}"] += 1
                if was_good:
                    self.counts["checked by ONNX"] += 1
                    refused = checker_problem(file)
                    if refused and not (ONLY_OF_RUNTIME.search(refused) and "cpu_" in pathlib.Path(file).stem):
                        self.keep(path, file)
                        self.report(path, f"{pathlib.Path(file).stem}: checker", refused)

    def keep(self, path, file):
        if self.options.keep:
            self.options.keep.mkdir(parents=True, exist_ok=True)
            tail = "_".join(path.parts[-2:]).removesuffix(".onnx")
            shutil.copy(file, self.options.keep / f"{tail}__{pathlib.Path(file).name}")


def chosen_models(options):
    """Model files below the folders, each content once."""
    seen = set()
    part, parts = map(int, options.part.split("/"))
    for folder in options.folders:
        for path in sorted(folder.rglob("*.onnx")):
            digest = hashlib.sha256(path.read_bytes()).digest()
            if options.only not in str(path) or path.stem in LEFT_OUT or digest in seen:
                continue
            seen.add(digest)
            if digest[0] % parts == part - 1:
                yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--references", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--targets", default="portable,cpu")
    parser.add_argument("--levels", default="disabled,basic,extended,all")
    parser.add_argument("--modes", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    runtimes = named_runtimes(options.python)
    sweep = Sweep(options, runtimes)
    for path in chosen_models(options):
        with tempfile.TemporaryDirectory() as folder:
            try:
                sweep.check(path, pathlib.Path(folder))
            except subprocess.TimeoutExpired as error:
                print(f"{path}: left out: {error}", flush=True)
    for runtime in runtimes:
        runtime.close()
    for (minor, text), count in sweep.refusals.most_common(60):
        print(f"{count:5} x refused for 1.{minor}: {text}")
    for (minor, path, text), count in sweep.unloaded.most_common(60):
        print(f"{count:5} x not loaded by 1.{minor}: {path}: {text}")
    print("; ".join(f"{count} {what}" for what, count in sorted(sweep.counts.items())) + f"; {sweep.problems} problems")
    return 1 if sweep.problems else 0


if __name__ == "__main__":
    sys.exit(main())
