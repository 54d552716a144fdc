# SPDX-License-Identifier: Apache-2.0
"""Ten small networks in PyTorch, with random weights of fixed seeds, for the checks that compare exports with them.

NETWORKS lists them; export() writes one to an ONNX file. Needs the packages torch, onnx and onnxscript.
"""
import contextlib
import io
import warnings

import onnx
import onnxscript
import torch
from onnxscript import FLOAT, opset18
from torch import nn
from torch.nn import functional

warnings.filterwarnings("ignore")


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv, self.norm, self.act = nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.LeakyReLU(0.1)

    def forward(self, x):
        return x + self.act(self.norm(self.conv(x)))


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.pool = nn.Conv2d(3, 8, 3, stride=2), nn.AvgPool2d(3, 2, padding=1)
        self.blocks, self.head = nn.Sequential(*[Block(8) for _ in range(3)]), nn.Linear(8, 5)

    def forward(self, image):
        x = self.blocks(self.pool(self.stem(image)))
        return functional.log_softmax(self.head(x.mean((2, 3))), dim=1)


class Attention(nn.Module):
    def __init__(self, width, heads=2):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, mask=None, past=None):
        batch, length, width = x.shape
        q, k, v = (part(x).view(batch, length, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        if past is not None:
            k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
        score = q @ k.transpose(2, 3) / (width // self.heads) ** 0.5
        if mask is not None:
            score = score + mask
        y = self.o((score.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))
        return y if past is None else (y, k, v)


class Layer(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.norm, self.attention = nn.LayerNorm(width, eps), Attention(width)
        self.out = nn.LayerNorm(width, eps)
        self.mlp = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, width))

    def forward(self, x, mask=None, past=None):
        if past is None:
            x = x + self.attention(self.norm(x), mask)
            return x + self.mlp(self.out(x))
        y, key, value = self.attention(self.norm(x), mask, past)
        x = x + y
        return x + self.mlp(self.out(x)), key, value


class VisionTransformer(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.patches, self.place = nn.Conv2d(3, width, 4, stride=4), nn.Parameter(torch.randn(1, 10, width))
        self.token, self.layers = nn.Parameter(torch.randn(1, 1, width)), nn.ModuleList(Layer(width) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 6)

    def forward(self, image):
        x = self.patches(image).flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), 1) + self.place
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x)[:, 0])


class Bert(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.words, self.kinds, self.place = nn.Embedding(40, width), nn.Embedding(2, width), nn.Embedding(16, width)
        self.norm, self.layers = nn.LayerNorm(width, 1e-12), nn.ModuleList(Layer(width, 1e-12) for _ in range(2))
        self.pool, self.head = nn.Linear(width, width), nn.Linear(width, 3)

    def forward(self, ids, kinds, attention_mask):
        x = self.words(ids) + self.kinds(kinds) + self.place(torch.arange(ids.shape[1]))
        x = self.norm(x)
        mask = (1 - attention_mask[:, None, None, :].float()) * -10000.0
        for layer in self.layers:
            x = layer(x, mask)
        return x, self.head(torch.tanh(self.pool(x[:, 0])))


class Decoder(nn.Module):
    """One step of a GPT over the keys and values of the tokens before."""

    def __init__(self, width=16):
        super().__init__()
        self.words, self.place = nn.Embedding(40, width), nn.Embedding(32, width)
        self.layers, self.norm = nn.ModuleList(Layer(width) for _ in range(2)), nn.LayerNorm(width)
        self.head = nn.Linear(width, 40, bias=False)

    def forward(self, ids, past_key_0, past_value_0, past_key_1, past_value_1):
        start, length = past_key_0.shape[2], ids.shape[1]
        x = self.words(ids) + self.place(torch.arange(start, start + length))
        seen = torch.ones(length, start + length, dtype=torch.bool).tril(start)
        mask = torch.where(seen, 0.0, -1e9)
        past, present = ((past_key_0, past_value_0), (past_key_1, past_value_1)), []
        for layer, kept in zip(self.layers, past):
            x, key, value = layer(x, mask, kept)
            present += [key, value]
        return (self.head(self.norm(x)), *present)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.lstm = nn.Embedding(30, 8), nn.LSTM(8, 8, num_layers=2, batch_first=True)
        self.head = nn.Linear(8, 4)

    def forward(self, ids):
        x, _ = self.lstm(self.words(ids))
        return torch.softmax(self.head(x), -1)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.middle = nn.Conv2d(1, 6, 3, padding=1), nn.Conv2d(6, 6, 3, padding=1)
        self.up, self.smooth = nn.ConvTranspose2d(6, 6, 2, stride=2), nn.Conv2d(12, 6, 3, padding=1)
        self.norm, self.last = nn.InstanceNorm2d(6, affine=True), nn.Conv2d(6, 2, 1)

    def forward(self, image):
        skip = torch.relu(self.down(image))
        x = torch.relu(self.middle(functional.max_pool2d(skip, 2)))
        x = self.smooth(torch.cat((self.up(x), skip), 1))
        x = functional.interpolate(self.norm(x), scale_factor=2, mode="bilinear", align_corners=False)
        coarse = functional.interpolate(x, size=(7, 9), mode="nearest")
        return torch.sigmoid(self.last(x)), coarse


class Detector(nn.Module):
    """A head that turns maps of features into boxes in pixels, their areas and the best scores."""

    def __init__(self, size=512):
        super().__init__()
        self.size, self.tower = size, nn.Conv2d(4, 8, 3, padding=1)
        self.scores, self.boxes = nn.Conv2d(8, 3, 1), nn.Conv2d(8, 4, 1)
        grid = torch.stack(torch.meshgrid(torch.arange(6.0), torch.arange(6.0), indexing="ij"), 0).flip(0)
        self.register_buffer("grid", grid.reshape(1, 2, 36))

    def forward(self, features):
        x = functional.silu(self.tower(features))
        scores = torch.sigmoid(self.scores(x)).flatten(2)
        raw = self.boxes(x).flatten(2)
        centre = (torch.sigmoid(raw[:, :2]) + self.grid) / 6 * self.size
        extent = torch.exp(raw[:, 2:].clamp(-4, 1)) * self.size
        boxes = torch.cat((centre - extent / 2, centre + extent / 2), 1).transpose(1, 2)
        area = extent[:, 0] * extent[:, 1]
        best, at = scores.max(1).values.topk(5, dim=1)
        return torch.gather(boxes, 1, at[:, :, None].expand(-1, -1, 4)), best, torch.gather(area, 1, at).log()


class Repeated(nn.Module):
    """A loop whose length is an input."""

    def __init__(self):
        super().__init__()
        self.first, self.step, self.last = nn.Linear(5, 8), nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x, count: int):
        x = torch.relu(self.first(x))
        for i in range(count):
            x = torch.tanh(self.step(x) + 0.1 * i)
        return self.last(x)


class FunctionCall(nn.Module):
    """A function of PyTorch that is exported as a call of FUNCTIONS[name]."""

    def __init__(self, name, compute):
        super().__init__()
        self.name, self.compute = name, compute

    def forward(self, x):
        if torch.onnx.is_in_onnx_export():
            return torch.onnx.ops.symbolic(f"{ACTIVATIONS.domain}::{self.name}", (x,), dtype=x.dtype, shape=x.shape,
                                           version=1)
        return self.compute(x)


class Called(nn.Module):
    """Its activations are exported as calls of functions."""

    def __init__(self, width=12):
        super().__init__()
        self.norm, self.first, self.gate = nn.LayerNorm(width), nn.Linear(width, 24), nn.Linear(width, 24)
        self.act, self.last = FunctionCall("Silu", functional.silu), nn.Linear(24, width)
        self.other, self.soft = nn.Linear(width, width), FunctionCall("SmoothRelu", functional.softplus)

    def forward(self, x):
        y = self.norm(x)
        x = x + self.last(self.act(self.first(y)) * self.gate(y))
        return self.soft(self.other(x))


class Quantizer(nn.Module):
    def __init__(self, scale, zero_point):
        super().__init__()
        self.scale, self.zero_point = scale, zero_point

    def forward(self, x):
        return torch.fake_quantize_per_tensor_affine(x, self.scale, self.zero_point, -128, 127)


class Quantized(nn.Module):
    """Activations are rounded to 8 bits between layers, as after training with quantizers."""

    def __init__(self):
        super().__init__()
        self.given, self.conv = Quantizer(0.031, 3), nn.Conv2d(3, 8, 3)
        self.inner, self.second = Quantizer(0.043, -5), nn.Conv2d(8, 8, 3)
        self.before, self.head = Quantizer(0.027, 0), nn.Linear(8, 5)

    def forward(self, image):
        x = self.inner(torch.relu(self.conv(self.given(image))))
        return self.head(self.before(self.second(x).mean((2, 3))))


def ids_of(*shape, most=30):
    return torch.randint(0, most, shape)


def mask_of(*lengths):
    return (torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]).long()


def cache():
    return tuple(torch.randn(1, 2, 3, 8) for _ in range(4))


# name: (class, inputs, their names)
NETWORKS = {
    "cnn": (Convolutional, lambda: (torch.randn(2, 3, 20, 20),), ["image"]),
    "vit": (VisionTransformer, lambda: (torch.randn(1, 3, 12, 12),), ["image"]),
    "bert": (Bert, lambda: (ids_of(2, 7), ids_of(2, 7, most=2), mask_of(7, 5)),
             ["ids", "kinds", "attention_mask"]),
    "gpt": (Decoder, lambda: (ids_of(1, 4), *cache()),
            ["ids", "past_key_0", "past_value_0", "past_key_1", "past_value_1"]),
    "lstm": (Recurrent, lambda: (ids_of(2, 6),), ["ids"]),
    "unet": (UNet, lambda: (torch.randn(1, 1, 12, 12),), ["image"]),
    "detector": (Detector, lambda: (torch.randn(1, 4, 6, 6),), ["features"]),
    "loop": (Repeated, lambda: (torch.randn(2, 5), 4), ["x", "count"]),
    "functions": (Called, lambda: (torch.randn(3, 12),), ["x"]),
    "int8": (Quantized, lambda: (torch.randn(1, 3, 9, 9),), ["image"]),
}


def make(name):
    """The network and its inputs."""
    torch.manual_seed(11)
    network, inputs, _ = NETWORKS[name]
    model = network().eval()
    for weight in model.parameters():  # exporters share what is equal, such as weights of one
        nn.init.normal_(weight, std=0.3)
    for buffer, values in model.named_buffers():
        if buffer.endswith("running_var"):
            values.uniform_(0.01, 0.1)
    return model, inputs()


ACTIVATIONS = onnxscript.values.Opset("pkg.activations", 1)


@onnxscript.script(ACTIVATIONS)
def Silu(x: FLOAT) -> FLOAT:
    share = opset18.Sigmoid(x)
    return opset18.Mul(x, share)


@onnxscript.script(ACTIVATIONS)
def SmoothRelu(x: FLOAT) -> FLOAT:
    raised = opset18.Exp(x)
    one = opset18.Constant(value_float=1.0)
    return opset18.Log(opset18.Add(raised, one))


FUNCTIONS = [Silu, SmoothRelu]


def export(name, model, inputs, path):
    names = NETWORKS[name][2]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        if name == "loop":
            values = (inputs[0], torch.tensor(inputs[1]))
            torch.onnx.export(torch.jit.script(model), values, str(path), dynamo=False, input_names=names)
            return
        torch.onnx.export(model, inputs, str(path), dynamo=True, input_names=names, external_data=False)
    if name == "functions":
        exported = onnx.load(path)
        exported.functions.extend(function.to_function_proto() for function in FUNCTIONS)
        if all(opset.domain != ACTIVATIONS.domain for opset in exported.opset_import):
            exported.opset_import.append(onnx.helper.make_opsetid(ACTIVATIONS.domain, 1))
        onnx.save(exported, path)
