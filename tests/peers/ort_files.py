# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime's own format (.ort): what it writes is read here, and what this program has it write it reads.

    ort_files.py CLI [MODELS] [REFERENCES] [--only TEXT]

For some samples of `CLI sample`, and every model file below MODELS that ONNX Runtime runs: ONNX Runtime writes it as
.ort at its levels disabled, extended and all, and, for samples and small models, with optimizations saved for run time.
Of each file `CLI run` must give the outputs that ONNX Runtime gives for it, as far as they moved from those of the
original model (quantizers turn a last bit into a step), `CLI info` must find nodes, and a few prefixes must be refused
as damaged; files of samples must run under another name. `CLI optimize -o F.ort` of the model must give a file that
ONNX Runtime loads, with the outputs of the original. Models that ONNX Runtime cannot write so are reported and
not counted. Inputs are the recorded ones below REFERENCES, else seeded. --only takes the files below MODELS with TEXT
in their name; the samples are always taken.

Exit code 77 when the Python packages onnxruntime or numpy are not installed: skipped.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnxruntime as ort

    from onnxruntime_peer import CHANNEL_BLOCK, LEFT_OUT, LEVELS, difference, moves_by, seeded_inputs, session
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)
SAMPLES = ["mlp", "lenet", "lstm", "squeezenet"]
SMALL = 300_000  # bytes


def ort_session(path, level="disabled"):
    options = ort.SessionOptions()
    options.graph_optimization_level = LEVELS[level]
    options.intra_op_num_threads = 2
    options.log_severity_level = 4
    options.add_session_config_entry("session.load_model_format", "ORT")
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def write_ort(model, level, out, at_run_time=False):
    """What keeps ONNX Runtime from writing the model in its own format, or None."""
    options = ort.SessionOptions()
    options.graph_optimization_level = LEVELS[level]
    options.log_severity_level = 4
    options.optimized_model_filepath = str(out)
    options.add_session_config_entry("session.save_model_format", "ORT")
    if at_run_time:
        options.add_session_config_entry("optimization.minimal_build_optimizations", "save")
    out.unlink(missing_ok=True)
    try:
        ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 - the binding has an exception type for each status
        return " ".join(str(error).split())[:200]
    return None if out.exists() else "it wrote nothing"


def run(program, *arguments):
    return subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, errors="replace")


def outputs_here(cli, file, values, names, folder):
    """(outputs in order, None) or (None, problem). Strings and what is no tensor come as None."""
    np.savez(folder / "in.npz", **values)
    found = folder / "out.npz"
    found.unlink(missing_ok=True)
    reported = run(cli, "run", file, "--inputs", folder / "in.npz", "--outputs", found, "--level", "disabled",
               "--channel-block", CHANNEL_BLOCK)
    if reported.returncode:
        return None, " ".join(reported.stderr.split())[-300:]
    with np.load(found, allow_pickle=False) as archive:
        return [archive[name] if name in archive.files else None for name in names], None


def compared(found, expected, moves):
    reported = [i for i, (a, b) in enumerate(zip(found, expected)) if a is not None and isinstance(b, np.ndarray)]
    if not reported:
        return None
    return difference([found[i] for i in reported], [expected[i] for i in reported], [moves[i] for i in reported])


def cut_problem(cli, file, folder):
    """What is wrong with the refusal of the file's beginning, or None."""
    whole = file.read_bytes()
    cut = folder / "cut.ort"
    for part in (0.02, 0.3, 0.5):
        cut.write_bytes(whole[:max(9, int(part * len(whole)))])
        reported = run(cli, "info", cut)
        if reported.returncode != 3 or len(reported.stderr.strip().splitlines()) != 1:
            return f"{int(100 * part)} % of it: exit code {reported.returncode}, {reported.stderr.strip()[-200:]}"
    return None


def renamed_problem(cli, file, folder):
    """ONNX Runtime recognizes its format by the name; this program by the content. What is wrong, or None."""
    renamed = folder / "renamed.bin"
    renamed.write_bytes(file.read_bytes())
    for command in (["run", renamed, "--engine", "onnxruntime", "--onnxruntime", sys.executable],
                    ["bench", renamed, "--vs", "onnxruntime", "--onnxruntime", sys.executable, "--runs", 3, "--seconds",
                 0.05],
                    ["optimize", renamed, "-o", folder / "again.onnx"]):
        reported = run(cli, *command)
        if reported.returncode:
            return f"{command[0]} of a renamed file: {' '.join(reported.stderr.split())[-200:]}"
    return None


def recorded_inputs(path, references, s):
    recorded = sorted((references / path.stem).glob("*/inputs.npz")) if references else []
    if not recorded:
        return seeded_inputs(s)
    with np.load(recorded[0], allow_pickle=False) as archive:
        return {i.name: archive[i.name] for i in s.get_inputs()}


def export_problem(cli, model, values, expected, moves, folder):
    """Of what `optimize` has ONNX Runtime write, or None."""
    out = folder / "ours.ort"
    out.unlink(missing_ok=True)
    reported = run(cli, "optimize", model, "-o", out, "--onnxruntime", sys.executable)
    if reported.returncode:
        return " ".join(reported.stderr.split())[-300:]
    if "written by ONNX Runtime" not in reported.stdout:
        return "it does not say who wrote the file"
    try:
        return difference(ort_session(out).run(None, values), expected, moves)
    except Exception as error:  # noqa: BLE001
        return " ".join(str(error).split())[:300]


class Sweep:
    def __init__(self, cli, references, folder):
        self.cli, self.references, self.folder = cli, references, folder
        self.files = self.exports = self.failed = 0

    def report(self, model, what, problem):
        if problem:
            self.failed += 1
            print(f"{model.name}, {what}: {problem}")

    def judge_file(self, model, what, file, values, original):
        """A file that ONNX Runtime wrote. `original`: outputs of the model before."""
        theirs = ort_session(file)
        names = [o.name for o in theirs.get_outputs()]
        expected = theirs.run(names, values)
        found, problem = outputs_here(self.cli, file, values, names, self.folder)
        self.files += 1
        self.report(model, what, problem or compared(found, expected, moves_by(original, expected)) or
                    cut_problem(self.cli, file, self.folder))
        reported = run(self.cli, "info", file, "--json")
        if reported.returncode or not json.loads(reported.stdout)["nodes"]:
            self.report(model, what, "info: " + (reported.stderr.strip()[-200:] or "it has no nodes"))

    def judge(self, model):
        try:
            original = session(model, "disabled")
            values = recorded_inputs(model, self.references, original)
            expected = original.run(None, values)
            moves = moves_by(expected, session(model, "all").run(None, values))
        except Exception as error:  # noqa: BLE001 - every failure is reported
            print(f"{model.name}: left out, ONNX Runtime does not run it: {' '.join(str(error).split())[:120]}")
            return
        file = self.folder / "theirs.ort"
        whole = model.stat().st_size <= SMALL
        for level, at_run_time in [("disabled", False), ("extended", False), ("all", False), ("extended", True)]:
            if at_run_time and not whole:
                continue
            what = f"ONNX Runtime's {level}" + (" saved for run time" if at_run_time else "")
            problem = write_ort(model, level, file, at_run_time)
            if problem:
                print(f"{model.name}, {what}: not written: {problem}")
                continue
            try:
                self.judge_file(model, what, file, values, expected)
            except Exception as error:  # noqa: BLE001
                print(f"{model.name}, {what}: ONNX Runtime does not run its own file: {str(error)[:120]}")
            if model.stem in SAMPLES and level == "all":
                self.report(model, what, renamed_problem(self.cli, file, self.folder))
        self.exports += 1
        self.report(model, "export", export_problem(self.cli, model, values, expected, moves, self.folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("models", nargs="?", type=pathlib.Path)
    parser.add_argument("references", nargs="?", type=pathlib.Path)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sweep = Sweep(args.cli, args.references, folder)
        models = []
        for sample in SAMPLES:
            models.append(folder / f"{sample}.onnx")
            subprocess.run([args.cli, "sample", sample, "-o", models[-1]], check=True, capture_output=True)
        if args.models and args.models.is_dir():
            models += sorted(args.models.rglob("*.onnx"))
        else:
            print(f"there is no folder {args.models}: samples alone")
        for model in models:
            if model.stem in SAMPLES or args.only in model.stem and model.stem not in LEFT_OUT:
                sweep.judge(model)
    print(f"{sweep.files} .ort files of ONNX Runtime {ort.__version__} read, {sweep.exports} exports, "
          f"{sweep.failed} problems")
    return 1 if sweep.failed or not sweep.files else 0


if __name__ == "__main__":
    sys.exit(main())
