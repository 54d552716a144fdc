# SPDX-License-Identifier: Apache-2.0
"""Models in float16 against the same in float32, and beside each engine that is installed.

Both files run in turn in this engine (`lapidary-cli bench FLOAT HALF`); then each runs beside the others. A row has how
many times as fast the float16 file is, and the best of the others on it.
"""
import json
import shlex

import peer_runs

TITLE = "Float16 against float32"
MODELS = {"resnet50": [], "bert-base": ["batch=1", "sequence=128"], "mobilenetv2": []}
LEFT_OUT = ("llama.cpp", "onnxruntime-genai")  # run decoders alone


def jobs(options):
    """(name, sizes)"""
    return list(MODELS.items())


def measure(options, name, sizes):
    """Stores what was found as results/precision/NAME.json."""
    target = options.results / "precision" / f"{name}.json"
    if options.keep and target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = options.results / "models"
    plain, problem = peer_runs.model_file(options, folder, name, "float32")
    half, why = peer_runs.model_file(options, folder, name, "fp16") if plain else (None, "")
    result = {"name": name, "error": problem or why, "found": {}, "problems": {}, "in_turn": None}
    if half:
        dims = [word for size in sizes for word in ("--dim", size)]
        result["in_turn"], result["error"] = peer_runs.call(
            options, [options.cli, "bench", plain, half, "--intra", options.intra, "--seconds", options.seconds,
                      "--no-memory", *dims, *shlex.split(options.bench_words), "--json"])
        result["found"], result["problems"] = peer_runs.beside_each(
            options, [half, *dims, "--no-memory"], [p for p in peer_runs.peers_of(options) if p not in LEFT_OUT])
    target.write_text(json.dumps(result, indent=1))
    for row in rows_of(result):
        print(name, row_text(row), flush=True)
    for peer, missing in {**result["problems"], **({"": result["error"]} if result["error"] else {})}.items():
        print(name, f"{peer}: not measured: {missing}", flush=True)


def medians(result, ending):
    """Milliseconds of a run of a file by threads, as the runs in turn gave them."""
    return {c["intra"]: c["ours"]["median_ms"] for c in result["in_turn"]["configurations"]
            if c["model"].endswith(ending) and "ours" in c}


def rows_of(result):
    if not result["in_turn"]:
        return []
    plain, half = medians(result, ".float32"), medians(result, ".fp16")
    rows = []
    for threads in sorted(plain.keys() & half.keys()):
        pairs = [(peer, c) for peer, found in result["found"].items() for c in found["configurations"]
                 if c.get("intra") == threads and "ratio" in c]
        row = {"model": result["name"], "threads": threads, "float_ms": plain[threads],
               "half_ms": half[threads], "speedup": plain[threads] / half[threads]}
        if pairs:
            peer, c = min(pairs, key=lambda pair: pair[1][pair[0]]["median_ms"])
            row |= {"best": peer, "best_ms": c[peer]["median_ms"], "ratio": c["ratio"]["median"],
                    "low": c["ratio"]["ci"][0], "high": c["ratio"]["ci"][1], "busy": not c["quiet"],
                    "difference": c["difference"]}
        rows.append(row)
    return rows


def row_text(row):
    beside = f"; {row['ratio']:.2f} of {peer_runs.NAMES[row['best']]}" if "best" in row else ""
    return (f"{row['threads']} threads: float16 {row['half_ms']:.2f} ms, {row['speedup']:.2f} times as fast as "
            f"float32{beside}")


def load(options):
    return [json.loads(p.read_text()) for p in sorted((options.results / "precision").glob("*.json"))]


def rows(options):
    """Of everything measured."""
    return [row for result in load(options) for row in rows_of(result)]


def page_lines(options):
    """The section of a machine's page; empty where nothing was measured."""
    results = load(options)
    if not results:
        return []
    head = ["model", "threads", "float32, ms", "float16, ms", "times as fast", "best other", "its float16, ms", "ratio",
            "95 %"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for row in rows(options):
        beside = [peer_runs.NAMES[row["best"]], f"{row['best_ms']:.2f}",
                  f"**{row['ratio']:.2f}**{' (busy)' if row['busy'] else ''}", f"{row['low']:.2f}-{row['high']:.2f}"
                  ] if "best" in row else ["-"] * 4
        lines.append("| " + " | ".join(str(value) for value in [
            row["model"], row["threads"], f"{row['float_ms']:.2f}", f"{row['half_ms']:.2f}", f"**{row['speedup']:.2f}**",
            *beside]) + " |")
    missing = sorted({(r["name"], peer, why) for r in results for peer, why in r["problems"].items()} |
                     {(r["name"], "the model", r["error"]) for r in results if r["error"]})
    return [f"## {TITLE}", "", "Both files in turn in this engine, and the float16 file beside each other engine, of which "
            "the fastest is shown.", ""] + lines + [""] + (
                ["Not measured:", ""] + [f"- {name}, {peer}: {why}" for name, peer, why in missing] + [""]
                if missing else [])
