# SPDX-License-Identifier: Apache-2.0
"""Every export of real models passes ONNX's checker, loads in ONNX Runtime, and computes the same there.

    exports.py CLI MODELS REFERENCES [--only TEXT] [--levels basic,extended,all] [--python PYTHON ...]

Every model file below MODELS and every sample of `CLI sample` is exported for the targets portable and plain at each
level, behind the guard: one that the guard refuses is a failure, for nothing wrong was planted. What no lowering can
write in ONNX's operators is reported and not counted. The checker of the installed onnx package, with full checks,
must accept what it accepted before; ONNX Runtime must load each export at level disabled and agree with the original's
outputs. Each --python names another interpreter, with another release of ONNX Runtime, which then does the same:
exports of what that release loads must load in it.

Exit code 77 when the Python packages onnxruntime or onnx are not installed: skipped.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# Exports that are not tried: one run takes minutes, the guard makes twelve.
TOO_SLOW = {"niivue"}

try:
    import numpy as np
    import onnxruntime as ort

    from onnxruntime_peer import LEFT_OUT, cli, difference, moves_by, seeded_inputs, session
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)


def compared(original, exports, inputs):
    """{export: problem or None} of this interpreter's ONNX Runtime, or a text where it cannot run the original."""
    with np.load(inputs, allow_pickle=False) as archive:
        values = {n: archive[n] for n in archive.files}
    try:
        reference = session(original, "disabled")
        values = {i.name: values[i.name] for i in reference.get_inputs()}
        expected = reference.run(None, values)
        names = [o.name for o in reference.get_outputs()]
    except Exception as error:  # noqa: BLE001 - every failure is a result
        return " ".join(str(error).split())[:160]
    moves = [0.0] * len(expected)
    for level in ("basic", "extended", "all"):
        try:
            moves = [max(a, b) for a, b in zip(moves, moves_by(session(original, level).run(None, values), expected))]
        except Exception:  # noqa: BLE001 - its own optimizer's faults are not looked at here
            pass
    problems = {}
    for path in exports:
        try:
            problems[path] = difference(session(path, "disabled").run(names, values), expected, moves)
        except Exception as error:  # noqa: BLE001
            problems[path] = " ".join(str(error).split())[-300:]
    return problems


def checker_problem(path):
    """What ONNX's checker says of a file, or None."""
    import onnx

    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception as error:  # noqa: BLE001
        return " ".join(str(error).split())[:300]
    return None


def exported(program, path, folder, levels):
    """The exports of a model: {path: problem of the export itself or None}."""
    exports = {}
    for target in ("portable", "plain"):
        for level in levels:
            out = folder / f"{target}_{level}.onnx"
            try:
                cli(program, "optimize", path, "-o", out, "--level", level, "--target", target, "--guard")
                exports[str(out)] = None
            except RuntimeError as error:
                if "there is no way to write it in ONNX operators" in str(error):
                    print(f"{path.stem}: {out.stem}: {str(error)[-200:]}")
                else:
                    exports[str(out)] = str(error)[:300]
    return exports


def needed_release(program, path):
    """(1, 20) where `info` says that ONNX Runtime reads the export from 1.20 on."""
    first = json.loads(cli(program, "info", path, "--json"))["onnxruntime"]["from"]
    return tuple(map(int, first.split("."))) if first else (99, 0)


def inputs_of(path, references, file):
    """The recorded inputs of a model, else seeded ones, as an archive."""
    original = session(path, "disabled")
    recorded = sorted((references / path.stem).glob("*/inputs.npz"))
    if recorded:
        with np.load(recorded[0], allow_pickle=False) as archive:
            np.savez(file, **{i.name: archive[i.name] for i in original.get_inputs()})
    else:
        np.savez(file, **seeded_inputs(original))


def check(options, path, folder, counts):
    inputs_of(path, options.references, folder / "inputs.npz")
    exports = exported(options.cli, path, folder, options.levels.split(","))
    good = [p for p, problem in exports.items() if problem is None]
    problems = [f"{pathlib.Path(p).stem}: {problem}" for p, problem in exports.items() if problem]
    counts["exports"] += len(exports)
    if before := checker_problem(path):
        print(f"{path.stem}: the checker refuses the original, its exports are not checked: {before[:160]}")
    else:
        counts["checked"] += len(good)
        problems += [f"{pathlib.Path(p).stem}: checker: {text}" for p in good if (text := checker_problem(p))]
    newest_needed = {p: needed_release(options.cli, p) for p in good}
    for python in [sys.executable, *options.python]:
        release = subprocess.run([python, "-c", "import onnxruntime; print(onnxruntime.__version__)"],
                                 capture_output=True,
                                 text=True).stdout
        asked = [p for p in good if newest_needed[p] <= tuple(map(int, release.strip().split(".")[:2]))]
        for p in set(good) - set(asked):
            print(
                f"{path.stem}: {pathlib.Path(p).stem} says that it needs ONNX Runtime "
                f"{'.'.join(map(str, newest_needed[p]))}: not tried in {release.strip()}"
            )
        done = subprocess.run([python, __file__, "--compare", path, folder / "inputs.npz", *asked],
                              capture_output=True,
                              text=True)
        if done.returncode:
            problems.append(f"{python} ended with {done.returncode}: {done.stderr[-200:]}")
            continue
        found = json.loads(done.stdout.splitlines()[-1])
        if isinstance(found["problems"], str):
            print(f"{path.stem}: ONNX Runtime {found['release']} does not run the original: {found['problems']}")
            continue
        counts["compared"] += len(found["problems"])
        problems += [
            f"{pathlib.Path(p).stem}: ONNX Runtime {found['release']}: {t}" for p, t in found["problems"].items() if t
        ]
    return problems


def main():
    if sys.argv[1:2] == ["--compare"]:
        original, inputs, *exports = sys.argv[2:]
        print(json.dumps({"release": ort.__version__, "problems": compared(original, exports, inputs)}))
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("references", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--levels", default="basic,extended,all")
    parser.add_argument("--python", action="append", default=[])
    options = parser.parse_args()
    counts = dict.fromkeys(("models", "exports", "checked", "compared", "problems"), 0)
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        samples = [
            root / f"{s['name']}.onnx" for s in json.loads(cli(options.cli, "sample", "--list", "--json"))["samples"]
        ]
        for path in sorted(options.models.rglob("*.onnx")) + samples:
            if options.only not in path.stem or path.stem in TOO_SLOW or path.stem in LEFT_OUT:
                continue
            with tempfile.TemporaryDirectory() as work:
                if path in samples:
                    path = pathlib.Path(work) / path.name
                    cli(options.cli, "sample", path.stem, "-o", path)
                try:
                    problems = check(options, path, pathlib.Path(work), counts)
                except Exception as error:  # noqa: BLE001
                    print(f"{path.stem}: skipped: {' '.join(str(error).split())[:200]}", flush=True)
                    continue
            counts["models"] += 1
            counts["problems"] += len(problems)
            print("".join(f"{path.stem}: {p}\n" for p in problems), end="", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if counts["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
