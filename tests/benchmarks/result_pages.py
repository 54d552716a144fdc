# SPDX-License-Identifier: Apache-2.0
"""BENCHMARKS.md, its chart and the README's table, made of the data in tests/benchmarks/results.

    result_pages.py [REPOSITORY]

`results` holds for each machine NAME.json (the rows that count) and NAME.md (every row with its conditions, what time is
lost to, commands), both written by benchmarks.py. This script reads the .json files alone, writes BENCHMARKS.md and
`results/speed.svg`, and puts the newest figures into the README.
"""
import json
import math
import pathlib
import re
import sys

SETS = {
    "float": "float32 samples",
    "int8": "8-bit models",
    "real": "recorded real models",
}
RESULTS = pathlib.Path("tests/benchmarks/results")
GPU_FILE = "cuda.json"

INTRODUCTION = """# Benchmarks

Lapidary's engine against ONNX Runtime, on the same machine, in the same process, on the same inputs. The two engines
run in turn, in pairs of random order. A *ratio* is ONNX Runtime's time divided by ours, the median over all pairs:
2.00 means that we need half the time. Both engines optimize at level all and have the same number of threads.

`tests/benchmarks/benchmarks.py` measures and writes this page; do not edit it by hand. `lapidary-cli bench --help`
explains how a pair is measured, and when a machine counts as busy. To measure a single row again:

```text
lapidary-cli bench MODEL --vs onnxruntime --intra 1,2
```
"""


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def load(folder):
    """Data of the CPU machines, sorted by title."""
    files = [p for p in sorted(folder.glob("*.json")) if p.name != GPU_FILE]
    return sorted((json.loads(p.read_text()) | {"page": p.with_suffix(".md").name} for p in files),
                  key=lambda machine: machine["title"])


def cells(values):
    return "| " + " | ".join(str(v) for v in values) + " |"


def table(head, rows):
    return [cells(head), cells(["---"] * len(head))] + [cells(row) for row in rows] + [""]


def threads_text(threads):
    return f"{threads} thread" + ("" if threads == 1 else "s")


def groups(machine):
    """(set, threads, ratios), as the table and the chart show them."""
    for kind in SETS:
        rows = machine["sets"].get(kind, [])
        for threads in sorted({row["threads"] for row in rows}):
            yield kind, threads, [row["ratio"] for row in rows if row["threads"] == threads]


def speed_table(machine):
    head = ["models", "threads", "number of models", "geometric mean", "lowest", "highest", "at or above 1.00"]
    rows = [[SETS[kind], threads, len(ratios), f"**{geometric_mean(ratios):.2f}**", f"{min(ratios):.2f}",
             f"{max(ratios):.2f}", f"{sum(r >= 1 for r in ratios)} of {len(ratios)}"]
            for kind, threads, ratios in groups(machine)]
    return table(head, rows)


def start_table(machine):
    """Session creation and peak memory, where they were measured."""
    rows = machine["sets"].get("memory", [])
    if not rows:
        return []
    head = ["model", "threads", "loading, share of ONNX Runtime's time", "peak memory, share of ONNX Runtime's"]
    shown = lambda value: "-" if value is None else f"{value:.2f}"
    return ["Creating a session, in fresh processes:", ""] + table(
        head, [[row["model"], row["threads"], shown(row["load_share"]), shown(row["peak_share"])] for row in rows])


def quantizing_table(machine):
    """What auto chose, where that was measured."""
    rows = machine.get("quantizing", [])
    if not rows:
        return []
    threads = sorted({count for row in rows for count in row["ratios"]}, key=int)
    head = ["model", "chosen", "constants, share of float's", "SQNR, dB", "time, share of float's",
            "the same in ONNX Runtime", *(f"against ONNX Runtime, {threads_text(int(t))}" for t in threads)]
    shown = lambda value: "-" if value is None else f"{value:.2f}"
    lines = [[row["model"], row["recipe"], shown(row["bytes_share"]),
              "-" if row["sqnr_db"] is None else f"{row['sqnr_db']:.1f}", shown(row["time_share"]),
              shown(row["time_share_onnxruntime"]), *(shown(row["ratios"].get(t)) for t in threads)] for row in rows]
    return [
        "What `lapidary-cli quantize --mode auto` makes of float models: times are those of the quantized model by those "
        "of the float one, both at level all in one thread; the last columns are ratios as above, of both engines on "
        "the quantized file:", ""
    ] + table(head, lines)


PEERS = {"onnxruntime": "ONNX Runtime", "onnxruntime-genai": "onnxruntime-genai", "openvino": "OpenVINO",
         "llama.cpp": "llama.cpp", "pytorch": "PyTorch"}


def with_most_threads(rows):
    """Those rows alone: all stand on the machine's page."""
    return [row for row in rows if row["threads"] == max(row["threads"] for row in rows)]


def generation_table(machine):
    """Decoders token by token, where that was measured."""
    rows = with_most_threads(machine.get("generation", []))
    if not rows:
        return []
    head = ["model", "threads", "context", "tokens/s", "of the roof", "best other", "ratio", "ratio of the prompt",
            "first token by the warm prompt"]
    return ["Text, token by token, each model beside the fastest other engine that is installed; the roof is reading "
            "weights and caches of a token from memory:", ""] + table(head, [[
                row["model"], row["threads"], row["context"], f"{row['tokens_per_second']:.1f}",
                f"{100 * row['share_of_roof']:.0f} %", PEERS[row["best"]], f"**{row['ratio']:.2f}**",
                f"{row['prompt_ratio']:.2f} ({PEERS[row['prompt_best']]})", f"{row['first_token_share']:.2f}"
            ] for row in rows])


def precision_table(machine):
    """Float16 against float32, where that was measured."""
    rows = with_most_threads(machine.get("precision", []))
    if not rows:
        return []
    head = ["model", "threads", "float32, ms", "float16, ms", "times as fast", "best other on the float16 file", "ratio"]
    return ["Models in float16 and the same in float32:", ""] + table(head, [[
        row["model"], row["threads"], f"{row['float_ms']:.2f}", f"{row['half_ms']:.2f}", f"**{row['speedup']:.2f}**",
        PEERS[row["best"]] if "best" in row else "-", f"{row['ratio']:.2f}" if "best" in row else "-"
    ] for row in rows])


def machine_lines(machine):
    return [
        f"## {machine['title']}", "",
        f"Measured {machine['to'][:10]}, Lapidary {machine['lapidary']} and ONNX Runtime {machine['onnxruntime']}. "
        f"[Every row]({RESULTS.as_posix()}/{machine['page']})", ""
    ] + speed_table(machine) + generation_table(machine) + precision_table(machine) + quantizing_table(
        machine) + start_table(machine)


def gpu_lines(folder):
    """Named models on a GPU; says that nothing was measured where that is so."""
    file = folder / GPU_FILE
    data = json.loads(file.read_text()) if file.exists() else {}
    rows = data.get("models", [])
    if not rows:
        return ["## NVIDIA GPUs (CUDA provider)", "", "Nothing was measured on a GPU yet.", ""]
    shown = lambda value: "-" if not value else f"{value:.0f}"
    ratio = lambda theirs, ours: f"{theirs / ours:.2f}" if theirs and ours else "-"
    head = ["model", "a run, µs", "on the device alone, µs", "ONNX Runtime by default, µs", "ratio",
            "ONNX Runtime at its best, µs", "ratio"]
    lines = [
        "## NVIDIA GPUs (CUDA provider)", "",
        f"On {data['device']}, against ONNX Runtime {data['onnxruntime']}. *By default* has inputs and outputs in host "
        "memory, and is compared with a whole run. *At its best* has them on the device and replays a CUDA graph, and is "
        f"compared with our time on the device alone. [Every row, products and attention]({RESULTS.as_posix()}/cuda.md)",
        ""
    ]
    return lines + table(head, [[
        row["model"], shown(row["run_us"]), shown(row["device_us"]), shown(row["default_us"]),
        ratio(row["default_us"], row["default_beside_us"]), shown(row["best_us"]), ratio(row["best_us"], row["device_us"])
    ] for row in rows])


def short_table(folder):
    """The README's table: geometric means, a row for each machine, with as many threads as it has at most."""
    lines = [cells(["machine", *SETS.values()]), cells(["---"] * (1 + len(SETS)))]
    for machine in load(folder):
        means = {kind: f"{geometric_mean(ratios):.2f}" for kind, _, ratios in groups(machine)}
        lines.append(cells([machine["title"], *(means.get(kind, "-") for kind in SETS)]))
    return lines


def report(folder):
    """Text of BENCHMARKS.md."""
    lines = [INTRODUCTION, f"![Ratios of all models, one dot for each]({RESULTS.as_posix()}/speed.svg)", ""]
    for machine in load(folder):
        lines += machine_lines(machine)
    return "\n".join(lines + gpu_lines(folder)).rstrip("\n") + "\n"


WIDTH, LEFT, RIGHT, ROW, TOP = 960, 330, 30, 30, 40
TICKS = [0.5, 1, 2, 4, 8, 16, 32, 64]


def chart(folder):
    """SVG: a row for each machine, set and number of threads, a dot for each model, a bar at the geometric mean."""
    machines = [(machine, list(groups(machine))) for machine in load(folder)]
    everything = [ratio for _, rows in machines for _, _, ratios in rows for ratio in ratios]
    low, high = min([0.5, *everything]), max([2, *everything])
    x = lambda ratio: LEFT + (math.log(ratio) - math.log(low)) / (math.log(high) - math.log(low)) * (
        WIDTH - LEFT - RIGHT)
    height = TOP + sum(ROW * (len(rows) + 1) for _, rows in machines) + 30
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        'font-size="14">', f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" fill="#333333">ONNX Runtime\'s time by ours; right of 1 Lapidary is faster</text>'
    ]
    for tick in (t for t in TICKS if low <= t <= high):
        strong = tick == 1
        out += [
            f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP - 6}" y2="{height - 26}" '
            f'stroke="{"#555555" if strong else "#dddddd"}" stroke-width="{2 if strong else 1}"/>',
            f'<text x="{x(tick):.1f}" y="{height - 8}" text-anchor="middle" fill="#555555">{tick:g}</text>'
        ]
    y = TOP + ROW / 2
    for machine, rows in machines:
        out.append(f'<text x="8" y="{y + 5:.0f}" font-weight="bold" fill="#222222">{machine["title"]}</text>')
        y += ROW
        for kind, threads, ratios in rows:
            out.append(f'<text x="24" y="{y + 5:.0f}" fill="#333333">{SETS[kind]}, {threads_text(threads)}</text>')
            out += [f'<circle cx="{x(r):.1f}" cy="{y:.0f}" r="4" fill="{"#2a7fb8" if r >= 1 else "#c0562b"}" '
                    'fill-opacity="0.55"/>' for r in sorted(ratios)]
            mean = geometric_mean(ratios)
            out += [f'<rect x="{x(mean) - 2:.1f}" y="{y - 10:.0f}" width="4" height="20" fill="#111111"/>',
                    f'<text x="{LEFT - 12}" y="{y + 5:.0f}" text-anchor="end" fill="#111111">{mean:.2f}</text>']
            y += ROW
    return "\n".join(out + ["</svg>"]) + "\n"


def write(repository):
    folder = repository / RESULTS
    (folder / "speed.svg").write_text(chart(folder))
    (repository / "BENCHMARKS.md").write_text(report(folder))
    readme = repository / "README.md"
    if readme.exists():
        text, table_lines = readme.read_text(), short_table(folder)
        old = re.compile(re.escape(table_lines[0]) + r"\n(?:\|.*\n)+")
        readme.write_text(old.sub(lambda _: "\n".join(table_lines) + "\n", text))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
