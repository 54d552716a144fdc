# SPDX-License-Identifier: Apache-2.0
"""Measures sets of models against ONNX Runtime with `lapidary-cli bench`, keeps what was measured in
tests/benchmarks/results and writes BENCHMARKS.md of it.

    benchmarks.py CLI [--output BENCHMARKS.md] [--results DIR] [--sets float,memory,int8,quantizing,real,
                  generation,precision] [--int8 DIR]
                  [--real DIR [--recorded DIR]] [--onnxruntime PATH] [--seconds S] [--intra 1,2] [--launcher "CMD ..."]
                  [--only TEXT] [--skip NAME,...] [--keep] [--cuda-plugin FILE [--cuda-beside]] [--kernel-times FILE]
                  [--within SECONDS] [--peers NAME,...] [--peer-python PATH] [--large] [--contexts N,...]
                  [--new-tokens N] [--bench-words "WORD ..."]

Sets: `float`, the sample models; `memory`, loading and peak memory of three of them in fresh processes; `int8`, the
variants that quantize_variants.py wrote to --int8; `quantizing`, what `quantize --mode auto` makes of the float models
there (quantizing_set.py); `generation`, decoders token by token in three precisions (generation_set.py), and
`precision`, float16 against float32 (precision_set.py), both beside each of --peers; `real`, every model file below
--real, with the inputs in
DIR/NAME/*/inputs.npz of --recorded where there are some; `cuda`, named models on an NVIDIA GPU (cuda_set.py), which
--cuda-plugin runs. Beside --output, tests/benchmarks/results has a page and a data file for each machine and for GPUs;
those that nothing was measured for stay as they are, as do sets of a machine that were not measured now. Each model is
one call of the CLI, behind --launcher (taskset, chrt ...) when given; its JSON stays in --results. --keep takes what is
there and measures only the rest, so a set can be measured in pieces; without models to measure the pages alone are
written.
"""
import argparse
import collections
import json
import math
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import cuda_set
import generation_set
import peer_runs
import precision_set
import quantizing_set
import result_pages
from result_pages import cells, geometric_mean

FLOAT_SET = [
    ("resnet50", "sample:resnet50", []),
    ("resnet18", "sample:resnet18", []),
    ("mobilenetv2", "sample:mobilenetv2", []),
    ("squeezenet", "sample:squeezenet", []),
    ("shufflenet", "sample:shufflenet", []),
    ("unet", "sample:unet", []),
    ("bert-base, sequence 32", "sample:bert-base", ["batch=1", "sequence=32"]),
    ("bert-base, sequence 128", "sample:bert-base", ["batch=1", "sequence=128"]),
    ("gpt2-small, decode after 128", "sample:gpt2-small", ["batch=1", "sequence=1", "past_sequence=128"]),
    ("gpt2-small, prefill 64", "sample:gpt2-small", ["batch=1", "sequence=64", "past_sequence=0"]),
    ("lstm", "sample:lstm", ["batch=1", "sequence=64"]),
]
MEMORY_SET = ("resnet50", "bert-base, sequence 128", "gpt2-small, decode after 128")
INT8_SIZES = {"bert-base": ["batch=1", "sequence=128"]}
INT8_KINDS = ("qdq-u8s8", "qdq-s8s8", "dynamic", "static")
TITLES = {
    "float": "Float models (samples)",
    "memory": "Session creation, first run and memory",
    "int8": "Int8 models (static: written by lapidary-cli, the others by ONNX Runtime's quantizer)",
    "real": "Real models"
}


def float_jobs(options):
    local = {p.stem: p for p in options.samples.glob("*.onnx")} if options.samples else {}
    for name, source, sizes in FLOAT_SET:
        yield name, local.get(source.removeprefix("sample:"), source), sizes, []


def memory_jobs(options):
    return (job for job in float_jobs(options) if job[0] in MEMORY_SET)


def int8_jobs(options):
    for path in sorted(options.int8.glob("*.onnx")) if options.int8 else []:
        base, _, kind = path.stem.partition(".")
        if kind in INT8_KINDS:
            yield path.stem, path, INT8_SIZES.get(base, []), []


def real_jobs(options):
    for path in sorted(options.real.rglob("*.onnx")) if options.real else []:
        recorded = sorted((options.recorded / path.stem).glob("*/inputs.npz")) if options.recorded else []
        yield path.stem, path, [], ["--inputs", recorded[0]] if recorded else []


# Each is measured and shown by a separate module.
OTHER_SETS = {"quantizing": quantizing_set, "generation": generation_set, "precision": precision_set}
JOBS = {"float": float_jobs, "memory": memory_jobs, "int8": int8_jobs, "real": real_jobs}


def command_of(options, kind, source, sizes, inputs):
    words = [
        options.cli, "bench", source, "--vs", "onnxruntime", "--intra", options.intra, "--seconds", options.seconds
    ]
    for size in sizes:
        words += ["--dim", size]
    words += inputs
    if options.onnxruntime:
        words += ["--onnxruntime", options.onnxruntime]
    if kind != "memory":
        words += ["--no-memory"]
    return [str(w) for w in words]


def losses_of(options, source, sizes, inputs, threads):
    """What our time is lost to: the kernels with most time above the machine's peak, as shares of the run."""
    command = [
        options.cli, "profile", source, "--level", "all", "--intra", threads, "--runs", 10, "--warmup", 2, "--roofline",
        "--json"
    ] + inputs
    for size in sizes:
        command += ["--dim", size]
    done = subprocess.run(shlex.split(options.launcher) + [str(w) for w in command], capture_output=True, text=True)
    try:
        profile = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None
    run = profile["wall_ms"]
    kernels = [{
        "name": f"{k['operator'].rpartition('::')[2]} ({k['kernel']})",
        "share": k["share"],
        "lost": k["lost_ms"] / run,
        "of_peak": k.get("share_of_peak"),
        "bound": k.get("bound")
    } for k in profile["kernels"]]
    between = max(0.0, 1 - profile["kernel_ms"] / run)
    return {
        "kernels": kernels[:3],
        "between": between,
        "needed": max(0.0, 1 - between - sum(k["lost"] for k in kernels))
    }


def loss_text(losses):
    """One line of losses_of()."""
    parts = []
    for k in losses["kernels"]:
        if k["lost"] < 0.01:
            continue
        reached = f" at {100 * k['of_peak']:.0f} % of the peak of {k['bound']}" if k["of_peak"] is not None else ""
        parts.append(f"{100 * k['lost']:.0f} % in {k['name']}, {100 * k['share']:.0f} % of the run{reached}")
    if losses["between"] >= 0.01:
        parts.append(f"{100 * losses['between']:.0f} % between kernels")
    return f"{100 * losses['needed']:.0f} % of the run is needed at peak; lost " + (
        "; ".join(parts) if parts else "nothing that one kernel stands out with")


def safe(name):
    return "".join(c if c.isalnum() or c in "-._" else "_" for c in name)


def measure(options, kind, name, source, sizes, inputs):
    """Runs one bench and stores its JSON; a failure becomes a row with the reason."""
    target = options.results / kind / f"{safe(name)}.json"
    if options.keep and target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    command = command_of(options, kind, source, sizes, inputs)
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder) / "result.json"
        done = subprocess.run(shlex.split(options.launcher) + command + ["--json", str(written)],
                              capture_output=True,
                              text=True)
        if written.exists():
            result = json.loads(written.read_text())
        else:
            lines = (done.stderr or done.stdout).strip().splitlines()
            reason = lines[-1] if lines else f"it ended with code {done.returncode}"
            reported = reason.removeprefix("lapidary-cli: ").replace(f"{pathlib.Path(source).parent}/", "")
            result = {"configurations": [{"model": name, "error": reported}]}
    for c in result["configurations"]:
        if "ratio" in c and (kind in ("float", "int8") or c["ratio"]["median"] < 1):
            c["losses"] = losses_of(options, source, sizes, inputs, c["intra"])
    result["name"] = name
    result["command"] = " ".join(command[1:])
    target.write_text(json.dumps(result, indent=1))
    for c in result["configurations"]:
        print(name,
              c.get("intra", "-"),
              "error: " + c["error"] if "error" in c else f"{c['ratio']['median']:.3f}",
              flush=True)


def load(options, kind):
    return [json.loads(p.read_text()) for p in sorted((options.results / kind).glob("*.json"))]


def rows_of(results):
    return [(r["name"], c) for r in results for c in r["configurations"]]


def number(value, digits=3):
    return "-" if value is None or isinstance(value, str) else f"{value:.{digits}g}" if value < 100 else f"{value:.0f}"


def pair(ours, theirs, key):
    return f"{number(ours.get(key))} / {number(theirs.get(key))}"


def share(engine):
    value = engine.get("share_of_peak")
    return f"{100 * value:.0f} %" if isinstance(value, float) and value > 0 else "-"


def outputs_text(configuration):
    return "agree" if configuration["outputs_match"] else f"differ by {number(configuration['difference'], 2)}"


def handover(configuration):
    times = [t for t in configuration.get("handover_ns", []) if isinstance(t, (int, float)) and t > 0]
    return "-" if not times else f"{max(times):.0f}"


def summary(rows):
    lines = []
    for threads in sorted({c["intra"] for _, c in rows if "ratio" in c}):
        ratios = [c["ratio"]["median"] for _, c in rows if c.get("intra") == threads and "ratio" in c]
        lines.append(
            f"{threads} thread{'s' if threads > 1 else ''}: geometric mean {geometric_mean(ratios):.2f} over "
            f"{len(ratios)} models, "
            f"{sum(r >= 1 for r in ratios)} at or above 1.0, lowest {min(ratios):.2f}.")
    return lines


def table(rows):
    head = [
        "model", "threads", "ours, ms", "ONNX Runtime, ms", "ratio", "95 %", "share of FMA peak", "weights, GB/s",
        "core to core, ns", "outputs"
    ]
    lines = [cells(head), cells(["---"] * len(head))]
    for name, c in rows:
        if "ratio" not in c:
            continue
        a, b, r = c["ours"], c["onnxruntime"], c["ratio"]
        lines.append(
            cells([
                name, c["intra"],
                number(a["median_ms"], 4),
                number(b["median_ms"], 4), f"**{r['median']:.2f}**{'' if c.get('quiet', True) else ' (busy)'}",
                f"{r['ci'][0]:.2f}-{r['ci'][1]:.2f}", f"{share(a)} / {share(b)}",
                pair(a, b, "weights_gbs"),
                handover(c), outputs_text(c)
            ]))
    return lines


def memory_table(rows):
    head = [
        "model", "threads", "load, ms", "share", "first run, ms", "first run / median", "peak, MB", "share", "processes"
    ]
    lines = [cells(head), cells(["---"] * len(head))]
    for name, c in rows:
        if "ratio" not in c:
            continue
        a, b = c["ours"], c["onnxruntime"]
        part = lambda key: "-" if not a.get(key) or not b.get(key) else f"**{a[key] / b[key]:.2f}**"
        lines.append(
            cells([
                name, c["intra"],
                pair(a, b, "load_ms"),
                part("load_ms"),
                pair(a, b, "first_ms"), f"{a['first_ms'] / a['median_ms']:.2f} / {b['first_ms'] / b['median_ms']:.2f}",
                pair(a, b, "peak_mb"),
                part("peak_mb"),
                a.get("fresh_processes", "-")
            ]))
    return lines


def scaling(rows):
    """How much faster two threads are than one, ours and theirs, for models of a millisecond and more."""
    times = collections.defaultdict(dict)
    for name, c in rows:
        if "ratio" in c:
            times[name][c["intra"]] = (c["ours"]["median_ms"], c["onnxruntime"]["median_ms"])
    both = [(name, t[1][0] / t[2][0], t[1][1] / t[2][1]) for name, t in times.items()
            if 1 in t and 2 in t and t[1][0] >= 1]
    if not both:
        return []
    return [
        "Two threads by one (ours / ONNX Runtime), models of a millisecond and more: " +
        ", ".join(f"{name} {ours:.2f} / {theirs:.2f}" for name, ours, theirs in both) +
        f". Geometric mean {geometric_mean([o for _, o, _ in both]):.2f} / "
        f"{geometric_mean([t for _, _, t in both]):.2f}.",
        ""
    ]


EXPLANATION = [
    "Both engines run in one process in pairs of random order behind a canary; `lapidary-cli bench --help` says how. "
    "Times are medians; the ratio is the median over pairs of ONNX Runtime's time by ours (above 1: we are faster) with "
    "its 95 % interval. Pairs are ours / ONNX Runtime. The share is of the cores' 32-bit multiply-add speed, by the "
    "arithmetic of the model as loaded (Winograd and 8-bit arithmetic can pass 100 %); the rate of weights is their "
    "size over the time of a run. Core to core is how long a core takes to see what another wrote: a virtual machine is "
    "now and then moved to cores without a common cache, where it is threefold and two threads help small models "
    "little. Rows marked busy were measured on a machine that had other work to do.", ""
]


def facts_of(options):
    """Title of this machine, versions and dates; None where nothing was measured."""
    machines = [r["machine"] for kind in [*JOBS, "quantizing"] for r in load(options, kind) if "machine" in r]
    machines += [found["machine"] for kind in ("generation", "precision") for r in load(options, kind)
                 for found in r["found"].values()]
    if not machines:
        return None
    m = machines[-1]
    dates = sorted(machine["date"] for machine in machines)
    return {
        "title": f"{m['cpu']}, {m['isa']}, {m['cores']} cores", "memory_gb": round(m["memory_gb"]),
        "system": m["system"], "from": dates[0], "to": dates[-1], "lapidary": m["lapidary"],
        "onnxruntime": next((x["onnxruntime"] for x in reversed(machines) if x["onnxruntime"]), None)
    }


def part(ours, theirs, key):
    return ours[key] / theirs[key] if ours.get(key) and theirs.get(key) else None


def data_of(options, facts):
    """What result_pages.py reads: of each set its rows, in few words."""
    sets = {}
    for kind in JOBS:
        rows = [(name, c) for name, c in rows_of(load(options, kind)) if "ratio" in c]
        engines = [(name, c, c["ours"], c["onnxruntime"]) for name, c in rows]
        sets[kind] = [{"model": name, "threads": c["intra"]} | ({
            "load_share": part(a, b, "load_ms"), "peak_share": part(a, b, "peak_mb")
        } if kind == "memory" else {
            "ours_ms": a["median_ms"], "onnxruntime_ms": b["median_ms"], "ratio": c["ratio"]["median"],
            "low": c["ratio"]["ci"][0], "high": c["ratio"]["ci"][1], "busy": not c.get("quiet", True),
            "outputs": outputs_text(c)
        }) for name, c, a, b in engines]
    quantizing = quantizing_set.rows(options)
    return facts | {"sets": {kind: rows for kind, rows in sets.items() if rows}} | (
        {"quantizing": quantizing} if quantizing else {}) | {
            kind: found for kind in ("generation", "precision") if (found := OTHER_SETS[kind].rows(options))}


def sections_of(page):
    """Text of each section of a page by its title, without the lines before the first."""
    parts = re.split(r"^## (.*)$", page, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def page_of(options, facts, before):
    """The machine's page: every row, what time is lost to, what was not measured, a command; sets that were not measured
    stay as they are in the page `before`."""
    kept = sections_of(before)
    out = [
        f"# {facts['title']}", "",
        f"- Machine: {facts['memory_gb']} GB, {facts['system']}",
        f"- Measured: {facts['from']} to {facts['to']}",
        f"- Lapidary {facts['lapidary']} against ONNX Runtime {facts['onnxruntime']} (CPU), both at level all, the same "
        f"inputs and thread counts", ""
    ] + EXPLANATION
    for kind in JOBS:
        results = load(options, kind)
        if not results:
            old = next((title for title in kept if title.split(" (")[0] == TITLES[kind].split(" (")[0]), None)
            out += [f"## {old}", "", kept[old].strip("\n"), ""] if old else []
            continue
        rows = rows_of(results)
        rows.sort(key=lambda row: row[1]["ratio"]["median"] if "ratio" in row[1] else 0) if kind == "real" else None
        out += [f"## {TITLES[kind]}", ""] + (memory_lines(rows) if kind == "memory" else speed_lines(kind, rows, results))
    for module in (generation_set, precision_set):
        out += module.page_lines(options) or (
            [f"## {module.TITLE}", "", kept[module.TITLE].strip("\n"), ""] if module.TITLE in kept else [])
    return "\n".join(out).rstrip("\n") + "\n"


def memory_lines(rows):
    return [
        "Medians of fresh processes in turn, after an unmeasured one of each; share is ours by ONNX Runtime's.", ""
    ] + memory_table(rows) + [""]


def speed_lines(kind, rows, results):
    out = [f"- {line}" for line in summary(rows)] + [""] + table(rows) + [""]
    failed = [(name, c["error"]) for name, c in rows if "error" in c]
    if failed:
        out += ["Not measured:", ""] + [f"- {name}: {error}" for name, error in sorted(set(failed))] + [""]
    losers = [(c["ratio"]["median"], name, c) for name, c in rows if "ratio" in c and c["ratio"]["median"] < 1]
    losers.sort(key=lambda loser: loser[0])
    if losers:
        out += ["Slower than ONNX Runtime:", ""] + [
            f"- {ratio:.2f} {name}, {threads_of(c)}" + (f": {loss_text(c['losses'])}" if c.get("losses") else "")
            for ratio, name, c in losers
        ] + [""]
    if kind in ("float", "int8"):
        out += [
            "What our time is lost to, each kernel against the lower of the two roofs, arithmetic and memory, of "
            "this machine as it was at that moment (what comes out of caches counts by arithmetic):", ""
        ] + [f"- {name}, {threads_of(c)}: {loss_text(c['losses'])}" for name, c in rows if c.get("losses")] + [""]
    return out + scaling(rows) + [
        "First command:", "", "```", "lapidary-cli " + plain_command(results[0]["command"]), "```", ""
    ]


def write_results(options, folder):
    """The data and the page of this machine, and those of its GPU, where something was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = facts_of(options)
    if facts:
        name = re.sub(r"[^a-z0-9]+", "-", facts["title"].lower()).strip("-")
        data, page = folder / f"{name}.json", folder / f"{name}.md"
        old = json.loads(data.read_text()) if data.exists() else {}
        facts["from"] = min(facts["from"], old.get("from", facts["from"]))
        measured = data_of(options, facts)
        measured["sets"] = old.get("sets", {}) | measured["sets"]
        data.write_text(json.dumps(old | measured, indent=0) + "\n")
        page.write_text(page_of(options, facts, page.read_text() if page.exists() else ""))
    if "cuda" in options.sets.split(","):
        cuda_set.write_results(options, folder)


def threads_of(configuration):
    return f"{configuration['intra']} thread{'s' if configuration['intra'] > 1 else ''}"


def plain_command(command):
    """Without the folders of the machine it ran on."""
    return " ".join(pathlib.Path(word).name if word.startswith("/") else word for word in command.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("bench-results"))
    parser.add_argument("--sets", default="float,memory,int8,quantizing,real")
    parser.add_argument("--samples",
                        type=pathlib.Path,
                        help="folder with NAME.onnx of the samples, so that they are not built each time")
    parser.add_argument("--int8", type=pathlib.Path)
    parser.add_argument("--real", type=pathlib.Path)
    parser.add_argument("--recorded", type=pathlib.Path)
    parser.add_argument("--onnxruntime", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--intra", default="1,2")
    parser.add_argument("--launcher", default="")
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--skip", default="", help="names to leave out, separated by commas")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--cuda-plugin", type=pathlib.Path, help="the CUDA provider, for the set `cuda`")
    parser.add_argument("--cuda-beside", action="store_true",
                        help="of the set `cuda` ONNX Runtime alone, beside what was measured before")
    parser.add_argument("--kernel-times", type=pathlib.Path,
                        help="what LAPIDARY_CUDA_TIMES of cuda_tests wrote, for the set `cuda`")
    parser.add_argument("--within", type=float, default=0,
                        help="seconds after which no model of the set `cuda` is begun; 0: as long as it takes")
    parser.add_argument("--peers", default=peer_runs.PEERS, help="engines of the sets `generation` and `precision`")
    parser.add_argument("--peer-python", type=pathlib.Path, help="interpreter or virtual environment that has them")
    parser.add_argument("--large", action="store_true", help="with llama-1b, which needs 20 GB of disk and memory")
    parser.add_argument("--contexts", default="", help="of the set `generation`, in place of 128 and 1024")
    parser.add_argument("--new-tokens", type=int, default=generation_set.NEW_TOKENS, help="of the set `generation`")
    parser.add_argument("--bench-words", default="", help="further options of each bench of those sets")
    options = parser.parse_args()
    sets = options.sets.split(",")
    failed = cuda_set.measure(options) if "cuda" in sets else 0
    for module in (OTHER_SETS[kind] for kind in sets if kind in OTHER_SETS):
        for name, *job in module.jobs(options):
            if options.only in name and name not in options.skip.split(","):
                module.measure(options, name, *job)
    for kind in (s for s in sets if s in JOBS):
        for name, source, sizes, inputs in JOBS[kind](options):
            if options.only in name and name not in options.skip.split(","):
                measure(options, kind, name, source, sizes, inputs)
    if options.output:
        repository = options.output.resolve().parent
        write_results(options, repository / result_pages.RESULTS)
        result_pages.write(repository)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
