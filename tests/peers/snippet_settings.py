#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What settings of programs that `lapidary-cli snippet` writes do, asked of the installed ONNX Runtime.

A session at log severity 0 prints all its options in one line: attributes and configuration have to be there as they
were given, from the Python program and from the C program over the package's library. What they are for is seen too:
the arena in its log, the level in the optimized model, the profile in its file. Programs with providers that this
package does not have must end and name the provider, with every option of the provider taken. C++ and Rust are
compiled against stubs; of C# every member that is named has to be in a stub, for want of a compiler. The list of keys
is held against the bytes of the library.

usage: snippet_settings.py LAPIDARY_CLI      exit code 77: ONNX Runtime's Python package is missing
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

from snippets import (CLI, HERE, VERSION, check, check_cpp, check_csharp, check_rust, cli, failures, ort, snippet,
                      stub_headers)

MINOR = int(VERSION.split(".")[1])
KEYS = HERE.parent.parent / "core" / "tools" / "export" / "session_keys.inc"
OPTIONS = HERE.parent.parent / "core" / "tools" / "export" / "provider_option_names.inc"
LIBRARIES = sorted(glob.glob(str(Path(ort.__file__).parent / "capi" / "libonnxruntime.so*")))
# Attributes with the value given and what the session says then.
EVERYWHERE = {
    "enable_mem_pattern": ("0", "enable_mem_pattern:0"),
    "enable_cpu_mem_arena": ("0", "enable_cpu_mem_arena:0"),
    "log_verbosity_level": ("1", "session_log_verbosity_level:1"),
    "logid": ("snippet \"x\"", 'session_logid:snippet "x"'),
    "intra_op_num_threads": ("3", "thread_pool_size: 3"),
    "execution_mode": ("ORT_PARALLEL", "execution_mode:1"),
    "session.dynamic_block_base": ("4", "session.dynamic_block_base: 4"),
    "session.intra_op.allow_spinning": ("0", "session.intra_op.allow_spinning: 0"),
}
NOT_IN_CSHARP = {"use_deterministic_compute": ("1", "use_deterministic_compute:1")}
PYTHON_ALONE = {
    "enable_mem_reuse": ("0", "enable_mem_reuse:0"),
    "execution_order": ("PRIORITY_BASED", "execution_order:PRIORITY_BASED"),
}
# Read by execution providers and processors that this package is not for.
OF_OTHER_BUILDS = re.compile(r"ep\.(dml|nnapi|cuda)\.|ep\.(stop_)?share_|ep\.context_|kleidiai|arm64")
# Release 1.N from which C adds the provider by its name.
FIRST_IN_C = {"CUDA": 12, "TensorRT": 12, "DirectML": 17, "CoreML": 21, "OpenVINO": 16, "QNN": 15}
VALUES = {"device_id": "0", "performance_preference": "high_performance", "device_filter": "gpu",
          "disable_metacommands": "false"}


def words_of(settings):
    return [word for key, (value, _) in settings.items() for word in ("--config", f"{key}={value}")]


def session_line(text):
    """The line in which a session prints its options."""
    lines = [line for line in text.splitlines() if "Session Options {" in line]
    return lines[0] if lines else ""


def run_python(text, folder, severity=None):
    """The program in a process of its own; `severity` of what the environment logs."""
    file = folder / "program.py"
    file.write_text((f"import onnxruntime\nonnxruntime.set_default_logger_severity({severity})\n"
                     if severity is not None else "") + text)
    return subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=300, cwd=folder)


def run_c(text, folder, include):
    """The program over the package's library; None where there is no compiler or no library."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler or not LIBRARIES:
        return None
    library = folder / "libonnxruntime.so"
    if not library.exists():
        shutil.copy(LIBRARIES[0], library)
        for name in {Path(LIBRARIES[0]).name, "libonnxruntime.so.1"} - {"libonnxruntime.so"}:
            (folder / name).symlink_to("libonnxruntime.so")
    (folder / "main.c").write_text(text)
    done = subprocess.run([
        compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{include}", folder / "main.c", "-o", folder / "main",
        f"-L{folder}", "-lonnxruntime", f"-Wl,-rpath,{folder}", "-Wl,--allow-shlib-undefined"
    ], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return subprocess.run([folder / "main"], capture_output=True, text=True, timeout=300, cwd=folder)


def check_told(done, settings, what):
    line = session_line(done.stdout + done.stderr)
    check(done.returncode == 0, f"{what} runs {done.stderr[-500:] if done.returncode else ''}")
    if MINOR < 17:
        print(f"skipped: {what}, sessions of 1.{MINOR} do not print their options")
        return
    missing = [reported for _, reported in settings.values() if reported not in line]
    check(line and not missing, f"{what}: the session has {len(settings)} settings as given {missing}")
    entries = line[line.find("config_options:"):]
    attributes = [key for key in settings if "." not in key and f"{key}:" in entries]
    check(not attributes, f"{what}: no attribute is an entry of the configuration {attributes}")


def check_attributes(model, folder, include):
    log = {"log_severity_level": ("0", "session_log_severity_level:0")}
    settings = {**EVERYWHERE, **NOT_IN_CSHARP, **PYTHON_ALONE, **log}
    text = snippet(model, "python", words_of(settings), {})
    check_told(run_python(text, folder), settings, "python")
    scope = {}
    exec(compile(text.replace("log_severity_level = 0", "log_severity_level = 3"), "snippet.py", "exec"), scope)
    held = {key: getattr(scope["options"], key, None) for key in settings if "." not in key}
    wrong = [key for key, value in held.items()
             if key != "log_severity_level" and settings[key][0] not in (str(value), str(int(value is True)),
                                                                         getattr(value, "name", ""))]
    check(not wrong, f"python: {len(held)} attributes are read back as given {wrong}")
    entries = {key: value for key, (value, _) in settings.items() if "." in key}
    check(all(scope["options"].get_session_config_entry(key) == value for key, value in entries.items()),
          f"python: {len(entries)} entries are read back as given")
    settings = {**EVERYWHERE, **(NOT_IN_CSHARP if MINOR >= 17 else {}), **log}
    done = run_c(snippet(model, "c", words_of(settings), {}), folder, include)
    if done is None:
        print("skipped: C, there is no compiler, or the package has no C library")
    else:
        check_told(done, settings, "c")
    check_cpp(model, words_of(settings), {}, include, folder)
    if MINOR >= 17:
        check_rust(model, words_of(settings), {}, folder)
    check_csharp_members(model, words_of({**EVERYWHERE, **log}), "attributes")


def check_arena(model, folder, include):
    """With the arena off, none is made; the session says so where the environment logs at severity 1."""
    for value in ("0", "1"):
        words = ["--config", f"enable_cpu_mem_arena={value}"]
        logs = {"python": run_python(snippet(model, "python", words, {}), folder, severity=1).stderr}
        text = snippet(model, "c", words, {}).replace("ORT_LOGGING_LEVEL_WARNING", "ORT_LOGGING_LEVEL_INFO")
        done = run_c(text, folder, include)
        if done is not None:
            logs["c"] = done.stdout + done.stderr
        for language, reported in logs.items():
            check(("Creating BFCArena for Cpu" in reported) == (value == "1"),
                  f"{language}: enable_cpu_mem_arena={value} {'makes' if value == '1' else 'makes no'} arena")


def check_level_and_files(folder, include):
    """The level is seen in the model that the session writes: a Gelu is fused at extended and not at basic."""
    model = folder / "bert.onnx"
    cli("sample", "bert-tiny", "-o", model)
    for language, run in (("python", run_python), ("c", lambda text, at: run_c(text, at, include))):
        for level in ("basic", "extended"):
            words = ["--level", level, "--config", "optimized_model_filepath=written.onnx", "--config",
                     "profile_file_prefix=profile"]
            done = run(snippet(model, language, words, {"batch": 1, "sequence": 8}), folder)
            if done is None:
                continue
            operators = json.loads(cli("info", folder / "written.onnx", "--json"))["operators"]
            check(any("Gelu" in name for name in operators) == (level == "extended"),
                  f"{language}: level {level} is the session's")
            profiles = sorted(folder.glob("profile_*.json"))
            check(len(profiles) == 1, f"{language}: {len(profiles)} profile written")
            for file in (folder / "written.onnx", *profiles):
                file.unlink()


def provider_words(provider):
    """The provider with every option that the release has."""
    names = re.findall(rf'OPTION\({provider.lower()}, "([^"]+)", (\d+)\)', OPTIONS.read_text())
    options = [f"{name}={VALUES.get(name, '1')}" for name, first in names if int(first) <= MINOR]
    return [word for option in options for word in ("--provider-option", f"{provider}:{option}")]


def check_providers(model, folder, include):
    for provider, first_in_c in FIRST_IN_C.items():
        words = ["--provider", provider, *provider_words(provider)]
        if any(provider.lower() in name.lower() for name in ort.get_available_providers()):
            print(f"skipped: {provider} is here, its options are not tried on a device")
            continue
        done = run_python(snippet(model, "python", words, {}), folder)
        reported = done.stdout + done.stderr
        needed = "onnxruntime_qnn" if provider == "QNN" and MINOR >= 24 else "cannot be used"
        check(done.returncode != 0 and needed in reported, f"python: without {provider} the program ends and says so "
              f"{reported[-200:]}")
        done = run_c(snippet(model, "c", words, {}), folder, include) if MINOR >= first_in_c else None
        if done is not None:
            short = "DML" if provider == "DirectML" else provider
            check(done.returncode == 1 and short.lower() in done.stderr.lower(),
                  f"c: {provider} is asked for, and refused by name {done.stderr.strip()[:120]}")
        if MINOR >= first_in_c:
            check_cpp(model, words, {}, include, folder)
        if MINOR >= 17:
            check_rust(model, ["--provider", "DirectML:device_id=0"] if provider == "DirectML" else words, {}, folder)
        of_csharp = {"DirectML": ["--provider", "DirectML:device_id=0"],
                     "OpenVINO": ["--provider", "OpenVINO:device_type=GPU"]}.get(provider, words)
        check_csharp_members(model, of_csharp, provider)
    if MINOR >= 17:
        check_rust(model, ["--provider", "DirectML:performance_preference=minimum_power,device_filter=npu"], {}, folder)


def check_csharp_members(model, words, what):
    check_csharp(model, words, {})
    text = snippet(model, "csharp", words, {})
    stub = (HERE / "onnxruntime_csharp_stub.cs").read_text()
    named = set(re.findall(r"options\.(\w+)", text)) | set(re.findall(r"\b(ORT_LOGGING\w+|Ort\w+Options)\b", text))
    unknown = [name for name in sorted(named) if not re.search(rf"\b{name}\b", stub)]
    check(named and not unknown, f"c#: the binding has what {what} name {unknown}")


def check_keys():
    """Every key that the release is said to read is in its library, and none that a later one is said to begin with."""
    keys = {key: int(first) for key, first in re.findall(r'SESSION_KEY\("([^"]+)", (\d+)\)', KEYS.read_text())}
    bytes_of = b"".join(Path(file).read_bytes() for file in LIBRARIES) or b"".join(
        file.read_bytes() for file in (Path(ort.__file__).parent / "capi").glob("onnxruntime_pybind11_state*"))
    # Compilers compare the beginning of a constant by itself.
    lost = [key for key, first in keys.items()
            if first <= MINOR and not OF_OTHER_BUILDS.search(key) and key.encode()[:16] not in bytes_of]
    early = [key for key, first in keys.items() if first > MINOR and b"\0" + key.encode() + b"\0" in bytes_of]
    check(len(keys) > 100 and not lost, f"keys of 1.{MINOR} are in its library {lost}")
    check(not early, f"no key is in a library before its first release {early}")
    held = {name.decode()
            for name in re.findall(rb"\0((?:session|optimization|mlas)\.[a-z0-9_.]+[a-z0-9_])\0", bytes_of)}
    attributes = {"session.log_id", "session.use_per_session_threads", "session.graph_optimization_level",
                  "session.enable_profiling"} | {"session." + name for name in (*EVERYWHERE, *NOT_IN_CSHARP,
                  "inter_op_num_threads", "optimized_model_filepath", "log_severity_level")}
    whole = {key for key in held if not re.search(r".(session|optimization)\.", key)}  # no two pieces side by side
    unknown = sorted(whole - set(keys) - attributes - {"session.compile_only"})
    check(not unknown, f"every key of the library is known {unknown}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        include = os.environ.get("LAPIDARY_ONNXRUNTIME_INCLUDE") or stub_headers(folder)
        model = folder / "mlp.onnx"
        cli("sample", "mlp", "-o", model)
        check_attributes(model, folder, include)
        check_arena(model, folder, include)
        check_level_and_files(folder, include)
        check_providers(model, folder, include)
        check_keys()
    print(f"{len(failures)} failures ({CLI})")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
