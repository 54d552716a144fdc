#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that `lapidary-cli snippet` writes, put to the test.

The Python one runs in the installed ONNX Runtime and must give what this engine gives on the same inputs of zeros. C
and C++ are compiled with all warnings against ONNX Runtime's headers where LAPIDARY_ONNXRUNTIME_INCLUDE names them,
else against stubs made here from the facts of the C interface; where the package brings the C library along, the C
program runs too, with the same outputs. Rust is compiled against a stub of the crate where rustc is installed; C# is
checked for balance.

usage: snippets.py LAPIDARY_CLI      exit code 77: ONNX Runtime's Python package is missing
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import onnxruntime as ort
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CLI = sys.argv[1]
VERSION = ".".join(ort.__version__.split(".")[:2])
HERE = Path(__file__).resolve().parent
CASES = [  # sample, settings of the snippet, sizes of free dimensions
    ("mlp", ["--level", "all", "--intra", "1"], {}),
    ("lenet", ["--level", "basic", "--execution", "parallel", "--inter", "2", "--no-spinning"], {}),
    ("bert-tiny", [
        "--level", "extended", "--disable-optimizer", "GeluFusion", "--disable-optimizer", "fuse_attention", "--config",
        "session.dynamic_block_base=4"
    ], {
        "batch": 2,
        "sequence": 16
    }),
    ("lstm", ["--level", "disabled"], {}),
]
failures = []


def check(condition, words):
    print(("ok    " if condition else "FAIL  ") + words, flush=True)
    if not condition:
        failures.append(words)


def cli(*arguments):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"lapidary-cli {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def snippet(model, language, settings, sizes, version=VERSION):
    dims = [part for name, size in sizes.items() for part in ("--dim", f"{name}={size}")]
    return cli("snippet", model, "--language", language, "--release", version, *settings, *dims)


def our_outputs(model, inputs, sizes, folder):
    np.savez(folder / "in.npz", **inputs)
    dims = [part for name, size in sizes.items() for part in ("--dim", f"{name}={size}")]
    cli("run", model, "--level", "disabled", "--inputs", folder / "in.npz", "--outputs", folder / "out.npz", *dims)
    with np.load(folder / "out.npz") as archive:
        return {name: archive[name] for name in archive.files}


def check_python(model, settings, sizes, folder):
    scope = {}
    exec(compile(snippet(model, "python", settings, sizes), "snippet.py", "exec"), scope)
    ours = our_outputs(model, scope["inputs"], sizes, folder)
    for name, theirs in scope["outputs"].items():
        scale = max(float(np.abs(theirs).max()), 1e-6) if theirs.size else 1
        distance = float(np.abs(theirs.astype(np.float64) -
                                ours[name].astype(np.float64)).max()) / scale if theirs.size else 0
        check(theirs.shape == ours[name].shape and distance < 1e-3,
              f"python {model.stem}: {name} {theirs.shape} differs by {distance:.1e} of its magnitude")
    return scope["outputs"]


def stub_headers(folder):
    """Headers with the declarations that snippets use, the table's functions at their places."""
    table = (HERE / "onnxruntime_c_stub.h").read_text()
    (folder / "onnxruntime_c_api.h").write_text(table)
    shutil.copy(HERE / "onnxruntime_cxx_stub.h", folder / "onnxruntime_cxx_api.h")
    return folder


def printed_numbers(line):
    return [float(number) for number in line.rsplit(":", 1)[1].split()]


def check_c(model, settings, sizes, include, folder, expected):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        print("skipped: C, there is no compiler")
        return
    source = folder / "main.c"
    source.write_text(snippet(model, "c", settings, sizes))
    done = subprocess.run(
        [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}", source],
        capture_output=True,
        text=True)
    check(done.returncode == 0, f"c {model.stem} compiles {done.stderr[:2000]}")
    libraries = sorted(glob.glob(str(Path(ort.__file__).parent / "capi" / "libonnxruntime.so*")))
    if done.returncode != 0 or not libraries:
        return
    shutil.copy(libraries[0], folder / "libonnxruntime.so")
    program = folder / "main"
    names = {Path(libraries[0]).name, "libonnxruntime.so.1"}  # what the library calls itself
    for name in names:
        if not (folder / name).exists():
            (folder / name).symlink_to("libonnxruntime.so")
    done = subprocess.run([
        compiler, "-std=c11", "-O1", "-g", f"-I{include}", source, "-o", program, f"-L{folder}", "-lonnxruntime",
        f"-Wl,-rpath,{folder}", "-Wl,--allow-shlib-undefined"
    ],
                          capture_output=True,
                          text=True)
    check(done.returncode == 0, f"c {model.stem} links {done.stderr[:2000]}")
    if done.returncode != 0:
        return
    done = subprocess.run([program], capture_output=True, text=True, timeout=300)
    lines = done.stdout.splitlines()
    check(done.returncode == 0 and len(lines) == len(expected), f"c {model.stem} runs {done.stderr[:2000]}")
    for line, (name, value) in zip(lines, expected.items()):
        close = np.allclose(printed_numbers(line), value.reshape(-1)[:8], rtol=1e-4, atol=1e-5)
        check(line.startswith(f"{name}: {value.size} elements") and close, f"c {model.stem}: {line[:100]}")


def check_cpp(model, settings, sizes, include, folder):
    compiler = shutil.which("c++") or shutil.which("g++")
    if not compiler:
        print("skipped: C++, there is no compiler")
        return
    source = folder / "main.cpp"
    source.write_text(snippet(model, "cpp", settings, sizes))
    done = subprocess.run(
        [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}", source],
        capture_output=True,
        text=True)
    check(done.returncode == 0, f"c++ {model.stem} compiles {done.stderr[:2000]}")


def check_rust(model, settings, sizes, folder):
    if not shutil.which("rustc"):
        print("skipped: Rust, there is no compiler")
        return
    shutil.copy(HERE / "ort_stub.rs", folder / "ort.rs")
    (folder / "main.rs").write_text(snippet(model, "rust", settings, sizes))
    done = subprocess.run([
        "rustc", "--edition", "2021", "--crate-type", "rlib", "--crate-name", "ort", "-o", folder / "libort.rlib",
        folder / "ort.rs"
    ],
                          capture_output=True,
                          text=True)
    check(done.returncode == 0, f"rust: the stub compiles {done.stderr[:2000]}")
    done = subprocess.run([
        "rustc", "--edition", "2021", "-D", "warnings", "--emit", "metadata", "--extern",
        f"ort={folder / 'libort.rlib'}", "-o", folder / "main.rmeta", folder / "main.rs"
    ],
                          capture_output=True,
                          text=True)
    check(done.returncode == 0, f"rust {model.stem} compiles {done.stderr[:2000]}")


def check_csharp(model, settings, sizes):
    text = snippet(model, "csharp", settings, sizes)
    bare = re.sub(r'\$?"(?:[^"\\]|\\.)*"', '""', re.sub(r"//.*", "", text))
    stack = []
    for character in bare:
        if character in "([{":
            stack.append(character)
        elif character in ")]}":
            if not stack or "([{".index(stack.pop()) != ")]}".index(character):
                stack = ["unbalanced"]
                break
    check(not stack and '"' not in bare.replace('""', ""), f"c# {model.stem} is balanced")


def check_disabling(model, folder):
    """An optimizer that is disabled leaves its pattern, said in Python's way and by the configuration entry of the
    others."""
    entry = re.search(r'"optimization.disable_specified_optimizers", "([^"]*)"',
                      snippet(model, "c", ["--disable-optimizer", "GeluFusion"], {})).group(1)
    names = re.search(r"disabled_optimizers=(\[.*\])",
                      snippet(model, "python", ["--disable-optimizer", "GeluFusion"], {})).group(1)
    for way in ("none", "entry", "names"):
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(folder / f"{way}.onnx")
        options.log_severity_level = 3
        if way == "entry":
            options.add_session_config_entry("optimization.disable_specified_optimizers", entry)
        ort.InferenceSession(str(model),
                             options,
                             providers=["CPUExecutionProvider"],
                             **({
                                 "disabled_optimizers": json.loads(names)
                             } if way == "names" else {}))
        operators = json.loads(cli("info", folder / f"{way}.onnx", "--json"))["operators"]
        has_gelu = any("Gelu" in name for name in operators)
        check(has_gelu == (way == "none") and ("Erf" in operators) != has_gelu,
              f"disabled optimizers by {way}: {'fused' if has_gelu else 'left as it was'}")


def check_files(folder, include):
    """What the session is asked to write is there: a model that this program reads and finds equal, a profile that it
    shows."""
    model = folder / "lenet.onnx"
    settings = ["--level", "basic", "--optimized-model", folder / "optimized.onnx", "--profile-prefix", folder / "prof"]
    outputs = check_python(model, list(map(str, settings)), {}, folder)
    written = sorted(folder.glob("prof_*.json"))
    check((folder / "optimized.onnx").exists() and len(written) == 1,
          f"python: optimized model and {len(written)} profile")
    scope = {}
    exec(compile(snippet(folder / "optimized.onnx", "python", [], {}), "snippet.py", "exec"), scope)
    check(all(np.allclose(outputs[name], scope["outputs"][name], rtol=1e-4, atol=1e-5) for name in outputs),
          "python: the optimized model gives the same")
    shown = json.loads(cli("profile", written[0], "--json"))
    check(
        shown["source"] == "ONNX Runtime" and shown["runs"] == 1 and shown["memory"]["peak_bytes"] is None
        and len(shown["nodes"]) > 0, "the profile is shown")
    for file in (folder / "optimized.onnx", *written):
        file.unlink()
    check_c(model, list(map(str, settings)), {}, include, folder, outputs)
    if sorted(glob.glob(str(Path(ort.__file__).parent / "capi" / "libonnxruntime.so*"))):
        written = sorted(folder.glob("prof_*.json"))
        check((folder / "optimized.onnx").exists() and len(written) == 1,
              f"c: optimized model and {len(written)} profile")
    check_cpp(model, list(map(str, settings)), {}, include, folder)
    check_rust(model, list(map(str, settings)), {}, folder)
    check_csharp(model, list(map(str, settings)), {})


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        include = os.environ.get("LAPIDARY_ONNXRUNTIME_INCLUDE") or stub_headers(folder)
        for sample, settings, sizes in CASES:
            model = folder / f"{sample}.onnx"
            cli("sample", sample, "-o", model)
            outputs = check_python(model, settings, sizes, folder)
            check_c(model, settings, sizes, include, folder, outputs)
            check_cpp(model, settings, sizes, include, folder)
            check_rust(model, settings, sizes, folder)
            check_csharp(model, settings, sizes)
        check_files(folder, include)
        check_disabling(folder / "bert-tiny.onnx", folder)
        odd = folder / "odd \"name\" 'quoted'.onnx"
        shutil.copy(folder / "mlp.onnx", odd)
        check_python(odd, [], {}, folder)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
