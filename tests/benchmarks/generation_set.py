# SPDX-License-Identifier: Apache-2.0
"""Decoders token by token: the samples llama-160m, gpt2-small and, with --large, llama-1b in float32, float16 and 4
bits, beside each engine that is installed. Each row names the engine that needs least time for a token behind the
prompt, and the one that needs least for the prompt; `lapidary-cli bench --decode` says how a pair is measured.
"""
import json

import peer_runs

TITLE = "Generation, token by token"
# gpt2-small has 1,024 positions, with the tokens behind the prompt.
MODELS = {"llama-160m": "128,1024", "gpt2-small": "128,960", "llama-1b": "128,1024"}
LARGE = ("llama-1b",)
NEW_TOKENS = 32
BURST = 8


def jobs(options):
    """(name, sample, precision)"""
    for sample in MODELS:
        if sample in LARGE and not options.large:
            continue
        for precision in peer_runs.PRECISIONS:
            yield f"{sample}, {precision}", sample, precision


def measure(options, name, sample, precision):
    """Stores what was found as results/generation/NAME.json."""
    target = options.results / "generation" / f"{sample}.{precision}.json"
    if options.keep and target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    file, problem = peer_runs.model_file(options, options.results / "models", sample, precision)
    result = {"name": name, "error": problem, "found": {}, "problems": {}}
    if file:
        words = [file, "--decode", "--context", options.contexts or MODELS[sample], "--new-tokens", options.new_tokens]
        result["found"], result["problems"] = peer_runs.beside_each(options, words, peer_runs.peers_of(options))
    target.write_text(json.dumps(result, indent=1))
    for row in rows_of(result):
        print(name, row_text(row), flush=True)
    for peer, why in {**result["problems"], **({"": problem} if problem else {})}.items():
        print(name, f"{peer}: not measured: {why}", flush=True)


def measured(result):
    """(peer, threads, measurement) of all that was found."""
    for peer, found in result["found"].items():
        for c in found["configurations"]:
            if "decoding" in c:
                yield peer, c["threads"], c["decoding"]


def first_tokens(figures):
    """Mean of the first tokens after loading, by the median of later ones."""
    first = figures["first_pass_ms"][:BURST]
    return sum(first) / len(first) / figures["token_ms"]["median"] if first and figures["token_ms"]["median"] else None


def rows_of(result):
    """A row for each context and number of threads, beside the best peer for tokens, and for the prompt."""
    found = list(measured(result))
    rows = []
    for context, threads in sorted({(d["context"], t) for _, t, d in found}):
        pairs = [(peer, d) for peer, t, d in found if (d["context"], t) == (context, threads)]
        best, decode = min(pairs, key=lambda pair: pair[1]["theirs"]["token_ms"]["median"])
        fastest, prompt = min(pairs, key=lambda pair: pair[1]["theirs"]["prefill_ms"]["median"])
        ours, ratio = decode["ours"], decode["ratio"]
        rows.append({
            "model": result["name"], "context": context, "threads": threads, "token_ms": ours["token_ms"]["median"],
            "tokens_per_second": ours["decode_tokens_per_second"], "share_of_roof": ours["share_of_roof"],
            "best": best, "best_ms": decode["theirs"]["token_ms"]["median"], "ratio": ratio["median"],
            "low": ratio["low"], "high": ratio["high"], "prompt_per_second": ours["prefill_tokens_per_second"],
            "prompt_best": fastest, "prompt_ratio": prompt["prefill_ratio"]["median"],
            "first_token_ms": ours["first_token_ms"],
            "first_token_share": ours["first_token_ms"] / ours["prefill_ms"]["median"],
            "first_tokens_share": first_tokens(ours), "load_ms": ours["load_ms"], "peak_mb": ours["peak_mb"],
            "weight_mb": decode["weight_bytes"] / 1e6, "busy": not decode["quiet"],
            "agree": all(d["agreement"]["matches"] for peer, d in pairs if peer != "llama.cpp"),
            "others_ms": {peer: d["theirs"]["token_ms"]["median"] for peer, d in pairs}
        })
    return rows


def row_text(row):
    return (f"context {row['context']}, {row['threads']} threads: {row['token_ms']:.2f} ms a token, "
            f"{100 * row['share_of_roof']:.0f} % of the roof, {row['ratio']:.2f} of {peer_runs.NAMES[row['best']]}; prompt "
            f"{row['prompt_ratio']:.2f} of {peer_runs.NAMES[row['prompt_best']]}")


def load(options):
    return [json.loads(p.read_text()) for p in sorted((options.results / "generation").glob("*.json"))]


def rows(options):
    """Of everything measured."""
    return [row for result in load(options) for row in rows_of(result)]


def versions(options):
    """Of the engines, by their names."""
    known = {}
    for result in load(options):
        for peer, found in result["found"].items():
            if found["machine"].get(peer):
                known[peer] = found["machine"][peer]
    return known


def page_lines(options):
    """The section of a machine's page; empty where nothing was measured."""
    results = load(options)
    if not results:
        return []
    shown = lambda value, digits=2: "-" if value is None else f"{value:.{digits}f}"
    head = ["model", "threads", "context", "token, ms", "tokens/s", "of the roof", "best other", "its token, ms", "ratio",
            "95 %", "prompt, tokens/s", "ratio to the best", "first token, ms", "by the warm prompt",
            "first 8 tokens by later ones", "load, ms", "peak, MB", "weights, MB"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for row in rows(options):
        lines.append("| " + " | ".join(str(value) for value in [
            row["model"], row["threads"], row["context"], shown(row["token_ms"]), shown(row["tokens_per_second"], 1),
            f"{100 * row['share_of_roof']:.0f} %", peer_runs.NAMES[row["best"]], shown(row["best_ms"]),
            f"**{row['ratio']:.2f}**{' (busy)' if row['busy'] else ''}{'' if row['agree'] else ' (outputs differ)'}",
            f"{row['low']:.2f}-{row['high']:.2f}", shown(row["prompt_per_second"], 0),
            f"{row['prompt_ratio']:.2f} {peer_runs.NAMES[row['prompt_best']]}", shown(row["first_token_ms"]),
            shown(row["first_token_share"]), shown(row["first_tokens_share"]), shown(row["load_ms"], 0),
            shown(row["peak_mb"], 0), shown(row["weight_mb"], 0)
        ]) + " |")
    missing = sorted({(r["name"], peer, why) for r in results for peer, why in r["problems"].items()} |
                     {(r["name"], "the model", r["error"]) for r in results if r["error"]})
    engines = ", ".join(f"{peer_runs.NAMES[peer]} {version}" for peer, version in sorted(versions(options).items()))
    return [f"## {TITLE}", "", f"Against {engines}: each in a separate process, in turn by bursts of {BURST} tokens.", ""
            ] + lines + [""] + (["Not measured:", ""] + [f"- {name}, {peer}: {why}" for name, peer, why in missing] + [""]
                                if missing else [])
