# SPDX-License-Identifier: Apache-2.0
"""What resources/record/record.py records of PyTorch agrees with exports, and names the module that is broken in them.

    recordings.py SOURCE CLI [--only TEXT] [--keep FOLDER]

Networks with random weights are recorded and exported by torch.onnx.export, by both of its exporters where the package
has them. `check --recorded` must find that the export agrees. Then a weight of one layer is changed in the file: that
layer, or a module that ends with it, must be named first. Metadata of the exporter must lead to a line of this file.

Exit code 77 when the Python packages torch, onnx or onnxscript are not installed: skipped.
"""
import argparse
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

try:
    import onnx
    import onnxscript  # noqa: F401 - the exporter needs it
    import torch
    from onnx import numpy_helper
    from torch import nn
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

warnings.filterwarnings("ignore")


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv, self.norm, self.act = nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()

    def forward(self, x):
        return x + self.act(self.norm(self.conv(x)))


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.blocks = nn.Conv2d(3, 8, 3), nn.Sequential(*[Block(8) for _ in range(3)])
        self.head = nn.Linear(8, 5)

    def forward(self, image):
        return self.head(self.blocks(self.stem(image)).mean((2, 3)))


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x):
        score = self.q(x) @ self.k(x).transpose(1, 2) / x.shape[-1] ** 0.5
        return self.o(score.softmax(-1) @ self.v(x))


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.attention, self.out = nn.LayerNorm(width), Attention(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, width))

    def forward(self, x):
        x = x + self.attention(self.norm(x))
        return x + self.mlp(self.out(x))


class Transformer(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.words, self.head = nn.Embedding(40, width), nn.Linear(width, 40)
        self.layers = nn.ModuleList(Layer(width) for _ in range(2))

    def forward(self, ids):
        x = self.words(ids)
        for layer in self.layers:
            x = layer(x)
        return {"logits": self.head(x), "hidden": x}


# name, model, inputs, and weights to change with the module that they belong to
CASES = [
    ("convolutional", Convolutional, lambda: (torch.randn(2, 3, 12, 12),),
     [("head.weight", "head"), ("stem.weight", "stem"), ("blocks.1.conv.weight", "blocks.1")]),
    ("transformer", Transformer, lambda: (torch.randint(0, 40, (2, 7)),),
     [("head.bias", "head"), ("layers.1.mlp.0.bias", "layers.1.mlp.0"),
      ("layers.0.attention.q.bias", "layers.0.attention.q"), ("layers.0.out.weight", "layers.0.out")]),
]


def export(model, inputs, path, is_dynamo):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        torch.onnx.export(model, inputs, str(path), dynamo=is_dynamo, **({"external_data": False} if is_dynamo else {}))


def changed(path, weight, to):
    """The file with another weight of that name; False where the exporter folded it into others."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        if tensor.name == weight:
            values = numpy_helper.to_array(tensor).copy()
            values.reshape(-1)[::2] += 1.5
            tensor.CopyFrom(numpy_helper.from_array(values, weight))
            onnx.save(model, to)
            return True
    return False


class Checker:
    def __init__(self, cli):
        self.cli, self.faults, self.checks = cli, [], 0

    def check(self, what, path, recording, status):
        done = subprocess.run([self.cli, "check", str(path), "--recorded", str(recording), "--json"],
                              capture_output=True, text=True, timeout=300)
        self.checks += 1
        if done.returncode != status:
            self.faults.append(f"{what}: expected exit code {status}, found {done.returncode}: {done.stderr[:500]}"
                               f"{done.stdout[:2000] if not done.stderr else ''}")
            return None
        return json.loads(done.stdout)

    def run(self, record, folder, case, is_dynamo):
        name, make, inputs_of, weights = case
        torch.manual_seed(3)
        model, inputs = make().eval(), inputs_of()
        for parameter in model.parameters():  # exporters share what is equal, such as weights of one
            nn.init.normal_(parameter, std=0.3)
        what = f"{name}, {'torch.export' if is_dynamo else 'TorchScript'}"
        path, recording = folder / f"{name}-{int(is_dynamo)}.onnx", folder / f"{name}.npz"
        with torch.no_grad(), record.Recorder(model, recording):
            model(*inputs)
        try:
            export(model, inputs, path, is_dynamo)
        except Exception as error:  # noqa: BLE001 - of an exporter that the package no longer has
            print(f"{what}: not exported: {str(error).splitlines()[0][:120]}")
            return
        found = self.check(what, path, recording, 0)
        if found:
            modules = found["recording"]["modules"]
            agreeing = sum(module["state"] == "agrees" for module in modules)
            print(f"{what}: {agreeing} of {len(modules)} recorded outputs found")
            if "first" in found["recording"]:
                self.faults.append(f"{what}: {modules[found['recording']['first']]} is said to differ")
            if agreeing * 10 < len(modules) * 8:
                self.faults.append(f"{what}: only {agreeing} of {len(modules)} recorded outputs were found")
            lines = [line for module in modules for line in module.get("source", {}).get("lines", [])]
            if is_dynamo and not any(line["file"].endswith("recordings.py") for line in lines):
                self.faults.append(f"{what}: no line of this file in {lines[:3]}")
        for weight, module in weights:
            broken = folder / f"broken-{path.name}"
            if not changed(path, weight, broken):
                print(f"{what}: {weight} is not in the file by this name")
                continue
            found = self.check(f"{what}, {weight} changed", broken, recording, 1)
            if not found:
                continue
            at = found["recording"].get("first")
            named = found["recording"]["modules"][at]["path"] if at is not None else "nothing"
            if named != module and not named.startswith(module + "."):
                self.faults.append(f"{what}, {weight} changed: expected {module}, {named} is named")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("cli")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    sys.path.insert(0, str(options.source / "resources" / "record"))
    import record
    checker = Checker(options.cli)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for case in CASES:
            if options.only in case[0]:
                for is_dynamo in (True, False):
                    checker.run(record, folder, case, is_dynamo)
    print(f"{checker.checks} checks, {len(checker.faults)} faults")
    print("\n".join(checker.faults))
    return 1 if checker.faults else 0


if __name__ == "__main__":
    sys.exit(main())
