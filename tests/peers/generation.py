# SPDX-License-Identifier: Apache-2.0
"""The text generation operators of com.microsoft give the tokens that ONNX Runtime gives, and its scores within 1e-4.

    generation.py LAPIDARY_CLI     compares
    generation.py --record FILE    writes the cases with ONNX Runtime's outputs: tests/fixtures/generation/
                                   recorded.json, which tests/core/operators/kernels/reference/generation_test.cpp reads

Exit code 77 when the Python packages onnxruntime or onnx are not installed: skipped.
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
    import onnxruntime as ort

    import generation_models as models
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

ort.set_default_logger_severity(4)
PROMPTS = np.array([[3, 5, 7], [1, 2, 9]], np.int32)
PADDED = np.array([[0, 0, 5, 4], [1, 2, 9, 0]], np.int32)
FEATURES = models.noise((2, models.HIDDEN, 5), 77)
ALL = ("sequences", "sequences_scores", "scores")


def ints(*values):
    return np.array(values, np.int32)


def floats(*values):
    return np.array(values, np.float32)


def some_of(rows, *left_out):
    """A mask of the vocabulary without some tokens."""
    mask = np.ones((rows, models.VOCABULARY) if rows else (models.VOCABULARY, ), np.int32)
    mask[..., list(left_out)] = 0
    return mask


def case(op, kind, inputs, attributes=None, **options):
    """inputs and attributes beside those that every case has."""
    beams = op.endswith("BeamSearch")
    given = {"input_ids": FEATURES if kind == "whisper" else PROMPTS, "max_length": ints(12), "min_length": ints(1)}
    if beams:
        given.update(num_beams=ints(3), num_return_sequences=ints(2), length_penalty=floats(1))
    given.update(repetition_penalty=floats(1))
    given.update(inputs)
    fixed = {"eos_token_id": 4, "pad_token_id": 0}
    if kind != "gpt":
        fixed["decoder_start_token_id"] = 1
    outputs = options.pop("outputs", ALL if beams else ("sequences", ))
    return {"op": op, "kind": kind, "inputs": given, "attributes": {**fixed, **(attributes or {})}, "outputs": outputs,
            "options": options}


def searches(op, kind, **options):
    """What holds for greedy search and beam search alike."""
    yield case(op, kind, {}, **options)
    for eos in (2, 6, 9, 13, 19):
        yield case(op, kind, {}, {"eos_token_id": eos}, **options)
    yield case(op, kind, {"min_length": ints(9)}, {"eos_token_id": 9}, **options)
    yield case(op, kind, {"repetition_penalty": floats(1.5)}, **options)
    yield case(op, kind, {"vocab_mask": some_of(0, 2, 3, 19)}, **options)
    yield case(op, kind, {"prefix_vocab_mask": some_of(2, 3, 10, 19)}, **options)
    yield case(op, kind, {}, {"no_repeat_ngram_size": 2}, **options)
    yield case(op, kind, {"max_length": ints(5)}, **options)


def beam_cases(op, kind, **options):
    yield from searches(op, kind, **options)
    for penalty in (0.0, 2.0):
        yield case(op, kind, {"length_penalty": floats(penalty)}, {"eos_token_id": 9}, **options)
    if kind == "gpt":  # several rows end at different steps
        rows = np.array([[3, 5], [1, 2], [9, 9], [7, 13], [2, 18]], np.int32)
        for eos in (2, 9, 16, 18, 19):
            yield case(op, kind, {"input_ids": rows, "max_length": ints(16)}, {"eos_token_id": eos}, **options)
    yield case(op, kind, {"num_beams": ints(1), "num_return_sequences": ints(1)}, {"eos_token_id": 9}, **options)
    yield case(op, kind, {"num_beams": ints(5), "num_return_sequences": ints(5)}, {"early_stopping": 1}, **options)


def masked_cases(op, kind, **options):
    yield case(op, kind, {"input_ids": PADDED}, **options)
    yield case(op, kind, {"input_ids": PADDED, "attention_mask": np.array([[0, 1, 1, 1], [1, 1, 1, 1]], np.int32)},
               **options)


def sampling_cases():
    for seed in range(6):
        for custom in (0, 1):
            for top_p in (0.5, 0.9, 1.0):
                yield case("Sampling", "gpt", {"seed": ints(seed * 7919)},
                           {"top_p": top_p, "temperature": 3.0, "custom": custom})
    for attributes in ({"min_tokens_to_keep": 1}, {"min_tokens_to_keep": 5, "filter_value": -30.0}, {"custom": 1}):
        yield case("Sampling", "gpt", {"seed": ints(11)}, {"temperature": 2.0, **attributes})
    yield case("Sampling", "gpt", {}, {"top_p": 0.9, "temperature": 3.0})
    for inputs in searches("Sampling", "gpt"):
        yield case("Sampling", "gpt", {**inputs["inputs"], "seed": ints(3)},
                   {**inputs["attributes"], "top_p": 0.8, "temperature": 4.0})


def all_cases():
    yield from searches("GreedySearch", "gpt")
    yield from masked_cases("GreedySearch", "gpt")
    yield from sampling_cases()
    yield from beam_cases("BeamSearch", "gpt")
    yield from masked_cases("BeamSearch", "gpt")
    for options in ({}, {"hidden_states": False}, {"hidden_states": False, "initial": False}):
        yield from beam_cases("BeamSearch", "t5", **options)
        yield from masked_cases("BeamSearch", "t5", **options)
    yield case("BeamSearch", "t5", {}, hidden_states=False, one_token=False)
    for op in ("BeamSearch", "WhisperBeamSearch"):
        yield from beam_cases(op, "whisper")
        yield case(op, "whisper", {"decoder_input_ids": np.array([[1, 6, 2], [1, 3, 2]], np.int32)})
        yield case(op, "whisper", {"logits_processor": ints(0)}, hidden_states=False)
    yield case("WhisperBeamSearch", "whisper", {"temperature": floats(1.5)})


def model_of(case):
    given, attributes = set(case["inputs"]), case["attributes"]
    if case["kind"] == "gpt":
        return models.gpt(case["op"], given, attributes, outputs=case["outputs"])
    return models.encoder_decoder(case["op"], case["kind"], given, attributes, outputs=case["outputs"],
                                  **case["options"])


def outputs_of(case):
    session = ort.InferenceSession(model_of(case).SerializeToString(), providers=["CPUExecutionProvider"])
    outputs = dict(zip([o.name for o in session.get_outputs()], session.run(None, case["inputs"])))
    if not case["op"].endswith("BeamSearch"):
        # Where all rows ended early, ONNX Runtime leaves the rest as it was in memory.
        pad, prompt = case["attributes"]["pad_token_id"], case["inputs"]["input_ids"].shape[1]
        ends = [next((i for i in range(prompt, row.size) if row[i] == pad), row.size) for row in outputs["sequences"]]
        outputs["sequences"][:, max(ends):] = pad
    return outputs


def name_of(case):
    inputs = {k: v.tolist() if v.size < 9 else "..." for k, v in case["inputs"].items() if k != "input_ids"}
    return f"{case['op']} {case['kind']} {case['options'] or ''} {case['attributes']} {inputs}"


def compare(cli):
    failed = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in all_cases():
            count += 1
            onnx.save(model_of(case), str(folder / "model.onnx"))
            np.savez(folder / "inputs.npz", **case["inputs"])
            outputs = folder / ("outputs.npz" if len(case["outputs"]) > 1 else "outputs.npy")
            done = subprocess.run([cli, "run", folder / "model.onnx", "--level", "disabled", "--inputs",
                                   folder / "inputs.npz", "--outputs", outputs, "--quiet"], capture_output=True, text=True)
            problem = done.stderr.strip() if done.returncode else None
            expected = outputs_of(case)
            if not problem:
                loaded = np.load(outputs, allow_pickle=False)
                found = dict(loaded) if len(expected) > 1 else {next(iter(expected)): loaded}
                if "scores" in found:
                    # Where all rows ended early, ONNX Runtime leaves the scores behind as they were in memory.
                    steps = 1 + max(np.flatnonzero(found["scores"].any(axis=(1, 2, 3))), default=-1)
                    expected["scores"][steps:] = 0
                for output, values in expected.items():
                    tolerance = 0 if values.dtype == np.int32 else 1e-4
                    if found[output].shape != values.shape or not np.allclose(found[output], values, 1e-4, tolerance):
                        problem = f"{output}: {found[output].tolist()} where {values.tolist()} was expected"
                        break
            if problem:
                failed += 1
                print(f"{name_of(case)}: {problem[:600]}")
    print(f"{count} cases, {failed} differ")
    return 1 if failed else 0


def listed(values):
    return {"shape": list(values.shape), "type": "i32" if values.dtype == np.int32 else "f32",
            "elements": [int(v) if values.dtype == np.int32 else float(str(v)) for v in values.ravel()]}


def record(path):
    lines = []
    for case in all_cases():
        # Scores of every token at each step are long: those of one case by kind and operator are kept.
        if "scores" in case["outputs"] and case["inputs"]["max_length"][0] != 5:
            case["outputs"] = ("sequences", "sequences_scores")
        lines.append(json.dumps({"op": case["op"], "kind": case["kind"], **case["options"],
                                 "attributes": case["attributes"],
                                 "inputs": {k: listed(v) for k, v in case["inputs"].items()},
                                 "outputs": {k: listed(v) for k, v in outputs_of(case).items()}}))
    path.parent.mkdir(exist_ok=True)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", nargs="?")
    parser.add_argument("--record", type=pathlib.Path)
    options = parser.parse_args()
    if options.record:
        record(options.record)
        return 0
    if not options.cli:
        parser.error("the program is missing")
    return compare(options.cli)


if __name__ == "__main__":
    sys.exit(main())
