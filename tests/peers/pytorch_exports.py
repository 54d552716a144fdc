# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's exporter and the model builder of onnxruntime-genai write today loads, optimizes and agrees here.

    pytorch_exports.py CLI [--only TEXT] [--keep FOLDER]

Small networks with random weights: a transformer encoder, a decoder with key/value cache, convolutional networks and
LSTMs are exported by torch.onnx.export at each opset from 18 to the newest that the exporter writes; language models of
a few kilobytes by the builder, in float32 and with 4-bit weights. Each must run here at the levels disabled and all
with ONNX Runtime's outputs, and keep at most as many nodes at extended as ONNX Runtime keeps there.

Exit code 77 when the Python packages torch, onnxscript or onnxruntime are not installed: skipped. The builder's models
are left out, with a line, where onnxruntime_genai or transformers are not.
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
    import numpy as np
    import onnx
    import onnxscript  # noqa: F401 - the exporter needs it
    import torch
    from torch import nn

    from onnxruntime_peer import cli, difference, moves_by, session
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

warnings.filterwarnings("ignore")


class Decoder(nn.Module):
    """One block of a decoder: rotary positions, grouped queries, a cache that grows."""

    def __init__(self, width=32, heads=4, groups=2):
        super().__init__()
        self.heads, self.groups, self.head = heads, groups, width // heads
        self.q, self.k = nn.Linear(width, width, bias=False), nn.Linear(width, groups * self.head, bias=False)
        self.v, self.o = nn.Linear(width, groups * self.head, bias=False), nn.Linear(width, width, bias=False)
        self.norm, self.gate = nn.RMSNorm(width), nn.Linear(width, 2 * width, bias=False)
        self.up, self.down = nn.Linear(width, 2 * width, bias=False), nn.Linear(2 * width, width, bias=False)

    def turned(self, x, positions):
        half = self.head // 2
        angle = positions[:, None, :, None] / 10000 ** (torch.arange(half) / half)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)

    def forward(self, x, past_key, past_value):
        n = self.norm(x)
        batch, length, _ = n.shape
        split = lambda t, heads: t.view(batch, length, heads, self.head).transpose(1, 2)
        positions = (torch.arange(length) + past_key.shape[2]).expand(batch, -1)
        q = self.turned(split(self.q(n), self.heads), positions)
        key = torch.cat([past_key, self.turned(split(self.k(n), self.groups), positions)], 2)
        value = torch.cat([past_value, split(self.v(n), self.groups)], 2)
        wide = lambda t: t.repeat_interleave(self.heads // self.groups, 1)
        a = nn.functional.scaled_dot_product_attention(q, wide(key), wide(value))
        x = x + self.o(a.transpose(1, 2).reshape(batch, length, -1))
        return x + self.down(nn.functional.silu(self.gate(self.norm(x))) * self.up(self.norm(x))), key, value


class Tagger(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.words, self.layers = nn.Embedding(50, 16), cell(16, 12, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(24, 5)

    def forward(self, x):
        return self.out(self.layers(self.words(x))[0])


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.SiLU(),
                                  nn.MaxPool2d(3, 2, 1))
        self.deep = nn.Sequential(nn.Conv2d(16, 16, 3, 1, 1, groups=16, bias=False), nn.BatchNorm2d(16), nn.Hardswish(),
                                  nn.Conv2d(16, 16, 1, bias=False), nn.BatchNorm2d(16))
        self.squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(16, 4, 1), nn.ReLU(), nn.Conv2d(4, 16, 1),
                                     nn.Hardsigmoid())
        self.up, self.head = nn.ConvTranspose2d(16, 8, 2, 2), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        x = self.stem(x)
        d = self.deep(x)
        x = torch.relu(x + d * self.squeeze(d))
        return self.head(nn.functional.interpolate(self.up(x), scale_factor=2.0, mode="bilinear"))


def encoder():
    layer = nn.TransformerEncoderLayer(32, 4, 64, activation="gelu", batch_first=True, norm_first=True)
    return nn.Sequential(nn.Embedding(60, 32), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False),
                         nn.LayerNorm(32), nn.Linear(32, 7))


def networks():
    """(name, module, example inputs, dynamic axes by input)."""
    ids = torch.randint(0, 50, (2, 9))
    batch, length, past = (torch.export.Dim(n, min=1, max=64) for n in ("batch", "length", "past"))
    yield "encoder", encoder(), (ids,), ({0: batch, 1: length},)
    cache = torch.randn(2, 2, 5, 8)
    yield "decoder", Decoder(), (torch.randn(2, 3, 32), cache, cache.clone()), ({
        0: batch,
        1: length
    }, {
        0: batch,
        2: past
    }, {
        0: batch,
        2: past
    })
    yield "convolutions", Residual(), (torch.randn(2, 3, 32, 32),), ({0: batch},)
    yield "lstm", Tagger(nn.LSTM), (ids,), ({0: batch},)
    yield "gru", Tagger(nn.GRU), (ids,), ({0: batch},)


def newest_opset():
    from torch.onnx._internal.exporter import _constants

    return max(
        getattr(_constants, n) for n in dir(_constants) if "OPSET" in n and isinstance(getattr(_constants, n), int))


def torch_exports(folder):
    for name, module, example, axes in networks():
        module.eval()
        for opset in range(18, max(24, newest_opset()) + 1):
            path = folder / f"{name}_{opset}.onnx"
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                torch.onnx.export(module,
                                  example,
                                  str(path),
                                  dynamo=True,
                                  opset_version=opset,
                                  dynamic_shapes=axes,
                                  verbose=False)
            written = {o.domain: o.version for o in onnx.load(path, load_external_data=False).opset_import}[""]
            if written == opset:
                yield path, {i.name: e.numpy() for i, e in zip(session(path, "disabled").get_inputs(), example)}


def built_models(folder):
    """Language models of the builder: (path, None); a line for each kind that cannot be made."""
    try:
        import transformers
        import onnxruntime_genai  # noqa: F401
        import tokenizers
    except ImportError as missing:
        print(f"models of the builder left out: the Python package {missing.name} is not installed")
        return
    small = dict(vocab_size=64,
                 hidden_size=64,
                 intermediate_size=96,
                 num_hidden_layers=2,
                 num_attention_heads=4,
                 num_key_value_heads=2,
                 max_position_embeddings=64,
                 bos_token_id=1,
                 eos_token_id=2,
                 pad_token_id=0)
    for kind in ("Llama", "Qwen2", "Mistral", "Phi3", "Gemma2"):
        source = folder / f"source_{kind}"
        try:
            config = getattr(transformers, f"{kind}Config")(**small)
            transformers.set_seed(1)
            getattr(transformers, f"{kind}ForCausalLM")(config).save_pretrained(source)
            words = tokenizers.Tokenizer(tokenizers.models.WordLevel({f"w{i}": i for i in range(64)}, unk_token="w0"))
            transformers.PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(source)
        except Exception as error:  # noqa: BLE001 - another release of transformers
            print(f"{kind}: left out: {str(error)[:160]}")
            continue
        for precision in ("fp32", "int4"):
            out = folder / f"{kind}_{precision}"
            done = subprocess.run([
                sys.executable, "-m", "onnxruntime_genai.models.builder", "-i", source, "-o", out, "-p", precision,
                "-e", "cpu", "-c", folder / "cache"
            ],
                                  capture_output=True,
                                  text=True)
            if done.returncode or not (out / "model.onnx").exists():
                print(f"{kind} {precision}: left out: {' '.join(done.stderr.split())[-200:]}")
                continue
            yield out / "model.onnx", None


def language_inputs(path, s):
    """Five tokens of one text behind a cache of three: ONNX Runtime takes no more texts at once there."""
    decoder = json.loads((path.parent / "genai_config.json").read_text())["model"]["decoder"]
    random = np.random.RandomState(3)
    values = {"attention_mask": np.ones((1, 8), np.int64), "position_ids": np.arange(3, 8)[None],
              "input_ids": random.randint(3, 60, (1, 5)).astype(np.int64)}
    for i in s.get_inputs():
        if i.name.startswith("past_key_values"):
            values[i.name] = random.standard_normal(
                (1, decoder["num_key_value_heads"], 3, decoder["head_size"])).astype(np.float32)
    return {i.name: values[i.name] for i in s.get_inputs()}


def nodes_of(path):
    def count(graph):
        return sum(1 + sum(count(a.g) for a in n.attribute if a.type == onnx.AttributeProto.GRAPH) for n in graph.node)

    return count(onnx.load(path, load_external_data=False).graph)


def check(program, path, inputs, folder):
    """(problems, nodes of ours, nodes of ONNX Runtime) at extended."""
    original = session(path, "disabled")
    inputs = inputs or language_inputs(path, original)
    names = [o.name for o in original.get_outputs()]
    expected = original.run(None, inputs)
    theirs = folder / "theirs.onnx"
    moves = moves_by(session(path, "extended", saved=theirs).run(None, inputs), expected)
    np.savez(folder / "inputs.npz", **inputs)
    problems = []
    for level in ("disabled", "all"):
        try:
            cli(program, "run", path, "--level", level, "--inputs", folder / "inputs.npz", "--outputs",
                folder / "outputs.npz")
            with np.load(folder / "outputs.npz") as archive:
                if text := difference([archive[n] for n in names], expected, moves):
                    problems.append(f"at {level}: {text}")
        except RuntimeError as error:
            problems.append(f"at {level}: {str(error)[:300]}")
    ours = folder / "ours.onnx"
    try:
        cli(program, "optimize", path, "-o", ours, "--level", "extended", "--guard")
        if text := difference(session(ours, "disabled").run(names, inputs), expected, moves):
            problems.append(f"export in ONNX Runtime: {text}")
    except Exception as error:  # noqa: BLE001
        return problems + [f"export: {' '.join(str(error).split())[:300]}"], 0, nodes_of(theirs)
    return problems, nodes_of(ours), nodes_of(theirs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="folder for the models; else a temporary one")
    options = parser.parse_args()
    models = failed = above = 0
    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for source in (torch_exports, built_models):
            for path, inputs in source(folder):
                if options.only not in str(path.relative_to(folder)):
                    continue
                with tempfile.TemporaryDirectory() as work:
                    problems, ours, theirs = check(options.cli, path, inputs, pathlib.Path(work))
                models += 1
                failed += bool(problems)
                above += ours > theirs
                print(f"{path.relative_to(folder)}: {ours} nodes, ONNX Runtime {theirs}" + "".join(f"\n    {p}"
                                                                                                   for p in problems),
                      flush=True)
    print(f"{models} models, {failed} failed, {above} with more nodes than ONNX Runtime")
    return 1 if failed or above or not models else 0


if __name__ == "__main__":
    sys.exit(main())
