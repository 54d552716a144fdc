# SPDX-License-Identifier: Apache-2.0
"""Tiny models around the text generation operators of com.microsoft.

`gpt` and `encoder_decoder` return a model whose one node is the operator asked for; its decoder has one layer of
attention with a cache, so that a cache, a mask or an order of beams gone wrong changes what is generated. Inputs of the
model are those of the operator that `given` names; attributes come as `attributes`. Weights are those of
tests/support/generation_graphs.cpp, which writes the same models as graph text.
"""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

HEADS, SIZE, VOCABULARY = 2, 4, 20
HIDDEN = HEADS * SIZE
INPUTS = {
    "BeamSearch": "input_ids max_length min_length num_beams num_return_sequences length_penalty repetition_penalty "
                  "vocab_mask prefix_vocab_mask attention_mask decoder_input_ids logits_processor",
    "WhisperBeamSearch": "input_ids max_length min_length num_beams num_return_sequences length_penalty "
                         "repetition_penalty vocab_mask prefix_vocab_mask attention_mask decoder_input_ids "
                         "logits_processor cross_qk_layer_head extra_decoding_ids temperature",
    "GreedySearch": "input_ids max_length min_length repetition_penalty vocab_mask prefix_vocab_mask attention_mask",
    "Sampling": "input_ids max_length min_length repetition_penalty vocab_mask prefix_vocab_mask attention_mask "
                "presence_mask seed",
}
OUTPUTS = {
    "BeamSearch": "sequences sequences_scores scores",
    "WhisperBeamSearch": "sequences sequences_scores scores cross_qk non_speech_probs",
    "GreedySearch": "sequences",
    "Sampling": "sequences filtered_logits",
}
FLOATS = {"length_penalty", "repetition_penalty", "temperature", "sequences_scores", "scores", "filtered_logits",
          "non_speech_probs"}


def noise(shape, seed):
    """Numbers of [-1, 1) that look random, exact in f32: a linear congruential generator's upper 24 bits."""
    values = np.empty(int(np.prod(shape)), np.float32)
    for i in range(values.size):
        seed = (seed * 1664525 + 1013904223) % 2**32
        values[i] = (seed >> 8) / 2**23 - 1
    return values.reshape(shape)


class Body:
    """A graph under construction: `b.Op(inputs..., attribute=...)` adds a node and returns its output's name."""

    def __init__(self, name):
        self.name = name
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []

    def __getattr__(self, op):
        def add(*inputs, outputs=1, name=None, domain="", **attributes):
            made = [name] if name else [f"{self.name}_{len(self.nodes)}_{i}" for i in range(outputs)]
            self.nodes.append(helper.make_node(op, list(inputs), made, domain=domain, **attributes))
            return made[0] if len(made) == 1 else made
        return add

    def constant(self, value, dtype=np.int64):
        name = f"{self.name}_c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def input(self, name, kind, shape):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, value, name, shape, kind=TensorProto.FLOAT):
        self.Identity(value, name=name)
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def graph(self):
        return helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.weights)


def heads(b, x):
    """[batch, length, HIDDEN] -> [batch, HEADS, length, SIZE]."""
    return b.Transpose(b.Reshape(x, b.constant([0, 0, HEADS, SIZE])), perm=[0, 2, 1, 3])


def attend(b, q, k, v, mask=None):
    """Attention of [batch, HEADS, length, SIZE]; `mask` [batch, keys] of 0 and 1."""
    scores = b.MatMul(q, b.Transpose(k, perm=[0, 1, 3, 2]))
    if mask:
        hidden = b.Mul(b.Sub(b.constant(1, np.float32), b.Cast(mask, to=TensorProto.FLOAT)),
                       b.constant(-1e4, np.float32))
        scores = b.Add(scores, b.Unsqueeze(hidden, b.constant([1, 2])))
    mixed = b.Transpose(b.MatMul(b.Softmax(scores, axis=-1), v), perm=[0, 2, 1, 3])
    return b.Reshape(mixed, b.constant([0, 0, HIDDEN]))


class Weights:
    """The decoder's weights, which the encoder graph of T5 and Whisper has too."""

    def __init__(self):
        shapes = {"words": (VOCABULARY, HIDDEN), "position": (32, HIDDEN)}
        shapes.update((name, (HIDDEN, HIDDEN)) for name in ("q", "k", "v", "o", "cq", "ck", "cv", "co"))
        shapes["out"] = (HIDDEN, VOCABULARY)
        scales = {"words": 2, "out": 2}
        for seed, (name, shape) in enumerate(shapes.items(), 1):
            setattr(self, name, noise(shape, seed) * np.float32(scales.get(name, 1)))

    def of(self, b, name):
        return b.constant(getattr(self, name), np.float32)


def logits_of(b, w, y):
    """Logits of the hidden states `y`; token 0, the padding, is never likely."""
    bias = np.zeros(VOCABULARY)
    bias[0] = -1e4
    return b.Add(b.MatMul(y, w.of(b, "out")), b.constant(bias, np.float32))


def model_of(op, attributes, given, input_kind, input_shape, outputs):
    names = INPUTS[op].split()
    inputs = [helper.make_tensor_value_info("input_ids", input_kind, input_shape)]
    shapes = {"vocab_mask": [VOCABULARY], "prefix_vocab_mask": ["batch", VOCABULARY],
              "attention_mask": ["batch", "length"], "presence_mask": ["batch", VOCABULARY],
              "decoder_input_ids": ["batch", "start"]}
    for name in names[1:]:
        if name in given:
            kind = TensorProto.FLOAT if name in FLOATS else TensorProto.INT32
            inputs.append(helper.make_tensor_value_info(name, kind, shapes.get(name, [1])))
    made = [n for n in OUTPUTS[op].split() if n in outputs]
    used = [n if n == "input_ids" or n in given else "" for n in names]
    while not used[-1]:
        used.pop()
    written = [n if n in outputs else "" for n in OUTPUTS[op].split()]
    while not written[-1]:
        written.pop()
    node = helper.make_node(op, used, written, "search", domain="com.microsoft", **attributes)
    results = [helper.make_tensor_value_info(n, TensorProto.FLOAT if n in FLOATS else TensorProto.INT32, None)
               for n in made]
    graph = helper.make_graph([node], "generation", inputs, results)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def gpt(op, given, attributes, outputs=("sequences",)):
    """`op` over a GPT decoder."""
    w, b = Weights(), Body("decoder")
    b.input("input_ids", TensorProto.INT32, ["rows", "length"])
    b.input("position_ids", TensorProto.INT32, ["rows", "length"])
    b.input("attention_mask", TensorProto.INT32, ["rows", "total"])
    b.input("past_0", TensorProto.FLOAT, [2, "rows", HEADS, "past", SIZE])
    x = b.Add(b.Gather(w.of(b, "words"), "input_ids"), b.Gather(w.of(b, "position"), "position_ids"))
    past = [b.Gather("past_0", b.constant(i), axis=0) for i in range(2)]
    k = b.Concat(past[0], heads(b, b.MatMul(x, w.of(b, "k"))), axis=2)
    v = b.Concat(past[1], heads(b, b.MatMul(x, w.of(b, "v"))), axis=2)
    y = b.Add(x, b.MatMul(attend(b, heads(b, b.MatMul(x, w.of(b, "q"))), k, v, "attention_mask"), w.of(b, "o")))
    b.output(logits_of(b, w, y), "logits", ["rows", "length", VOCABULARY])
    axis = b.constant([0])
    b.output(b.Concat(b.Unsqueeze(k, axis), b.Unsqueeze(v, axis), axis=0), "present_0",
             [2, "rows", HEADS, "total", SIZE])
    return model_of(op, {"decoder": b.graph(), **attributes}, given, TensorProto.INT32, ["batch", "prompt"], outputs)


def encode(b, w, kind, mask):
    """The encoder: hidden states [batch, frames, HIDDEN] and keys and values for cross attention."""
    if kind == "t5":
        x = b.Gather(w.of(b, "words"), "encoder_input_ids")
    else:
        x = b.Transpose("encoder_input_ids", perm=[0, 2, 1])
    states = b.Add(x, attend(b, heads(b, b.MatMul(x, w.of(b, "v"))), heads(b, x), heads(b, x), mask))
    return states, heads(b, b.MatMul(states, w.of(b, "ck"))), heads(b, b.MatMul(states, w.of(b, "cv")))


def decode(b, w, ids, past, cross, mask):
    """One decoder layer: logits, and keys and values of self attention so far. `past` is None at the start."""
    x = b.Gather(w.of(b, "words"), ids)
    k, v = heads(b, b.MatMul(x, w.of(b, "k"))), heads(b, b.MatMul(x, w.of(b, "v")))
    if past:
        k, v = b.Concat(past[0], k, axis=2), b.Concat(past[1], v, axis=2)
    y = b.Add(x, b.MatMul(attend(b, heads(b, b.MatMul(x, w.of(b, "q"))), k, v), w.of(b, "o")))
    y = b.Add(y, b.MatMul(attend(b, heads(b, b.MatMul(y, w.of(b, "cq"))), *cross, mask), w.of(b, "co")))
    return logits_of(b, w, y), k, v


def encoder_decoder(op, kind, given, attributes, outputs=("sequences",), hidden_states=True, initial=True,
                    one_token=True):
    """`op` over an encoder and a decoder, `kind` t5 or whisper.

    `hidden_states`: the decoder asks for the encoder's hidden states. `initial`: the encoder graph takes
    decoder_input_ids and gives the first logits; else (t5) it gives keys and values of cross attention alone.
    `one_token`: the decoder takes one token of each row, else whole sequences.
    """
    w, b = Weights(), Body("encoder")
    t5 = kind == "t5"
    if t5:
        b.input("encoder_input_ids", TensorProto.INT32, ["rows", "frames"])
        mask = b.input("encoder_attention_mask", TensorProto.INT32, ["rows", "frames"])
    else:
        b.input("encoder_input_ids", TensorProto.FLOAT, ["rows", HIDDEN, "frames"])
        mask = None
    states, *cross = encode(b, w, kind, mask)
    cache, fixed = ["rows", HEADS, "length", SIZE], ["rows", HEADS, "frames", SIZE]
    if initial:
        b.input("decoder_input_ids", TensorProto.INT32, ["rows", "start"])
        logits, k, v = decode(b, w, "decoder_input_ids", None, cross, mask)
        b.output(logits, "logits", ["rows", "start", VOCABULARY])
        b.output(states, "encoder_hidden_states", ["rows", "frames", HIDDEN])
        b.output(k, "present_key_self_0", cache)
        b.output(v, "present_value_self_0", cache)
    b.output(cross[0], "present_key_cross_0", fixed)
    b.output(cross[1], "present_value_cross_0", fixed)
    tokens = 1 if one_token else "tokens"
    d = Body("decoder")
    d.input("input_ids", TensorProto.INT32, ["rows", tokens])
    if t5:
        d.input("encoder_attention_mask", TensorProto.INT32, ["rows", "frames"])
    if hidden_states:
        d.input("encoder_hidden_states", TensorProto.FLOAT, ["rows", "frames", HIDDEN])
    for part, shape in (("self", ["rows", HEADS, "past", SIZE]), ("cross", fixed)):
        for what in ("key", "value"):
            d.input(f"past_{what}_{part}_0", TensorProto.FLOAT, shape)
    logits, k, v = decode(d, w, "input_ids", ("past_key_self_0", "past_value_self_0"),
                          ("past_key_cross_0", "past_value_cross_0"), "encoder_attention_mask" if t5 else None)
    d.output(logits, "logits", ["rows", tokens, VOCABULARY])
    d.output(k, "present_key_self_0", cache)
    d.output(v, "present_value_self_0", cache)
    shape = ["batch", "prompt"] if t5 else ["batch", HIDDEN, "frames"]
    attributes = {"encoder": b.graph(), "decoder": d.graph(), "model_type": 1 if t5 else 2, **attributes}
    return model_of(op, attributes, given, TensorProto.INT32 if t5 else TensorProto.FLOAT, shape, outputs)
