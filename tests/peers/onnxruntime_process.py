# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime of another Python interpreter, asked through a process that stays: for peers that name several releases.

    onnxruntime_process.py        answers lines of JSON: what named_process() of another interpreter starts

A request is {"original": path, "files": [path, ...], "inputs": path of an .npz or null}. The answer has "original": null
or why ONNX Runtime does not load or run it, and "files": {path: null or what is wrong}: each file has to load at level
disabled, and at level all where the original does, and, where the original ran on the inputs and is not random, to give
the same outputs at level disabled: within 1e-3 of the largest, or as far as ONNX Runtime itself keeps them when it
optimizes the original.
"""
import json
import os
import pathlib
import select
import subprocess
import sys

ENVIRONMENT = "LAPIDARY_PEER_PYTHONS"  # further interpreters, as PATH lists folders
SECONDS = 120                          # that one request may take


class OnnxRuntimeProcess:
    """The ONNX Runtime of the interpreter `python`; started again where a file ends it."""

    def __init__(self, python):
        self.python = str(python)
        self.process = None
        self.version = self.ask({"files": []})["version"]
        self.minor = int(self.version.split(".")[1])

    def ask(self, request):
        """The answer; {"ended": what happened} where the process ended or took too long."""
        if self.process is None:
            self.process = subprocess.Popen([self.python, __file__],
                                            stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL,
                                            text=True)
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.process.kill()
        ended = f"ended with {self.process.wait()}" if ready else f"took more than {SECONDS} s"
        self.process = None
        return {"ended": ended}

    def judge(self, original, files, inputs=None):
        """(why the original does not load, or None; {file: problem or None}). A file that ends the process is named."""
        request = {"original": str(original), "files": [], "inputs": str(inputs) if inputs else None}
        answer = self.ask({**request, "files": [str(f) for f in files]})
        if "ended" not in answer:
            return answer["original"], answer["files"]
        alone = self.ask(request)
        if "ended" in alone:
            return f"ONNX Runtime {alone['ended']}", {str(f): None for f in files}
        problems = {}
        for file in files:
            one = self.ask({**request, "files": [str(file)]})
            problems[str(file)] = f"ONNX Runtime {one['ended']}" if "ended" in one else one["files"][str(file)]
        return alone["original"], problems

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


def named_pythons(named=()):
    """This interpreter, those named, and those of the environment variable, each once."""
    pythons = [sys.executable, *named, *filter(None, os.environ.get(ENVIRONMENT, "").split(os.pathsep))]
    return list(dict.fromkeys(str(p) for p in pythons))


def named_runtimes(named=()):
    """Their processes, oldest release first."""
    return sorted((OnnxRuntimeProcess(p) for p in named_pythons(named)), key=lambda r: r.minor)


def largest(np, output):
    """The largest finite magnitude of floats; else 0."""
    if not isinstance(output, np.ndarray) or output.dtype.kind != "f":
        return 0.0
    finite = np.abs(output[np.isfinite(output)].astype(np.float64))
    return float(finite.max()) if finite.size else 0.0


def answer(request, peer):
    if not request["files"] and "original" not in request:
        return {"version": peer.ort.__version__}
    text = lambda error: " ".join(str(error).split())[-400:]
    problem = expected = None
    try:
        original = peer.session(request["original"], "disabled")
    except Exception as error:  # noqa: BLE001 - every failure is a result
        problem = text(error)
    try:
        with peer.np.load(request["inputs"], allow_pickle=False) as archive:
            values = {i.name: archive[i.name] for i in original.get_inputs() if i.name in archive.files}
        names = [o.name for o in original.get_outputs()]
        expected = original.run(names, values)
        if peer.difference(original.run(names, values), expected, [0.0] * len(expected)):
            expected = None  # random
    except Exception:  # noqa: BLE001 - nothing to compare with
        pass
    moves, optimizes = [0.0] * len(expected or ()), False
    try:
        optimized = peer.session(request["original"], "all")
        optimizes = True
        moves = peer.moves_by(optimized.run(names, values), expected)
        # difference() takes twice of it: fused operators of some releases approximate.
        moves = [max(m, 5e-4 * largest(peer.np, e)) for m, e in zip(moves, expected)]
    except Exception:  # noqa: BLE001 - its own optimizer's faults are not looked at here
        pass
    files = {}
    for path in request["files"]:
        try:
            run = peer.session(path, "disabled")
            if optimizes:
                peer.session(path, "all")
            files[path] = None
            if expected is not None:
                files[path] = peer.difference(run.run(names, values), expected, moves)
        except Exception as error:  # noqa: BLE001
            files[path] = text(error)
    return {"original": problem, "files": files}


def main():
    import onnxruntime_peer as peer

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries may print; lines of output are answers
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line), peer)) + "\n")
        answers.flush()


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main()
