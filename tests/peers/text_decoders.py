# SPDX-License-Identifier: Apache-2.0
"""Two small language models, trained here on the documentation that Python carries, for few_bits.py.

train() trains one and writes model, calibration and held-out text. One has the shape of GPT-2 (learned positions,
LayerNorm, GELU, biases), the other that of Llama (rotary positions, RMSNorm, gated units, grouped queries). Tokens are
bytes. Needs the packages torch, onnx and onnxscript; seeds are fixed.
"""
import contextlib
import io
import math
import pydoc_data.topics
import warnings

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, LAYERS, WINDOW, BYTES = 256, 4, 4, 128, 256
BATCH, STEPS, RATE = 12, 350, 2e-3
CALIBRATION_LINES, HELD_OUT = 32, 8192

warnings.filterwarnings("ignore")


class Attention(nn.Module):
    def __init__(self, heads_of_cache, bias, rotary):
        super().__init__()
        self.size, self.groups, self.rotary = WIDTH // HEADS, HEADS // heads_of_cache, rotary
        self.query = nn.Linear(WIDTH, WIDTH, bias=bias)
        self.key = nn.Linear(WIDTH, heads_of_cache * self.size, bias=bias)
        self.value = nn.Linear(WIDTH, heads_of_cache * self.size, bias=bias)
        self.out = nn.Linear(WIDTH, WIDTH, bias=bias)

    def forward(self, x):
        def heads(y):
            return y.unflatten(-1, (-1, self.size)).transpose(1, 2)
        query, key, value = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
        if self.rotary:
            query, key = rotated(query), rotated(key)
        key, value = (y.repeat_interleave(self.groups, 1) for y in (key, value))
        length = torch.arange(x.shape[1])
        scores = query @ key.transpose(2, 3) / math.sqrt(self.size)
        scores = scores.masked_fill(length[None, :] > length[:, None], -1e4)
        return self.out((scores.softmax(-1) @ value).transpose(1, 2).flatten(2))


def rotated(x):
    half = x.shape[-1] // 2
    rates = 10000.0 ** (-torch.arange(half) / half)
    angles = torch.arange(x.shape[2])[:, None] * rates[None, :]
    left, right = x[..., :half], x[..., half:]
    cosine, sine = angles.cos(), angles.sin()
    return torch.cat([left * cosine - right * sine, right * cosine + left * sine], -1)


class RmsNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.up = (nn.Linear(WIDTH, 3 * WIDTH, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * WIDTH, WIDTH, bias=False)

    def forward(self, x):
        return self.down(functional.silu(self.gate(x)) * self.up(x))


class Layer(nn.Module):
    def __init__(self, is_llama):
        super().__init__()
        self.first, self.second = (RmsNorm() if is_llama else nn.LayerNorm(WIDTH) for _ in range(2))
        self.attention = Attention(HEADS // 2 if is_llama else HEADS, not is_llama, is_llama)
        self.unit = Gated() if is_llama else nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.unit(self.second(x))


class Decoder(nn.Module):
    def __init__(self, is_llama):
        super().__init__()
        self.table = nn.Embedding(BYTES, WIDTH)
        self.positions = None if is_llama else nn.Embedding(2 * WINDOW, WIDTH)
        self.layers = nn.ModuleList(Layer(is_llama) for _ in range(LAYERS))
        self.norm = RmsNorm() if is_llama else nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, BYTES, bias=False)

    def forward(self, input_ids):
        x = self.table(input_ids)
        if self.positions is not None:
            x = x + self.positions(torch.arange(input_ids.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


MODELS = {"GPT-2's shape": False, "Llama's shape": True}


def text():
    """What pydoc says of the language, as bytes; without indentation, which is too easy to predict."""
    topics = pydoc_data.topics.topics
    return " ".join(" ".join(topics[name] for name in sorted(topics)).split()).encode()


def trained(is_llama, tokens):
    torch.manual_seed(5)
    model = Decoder(is_llama)
    for name, weight in model.named_parameters():
        if weight.dim() > 1:
            nn.init.normal_(weight, std=0.02 if "table" in name or "positions" in name else WIDTH ** -0.5)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=STEPS)
    for _ in range(STEPS):
        first = torch.randint(0, len(tokens) - WINDOW - 1, (BATCH,))
        rows = torch.stack([tokens[i:i + WINDOW + 1] for i in first])
        loss = functional.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    return model.eval(), loss.item()


def train(name, folder):
    """Paths of the model, its calibration and its held-out text, in `folder`; the last loss in nats."""
    torch.set_num_threads(2)
    tokens = torch.tensor(list(text()))
    learned, held_out = tokens[:-HELD_OUT], tokens[-HELD_OUT:]
    model, loss = trained(MODELS[name], learned)
    file, lines, other = folder / "float.onnx", folder / "calibration.ids", folder / "held_out.ids"
    with contextlib.redirect_stdout(io.StringIO()):
        torch.onnx.export(model, (tokens[None, :WINDOW],), str(file), input_names=["input_ids"],
                          output_names=["logits"], dynamic_shapes={"input_ids": {1: torch.export.Dim("length", min=2)}},
                          opset_version=18, external_data=False, dynamo=True)
    step = len(learned) // CALIBRATION_LINES
    lines.write_text("\n".join(" ".join(str(int(token)) for token in learned[i * step:i * step + WINDOW])
                               for i in range(CALIBRATION_LINES)) + "\n")
    other.write_text(" ".join(str(int(token)) for token in held_out) + "\n")
    return file, lines, other, loss
