# SPDX-License-Identifier: Apache-2.0
"""Models in other precisions, and runs of `lapidary-cli bench` beside each engine that is installed.

Sets that name the best of several engines share this: generation_set.py and precision_set.py.
"""
import json
import shlex
import subprocess

from result_pages import PEERS as NAMES  # noqa: F401

PEERS = "onnxruntime,openvino,llama.cpp,pytorch"
# What makes a model of fewer bits of a float one; 4-bit blocks have no zero points, which every engine has a form for.
PRECISIONS = {
    "float32": None,
    "fp16": ["--mode", "fp16"],
    "4-bit": ["--mode", "weights4", "--symmetric-blocks"],
}


def call(options, words):
    """What it prints as JSON; else why there is none."""
    done = subprocess.run(shlex.split(options.launcher) + [str(w) for w in words], capture_output=True, text=True)
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        lines = (done.stderr or done.stdout).strip().splitlines()
        return None, lines[-1].removeprefix("lapidary-cli: ") if lines else f"it ended with code {done.returncode}"


def model_file(options, folder, sample, precision):
    """The sample in a precision, as a file of the folder that is made once; None and the reason where it cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    plain, file = folder / f"{sample}.float32.onnx", folder / f"{sample}.{precision}.onnx"
    if not plain.exists():
        made, problem = call(options, [options.cli, "sample", sample, "-o", plain, "--json"])
        if not made:
            return None, problem
    if file.exists():
        return file, ""
    made, problem = call(options, [options.cli, "quantize", plain, "-o", file, *PRECISIONS[precision], "--generate", 2,
                                   "--quiet", "--json"])
    return (file, "") if made and file.exists() else (None, problem)


def place_words(options, peer):
    if peer == "onnxruntime":
        return ["--onnxruntime", options.onnxruntime] if options.onnxruntime else []
    return ["--peer", options.peer_python] if options.peer_python else []


def beside_each(options, words, peers):
    """The result of `bench` beside each peer by its name, and why others gave none."""
    found, problems = {}, {}
    for peer in peers:
        command = [options.cli, "bench", *words, "--intra", options.intra, "--seconds", options.seconds, "--vs", peer,
                   *place_words(options, peer), *shlex.split(options.bench_words), "--json"]
        result, problem = call(options, command)
        if result:
            found[peer] = result
        else:
            problems[peer] = problem
    return found, problems


def peers_of(options):
    return [peer for peer in options.peers.split(",") if peer]
