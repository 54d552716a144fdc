# SPDX-License-Identifier: Apache-2.0
"""Ten exports of PyTorch agree with recordings of their networks, and `diverge` names the node of a planted fault.

    first_differences.py SOURCE CLI [--only NETWORK] [--keep FOLDER]

For each network of torch_networks.py: resources/record/record.py records a run, torch.onnx.export writes the model, and
`diverge MODEL --recorded RUN` must find no difference. Where nodes carry a line of code, at least 95 % of the values
have one, at every level. Then each fault of planted_faults.py is planted, and two questions are asked: `diverge MODEL
BROKEN` has to name the right node first, and `diverge BROKEN --recorded RUN` has to have it among the nodes that may be
the cause. At most two of the forty may stay unnamed, and none may be answered by a wrong node.

Exit code 77 when the Python packages torch, onnx or onnxscript are not installed: skipped.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxscript  # noqa: F401 - the exporter needs it
    import torch
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

from planted_faults import FAULTS, planted  # noqa: E402
from torch_networks import NETWORKS, export, make  # noqa: E402

MOST_UNNAMED = 2
LEAST_LINES = 0.95
LEVELS = ("disabled", "basic", "extended", "all")


class Differences:
    def __init__(self, cli):
        self.cli, self.faults, self.unnamed, self.named = cli, [], [], 0
        self.modules = {"right": 0, "none": 0}

    def command(self, what, *arguments, statuses=(0, 1)):
        done = subprocess.run([self.cli, *map(str, arguments), "--json", "-q"], capture_output=True, text=True,
                              timeout=300)
        if done.returncode not in statuses:
            self.faults.append(f"{what}: exit code {done.returncode}: {done.stderr[:400]}{done.stdout[:400]}")
            return None
        return json.loads(done.stdout)

    def check_agreement(self, name, path, recording):
        found = self.command(f"{name} against its recording", "diverge", path, "--recorded", recording, statuses=(0,))
        if found is None:
            return
        modules = found["recording"]["modules"]
        agreeing = sum(module["state"] == "agrees" for module in modules)
        print(f"{name}: {agreeing} of {len(modules)} recorded values agree", flush=True)
        if agreeing == 0:
            self.faults.append(f"{name}: nothing that was recorded was found in the export")

    def check_lines(self, name, path, inputs):
        carrying = sum(any(entry.key == "pkg.torch.onnx.stack_trace" for entry in node.metadata_props)
                       for node in onnx.load(path).graph.node)
        if carrying == 0:
            return
        for level in LEVELS:
            found = self.command(f"{name}, lines at level {level}", "inspect", path, "--value", "*", "--inputs",
                                 inputs, "--level", level, "--session-passes", "off", statuses=(0,))
            if found is None:
                continue
            sources = [value.get("source", {}) for value in found["values"] if value.get("node")]
            share = sum(bool(source.get("lines")) for source in sources) / max(len(sources), 1)
            if share < LEAST_LINES:
                self.faults.append(f"{name}: at level {level}, {share:.0%} of {len(sources)} values have a line")

    def check_fault(self, network, what, broken, path, recording, inputs, names):
        title = f"{network}, {what}"
        found = self.command(title, "diverge", path, broken, "--inputs", inputs)
        if found is not None:
            causes = found["causes"]
            answers = [causes[0]["node_b"], causes[0]["node_a"]] if causes else []
            nodes = causes[0]["nodes_b"] + causes[0]["nodes_a"] if causes else []
            if any(answer in names for answer in answers):
                self.named += 1
            elif causes:
                self.faults.append(f"{title}: {sorted(names)} expected, {answers} named of {nodes}")
            else:
                self.unnamed.append(f"{title}: {found['verdict']}, no node is named")
        found = self.command(f"{title}, recorded", "diverge", broken, "--recorded", recording)
        if found is None:
            return
        suspects = found["recording"].get("suspects", [])
        if any(name in suspects for name in names):
            self.modules["right"] += 1
        elif "first" not in found["recording"]:
            self.modules["none"] += 1
            print(f"{title}: no recorded module differs ({found['verdict']})")
        else:
            first = found["recording"]["modules"][found["recording"]["first"]]
            self.faults.append(f"{title}: module {first['path']} is named, nodes {suspects}, not {sorted(names)}")


def run(checker, record, folder, name):
    model, inputs = make(name)
    path, recording, given = folder / f"{name}.onnx", folder / f"{name}-run.npz", folder / f"{name}-inputs.npz"
    with torch.no_grad(), record.Recorder(model, recording):
        model(*inputs)
    export(name, model, inputs, path)
    np.savez(given, **{of: np.asarray(value) for of, value in zip(NETWORKS[name][2], inputs)})
    checker.check_agreement(name, path, recording)
    checker.check_lines(name, path, given)
    for network, what, change in FAULTS:
        if network != name:
            continue
        broken = folder / f"{name}-broken.onnx"
        try:
            names = planted(path, change, broken)
        except (IndexError, StopIteration, KeyError) as error:
            checker.unnamed.append(f"{name}, {what}: this release exports no such node: {error!r}")
            continue
        checker.check_fault(name, what, broken, path, recording, given, names)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("cli")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    sys.path.insert(0, str(options.source / "resources" / "record"))
    import record
    checker = Differences(options.cli)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in NETWORKS:
            if options.only in name:
                run(checker, record, folder, name)
    print(f"faults named by their node: {checker.named}; not named: {len(checker.unnamed)}; by recordings: "
          f"{checker.modules['right']} right, {checker.modules['none']} not seen")
    print("\n".join(checker.unnamed + checker.faults))
    return 1 if checker.faults or len(checker.unnamed) > MOST_UNNAMED else 0


if __name__ == "__main__":
    sys.exit(main())
