# SPDX-License-Identifier: Apache-2.0
"""Shows that `lapidary-cli bench` can be believed, on the machine it runs on. To be run while nothing else runs.

    honesty.py CLI [--model sample:squeezenet] [--intra 1] [--repeats 10] [--same 100] [--planted 20] [--json F]

1. The pair "bench, bench again" is repeated: in at least 9 of 10 pairs the two medians lie inside each other's
   interval.
2. A model is compared with itself in one bench: at least 95 of 100 comparisons say that there is no difference.
3. A slowdown of 5 % is planted (one of the two waits busily after each run): at least 19 of 20 comparisons find it.

Exit code 1 when one of them fails. Takes some ten minutes.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def bench(options, model, words):
    command = [str(w) for w in [options.cli, "bench", model, "--no-memory", "--json", *words]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)["configurations"]


def holds(engine, median):
    low, high = engine["ci_ms"]
    return low <= median <= high


def repeats(options, model):
    """How often two benches in a row hold each other's median, with the pairs."""
    pairs = []
    for _ in range(options.repeats):
        a, b = (bench(options, model, ["--intra", options.intra, "--seconds", options.repeat_seconds])[0]["ours"]
                for _ in range(2))
        pairs.append({
            "first": [a["median_ms"], *a["ci_ms"]],
            "second": [b["median_ms"], *b["ci_ms"]],
            "notes": [a["note"], b["note"]],
            "agree": holds(a, b["median_ms"]) and holds(b, a["median_ms"])
        })
        print(
            f"  {a['median_ms']:.3f} [{a['ci_ms'][0]:.3f}, {a['ci_ms'][1]:.3f}]   {b['median_ms']:.3f} "
            f"[{b['ci_ms'][0]:.3f}, {b['ci_ms'][1]:.3f}]"
            f"   {'agree' if pairs[-1]['agree'] else 'APART'}",
            flush=True)
        for note in pairs[-1]["notes"] if not pairs[-1]["agree"] else []:
            if note:
                print(f"    {note}", flush=True)
    return pairs


def comparisons(options, model, count, slow_down):
    found = []
    for i in range(count):
        words = ["--intra", f"{options.intra},{options.intra}", "--seconds", options.seconds]
        if slow_down:
            words += ["--slow-last", slow_down]
        last = bench(options, model, words)[1]["against_first"]
        found.append({key: last[key] for key in ("ratio", "ci", "pairs", "significant")})
        if last["significant"] != bool(slow_down):
            print(
                f"  {i + 1}: {last['sentence']} (ratio {last['ratio']:.4f} [{last['ci'][0]:.4f}, {last['ci'][1]:.4f}])",
                flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("--model", default="sample:squeezenet")
    parser.add_argument("--intra", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--same", type=int, default=100)
    parser.add_argument("--planted", type=int, default=20)
    parser.add_argument("--slow-down", type=float, default=0.05)
    parser.add_argument("--repeat-seconds",
                        type=float,
                        default=10,
                        help="of each bench of a pair, at most: the default of bench")
    parser.add_argument("--seconds", type=float, default=1, help="of each side of a comparison, at most")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures there")
    options = parser.parse_args()
    start = time.monotonic()
    if os.getloadavg()[0] > 0.5:
        print(f"this machine has other work (load {os.getloadavg()[0]:.1f}): what follows says little", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        model = options.model
        if model.startswith("sample:"):  # built once
            model = pathlib.Path(folder) / (model.removeprefix("sample:") + ".onnx")
            subprocess.run(
                [options.cli, "sample", options.model.removeprefix("sample:"), "-o", model],
                check=True,
                capture_output=True)
        print(
            f"{options.model}, {options.intra} thread{'s' if options.intra > 1 else ''}: {options.repeats} pairs of "
            f"benches",
            flush=True)
        pairs = repeats(options, model)
        print(f"{options.same} comparisons with itself", flush=True)
        same = comparisons(options, model, options.same, 0)
        print(f"{options.planted} comparisons with itself slowed down by {100 * options.slow_down:g} %", flush=True)
        planted = comparisons(options, model, options.planted, options.slow_down)
    agree = sum(p["agree"] for p in pairs)
    silent = sum(not c["significant"] for c in same)
    seen = sum(c["significant"] and c["ratio"] > 1 for c in planted)
    checks = [("medians inside each other's interval", agree, options.repeats, 0.9),
              ("no difference from itself", silent, options.same, 0.95),
              (f"{100 * options.slow_down:g} % slower is found", seen, options.planted, 0.95)]
    for name, got, of, share in checks:
        print(f"{name}: {got} of {of}{'' if got >= share * of else f', expected {share * of:g}'}")
    if planted:
        print(
            f"planted {100 * options.slow_down:g} %, measured "
            f"{100 * (statistics.median(c['ratio'] for c in planted) - 1):.1f} % (median)"
        )
    print(f"took {time.monotonic() - start:.0f} s")
    if options.json:
        options.json.write_text(json.dumps({"pairs": pairs, "same": same, "planted": planted}, indent=1))
    return 0 if all(got >= share * of for _, got, of, share in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
