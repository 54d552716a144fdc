# SPDX-License-Identifier: Apache-2.0
"""Generated tokens are those of a loop in ONNX Runtime that hands caches from run to run.

    generation_loop.py LAPIDARY_CLI [--model FILE ...] [--new-tokens N]

For the samples gpt2-small, whose caches grow by Concat, and llama-160m, whose caches GroupQueryAttention writes, and
any further models: greedy tokens of `generate` with fixed caches (where the model can) and with growing ones are equal
to those of the loop, up to the first token whose lead over the second is smaller than the tolerance. Given ONNX
Runtime's tokens and caches, logits of some runs are within 1e-3 of the largest (teacher-forced).

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
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)
PROMPT = [464, 1917, 286, 257, 1644, 318, 1479]
TOLERANCE = 1e-3  # of the largest logit
CHECKED = (0, 1, 63)  # runs that are repeated here
TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(int64)": np.int64,
         "tensor(int32)": np.int32, "tensor(bool)": np.bool_}


class Loop:
    """A decoder in ONNX Runtime; caches grow, outputs are handed on as they are."""

    def __init__(self, path):
        options = ort.SessionOptions()
        options.log_severity_level = 4
        self.session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.outputs = [o.name for o in self.session.get_outputs()]
        self.pasts = [i for i in self.session.get_inputs() if i.name.startswith("past")]
        self.others = [i for i in self.session.get_inputs() if not i.name.startswith("past")]
        self.caches = {i.name: np.zeros([1 if axis == 0 else size if isinstance(size, int) else 0
                                         for axis, size in enumerate(i.shape)], TYPES[i.type]) for i in self.pasts}
        self.length = 0

    def inputs(self, tokens):
        total = self.length + len(tokens)
        known = {"input_ids": np.array([tokens]), "attention_mask": np.ones((1, total)),
                 "position_ids": np.arange(self.length, total)[None]}
        return {i.name: known[i.name].astype(TYPES[i.type]) for i in self.others} | self.caches

    def feed(self, tokens):
        """The inputs of the run, and the logits behind the last token."""
        inputs = self.inputs(tokens)
        results = dict(zip(self.outputs, self.session.run(None, inputs)))
        for cache in self.pasts:
            present = cache.name.replace("past_key_values", "present")
            if present not in results:
                present = cache.name.replace("past", "present")
            self.caches[cache.name] = results[present]
        self.length += len(tokens)
        return inputs, results["logits"][0, -1].astype(np.float64)


def greedy(path, count):
    """Tokens, the runs' inputs and logits, of ONNX Runtime."""
    loop, tokens, runs, fed = Loop(path), [], [], PROMPT
    for step in range(count):
        inputs, logits = loop.feed(fed)
        runs.append((inputs if step in CHECKED else None, logits))
        fed = [int(np.argmax(logits))]
        tokens += fed
    return tokens, runs


def asked(cli, *words):
    done = subprocess.run([str(cli), *map(str, words)], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


def first_difference(found, expected, runs):
    """Why the tokens differ, or None. Where two tokens lead by less than the tolerance, either may be chosen."""
    for step, (mine, theirs) in enumerate(zip(found, expected)):
        if mine == theirs:
            continue
        logits = runs[step][1]
        lead = logits[theirs] - logits[mine]
        if lead <= TOLERANCE * np.abs(logits).max():
            print(f"    from token {step} on not comparable: two tokens are {lead:.1e} apart")
            return None
        return f"token {step} is {mine} where {theirs} was expected, whose logit is {lead:.3g} larger"
    return None if len(found) == len(expected) else f"{len(found)} tokens where {len(expected)} were expected"


def forced(cli, path, runs, folder):
    """The largest difference of logits, as a share of the largest, in runs on ONNX Runtime's own caches."""
    worst = 0
    for inputs, expected in runs:
        if inputs is None:
            continue
        np.savez(folder / "inputs.npz", **inputs)
        done = subprocess.run([str(cli), "run", str(path), "--inputs", str(folder / "inputs.npz"), "--outputs",
                               str(folder / "outputs.npz"), "--quiet"], capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip()
        found = np.load(folder / "outputs.npz")["logits"][0, -1].astype(np.float64)
        worst = max(worst, float(np.abs(found - expected).max() / np.abs(expected).max()))
    return worst


def compared(cli, path, count, folder):
    expected, runs = greedy(path, count)
    problems, storages = [], set()
    for kind in ("growing", "auto"):
        made = asked(cli, "generate", path, "--prompt-tokens", ",".join(map(str, PROMPT)), "--new-tokens", count,
                     "--caches", kind, "--json")
        if isinstance(made, str):
            problems.append(f"{kind} caches: {made}")
            continue
        storages.add(made["caches"]["storage"])
        problem = first_difference(made["tokens"], expected, runs)
        if problem:
            problems.append(f"{kind} caches ({made['caches']['storage']}): {problem}")
    worst = forced(cli, path, runs, folder)
    if isinstance(worst, str) or worst > TOLERANCE:
        problems.append(f"teacher-forced: logits differ by {worst}")
    else:
        print(f"{path.stem}: {count} tokens, caches {' and '.join(sorted(storages))}, logits within {worst:.1e}")
    return [f"{path.stem}: {problem}" for problem in problems]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("--model", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--new-tokens", type=int, default=64)
    options = parser.parse_args()
    cli = options.cli.resolve()
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for sample in ("llama-160m", "gpt2-small"):
            path = folder / f"{sample}.onnx"
            written = subprocess.run([str(cli), "sample", sample, "-o", str(path)], capture_output=True,
                                     text=True)
            if written.returncode:
                problems.append(f"sample {sample}: {written.stderr.strip()}")
                continue
            problems += compared(cli, path, options.new_tokens, folder)
            path.unlink()
        for path in options.model:
            problems += compared(cli, path, options.new_tokens, folder)
    print("\n".join(problems) or "all tokens are equal")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
