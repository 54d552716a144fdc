# SPDX-License-Identifier: Apache-2.0
"""Named models on an NVIDIA GPU, beside ONNX Runtime's GPU package where this interpreter has it; products, convolutions
and attention by way, beside cuBLASLt.

Runs are those without a profiler (graph replays where the provider captured them), as `lapidary-cli profile` reports
them beside the sum of its spans; "without copies" is the fastest replay on the device's own clock. Decoders are
measured with their caches left on the device between runs (`--resident auto`); beside it stands a run whose caches go
through host memory, which is what ONNX Runtime's default is compared with. Its best (onnxruntime_cuda.py) has inputs
and outputs on the device, and is compared with what has no copies here. Where there is no GPU nothing is written.
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

TITLE = "NVIDIA GPUs (CUDA provider)"
DECODERS = ["gpt2-small"]  # samples whose caches stay on the device
# name, sample, sizes, options of the provider
MODELS = [
    ("bert-base, batch 1, sequence 128, float16", "bert-base", ["batch=1", "sequence=128"], "precision=fp16"),
    ("bert-base, batch 1, sequence 128, TF32", "bert-base", ["batch=1", "sequence=128"], "precision=tf32"),
    ("bert-base, batch 32, sequence 128, float16", "bert-base", ["batch=32", "sequence=128"], "precision=fp16"),
    ("resnet50, batch 1, float16", "resnet50", ["batch=1"], "precision=fp16"),
    ("resnet50, batch 128, float16", "resnet50", ["batch=128"], "precision=fp16"),
    ("mobilenetv2, batch 1, float16", "mobilenetv2", ["batch=1"], "precision=fp16"),
    ("gpt2-small, decode a token after 128, float16", "gpt2-small", ["batch=1", "sequence=1", "past_sequence=128"],
     "precision=fp16"),
    ("unet, batch 1, float16", "unet", ["batch=1"], "precision=fp16"),
]


def words_of(options, words):
    return shlex.split(options.launcher) + [str(w) for w in words]


class OutOfTime(Exception):
    """--within is over."""


def seconds_left(options, most):
    """Of a run that takes `most` at most."""
    left = options.cuda_end - time.monotonic() if options.cuda_end else most
    if left < 10:
        raise OutOfTime
    return min(most, left)


def sentence_of(text):
    """What a command said as it failed: the message of its JSON, or its last line."""
    try:
        return json.loads(text)["error"]["message"]
    except (json.JSONDecodeError, KeyError, TypeError):
        lines = text.strip().splitlines()
        return lines[-1].removeprefix("lapidary-cli: ") if lines else ""


def run_json(options, words, seconds=150):
    seconds = seconds_left(options, seconds)
    try:
        done = subprocess.run(words_of(options, words), capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"it took more than {seconds:.0f} s"
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        return None, sentence_of(done.stderr or done.stdout) or f"it ended with code {done.returncode}"


def provider_words(options, settings):
    name = "cuda:" + settings if settings else "cuda"
    return ["--provider", name] + (["--plugin", options.cuda_plugin] if options.cuda_plugin else [])


def why_empty(options):
    """Why nothing can be measured; None where there is a device."""
    if not options.cuda_plugin:
        return "the plugin was not named (--cuda-plugin)"
    done = subprocess.run([options.cli, "plugins", "--probe", options.cuda_plugin], capture_output=True, text=True)
    text = done.stdout + done.stderr
    found = re.search(r"no NVIDIA (?:driver|device)|the NVIDIA driver supports [^\n]*", text)
    if found:
        return found.group(0)
    return None if done.returncode == 0 else text.strip().splitlines()[-1]


def device_line(options):
    """The name of the plugin's first device, as the plugin reports it."""
    done = subprocess.run([options.cli, "plugins", "--probe", options.cuda_plugin], capture_output=True, text=True)
    found = re.search(r"^    device [^:]+:\d+: ([^\n]+)", done.stdout, re.MULTILINE)
    return found.group(1) if found else ""


def clean_us(profile):
    """Median of runs without a profiler, microseconds."""
    clean = re.search(r"not watched took ([0-9.]+) ms", profile.get("note", ""))
    return float(clean.group(1)) * 1000 if clean else None


def device_us(profile):
    """The fastest replay on the device, without copies, microseconds; None where a run is no single graph."""
    reported = re.search(r": 1 graph, .*? at best in ([0-9]+) us there", profile.get("note", "") if profile else "")
    return float(reported.group(1)) if reported else None


def measure_model(options, row, source, sizes, settings):
    size_words = [w for size in sizes for w in ("--dim", size)]
    runs = ["--level", "all", "--runs", 20, "--warmup", 5, "--json"]
    resident = ["--resident", "auto"] if row["stays"] else []
    by_host = lambda more: [options.cli, "profile", source, *runs, *size_words,
                            *provider_words(options, settings + more)]
    ours = lambda more: by_host(more) + resident
    words = ours("")
    row["command"] = " ".join(str(w) for w in words[1:])
    profile, row["error"] = run_json(options, words)
    if profile is None:
        return
    row["note"] = profile.get("note", "")
    row["clean_us"] = clean_us(profile)
    spans = re.search(r"worked ([0-9.]+) ms", row["note"])
    row["spans_us"] = float(spans.group(1)) * 1000 if spans else None
    if row["stays"]:
        row["resident"] = profile.get("resident")
        through_host, row["by_host_error"] = run_json(options, by_host(""))
        row["by_host_us"] = clean_us(through_host) if through_host else None
    (options.results / "cuda-profiles").mkdir(exist_ok=True)
    (options.results / "cuda-profiles" / f"{row['sample']}.json").write_text(json.dumps(profile))
    tuned, row["tuned_error"] = run_json(options, ours(",tune=on"))
    row["tuned_us"] = clean_us(tuned) if tuned else None
    row["devices_us"] = [device_us(p) for p in (profile, tuned)]
    row["device_us"] = min((t for t in row["devices_us"] if t), default=None)


def make_files(options, scratch):
    """The samples, and the halves that ONNX Runtime gets, all at once: most of it is waiting. By their names."""
    def make(sample):
        file, half = scratch / f"{sample}.onnx", scratch / f"{sample}-half.onnx"
        for words in ([options.cli, "sample", sample, "-o", file],
                      [options.cli, "quantize", file, "--mode", "fp16", "-o", half, "--quiet"]):
            subprocess.run(words_of(options, words), capture_output=True)
        return file, half

    samples = sorted({sample for name, sample, *_ in MODELS if options.only in name})
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return dict(zip(samples, pool.map(make, samples)))


def measure_onnxruntime(options, files, rows):
    """Adds the times of onnxruntime_cuda.py to the rows. Returns why there are none, or empty."""
    words = [sys.executable, pathlib.Path(__file__).with_name("onnxruntime_cuda.py")]
    for name, sample, sizes, settings in MODELS:
        if name in rows:
            words += [name, files[sample][settings == "precision=fp16"], ",".join(sizes)]
    try:
        seconds = seconds_left(options, 300)
    except OutOfTime:
        return "the time was over"
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=seconds)
        reported, failure = done.stdout, sentence_of(done.stderr)
    except subprocess.TimeoutExpired as e:
        reported, failure = (e.stdout or b"").decode(), f"it took more than {seconds:.0f} s"
    for line in reported.splitlines():
        found = json.loads(line)
        if "problem" in found:
            return found["problem"]
        rows[found["name"]]["theirs"] = found
    return "" if reported else failure


def measure(options):
    """One JSON per model below RESULTS/cuda. How many models failed; those for which --within left no time did not.

    With --cuda-beside ONNX Runtime alone is measured, beside models that were measured before."""
    options.cuda_end = time.monotonic() + options.within if options.within else None
    folder = options.results / "cuda"
    folder.mkdir(parents=True, exist_ok=True)
    reason = why_empty(options)
    facts = {"empty": reason}
    if reason:
        (folder / "device.json").write_text(json.dumps(facts))
        print("cuda: nothing is measured,", reason, flush=True)
        return 0
    facts["device"] = device_line(options)
    rows = {}
    with tempfile.TemporaryDirectory() as scratch:
        files = make_files(options, pathlib.Path(scratch))
        if options.cuda_beside:
            rows = {row["name"]: row for row in kept_rows(folder)}
        else:
            measure_models(options, files, folder, rows)
        facts["no_onnxruntime"] = measure_onnxruntime(options, files, rows)
    for row in rows.values():
        (folder / f"{row['sample'].split('-')[0]}.json").write_text(json.dumps(row, indent=1))
        if "theirs" in row:
            print("cuda: ONNX Runtime,", row["name"] + ":", json.dumps(row["theirs"]), flush=True)
    if facts["no_onnxruntime"]:
        print("cuda: ONNX Runtime was not measured,", facts["no_onnxruntime"], flush=True)
    (folder / "device.json").write_text(json.dumps(facts))
    return sum(bool(row["error"]) and "the time was over" not in row["error"] for row in rows.values())


def measure_models(options, files, folder, rows):
    """Ours of all models, into `rows` by name and a file each."""
    for number, (name, sample, sizes, settings) in enumerate(MODELS):
        if options.only not in name:
            continue
        row = {"name": name, "sample": f"{number}-{sample}", "stays": sample in DECODERS}
        try:
            seconds_left(options, 1)
            measure_model(options, row, files[sample][0], sizes, settings)
        except OutOfTime:
            row["error"] = row.get("error") or ("" if row.get("clean_us") else "not measured: the time was over")
        rows[name] = row
        (folder / f"{number}.json").write_text(json.dumps(row, indent=1))
        print("cuda:", told_of(row), flush=True)


def kept_rows(folder):
    return [json.loads(p.read_text()) for p in sorted(folder.glob("[0-9]*.json"))] if folder.exists() else []


def told_of(row):
    if not row.get("clean_us"):
        return row["name"] + ": " + (row["error"] or "it was not reported")
    text = f"{row['name']}: {row['clean_us']:.0f} us a run"
    if row["stays"]:
        text += f" with caches that stay on the device, {figure(row.get('by_host_us'))} us through the host"
    return text + f", tuned {figure(row.get('tuned_us'))}, without copies " \
                  f"{', '.join(map(figure, row.get('devices_us', [])))}"


def figure(value):
    return "-" if value is None else f"{value:.0f}"


def ratio(theirs, ours):
    return f"{theirs / ours:.2f}" if theirs and ours else "-"


def compared(row):
    """What BENCHMARKS.md shows of a row, microseconds: a run, the device alone, ONNX Runtime by default with what of
    ours it is compared with, and at its best."""
    theirs = row.get("theirs", {})
    best = min((t for t in (row.get("clean_us"), row.get("tuned_us")) if t is not None), default=None)
    return {
        "model": row["name"], "run_us": row.get("clean_us"),
        # where caches stay on the device there are no copies to leave out
        "device_us": best if row.get("stays") else row.get("device_us") or best,
        "default_us": theirs.get("default_us"),
        # its caches go through the host by default
        "default_beside_us": row.get("by_host_us") if row.get("stays") else best, "best_us": theirs.get("best_us")
    }


def model_lines(rows):
    lines = ["| model | a run, us | tuned | without copies, tuned | sum of spans | ONNX Runtime, default | ratio | "
             "at best | ratio |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        one = compared(row)
        on_device = ", ".join(map(figure, row.get("devices_us") or [row.get("device_us")]))
        cells = [row["name"], *map(figure, (row.get("clean_us"), row.get("tuned_us"))), on_device,
                 figure(row.get("spans_us")), figure(one["default_us"]),
                 ratio(one["default_us"], one["default_beside_us"]), figure(one["best_us"]),
                 ratio(one["best_us"], one["device_us"])]
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""] + [f"- {row['name']}: {row['error']}" for row in rows if row.get("error")]


def growing_text(growing):
    """Of runs that each begin with the caches of the one before; empty if the profile has none."""
    if "median_ms" not in growing:
        return f"; with caches that grow: {growing['refusal']}" if "refusal" in growing else ""
    return (f"; with caches there that grow from {growing['from']} to {growing['to']} "
            f"{figure(1000 * growing['median_ms'])} us")


def decoder_lines(rows):
    """What runs of decoders take with caches on the device and with caches that go through the host."""
    lines = []
    for row in rows:
        if not row.get("stays") or not row.get("clean_us"):
            continue
        kept = row.get("resident") or {}
        lines.append(f"- {row['name']}: caches stay on the device between runs ({len(kept.get('pairs', []))} pairs; a "
                     f"run copies {kept.get('to_device_bytes', '-')} bytes there and {kept.get('to_host_bytes', '-')} "
                     f"back), {figure(row['clean_us'])} us; through host memory {figure(row.get('by_host_us'))} us, "
                     f"which the ratio is of{growing_text(kept.get('growing') or {})}")
        lines += [f"    - {one['name']} does not stay: {one['reason']}" for one in kept.get("not_resident", [])]
    return lines + [""] if lines else []


def onnxruntime_lines(rows):
    """Which version it was, how its best came about, and what it refused."""
    theirs = [row["theirs"] | {"name": row["name"]} for row in rows if row.get("theirs")]
    lines = [f"- ONNX Runtime {one['version']}, {one['name']}: at best {one.get('best', '-')}" for one in theirs]
    for one in theirs:
        lines += [f"    - {one['name']}, {way}: {' '.join(text.split())[:160]}" for way, text in
                  one.get("problems", {}).items()]
    return lines + [""] if lines else []


def own_and_library(times):
    """Times of our ways, and that of cuBLASLt or None."""
    own = {way: took for way, took in times.items() if way != "library"}
    return own, times.get("library")


def share_of_library(times):
    """How fast the best of our ways is beside cuBLASLt; None where one of both is not known."""
    own, library = own_and_library(times)
    best = min(own.values(), default=0)
    return library / best if library and best else None


def kernel_lines(file):
    """Products, convolutions and attention as cuda_tests measured them."""
    jobs = [json.loads(line) for line in file.read_text().splitlines() if line] if file and file.exists() else []
    if not jobs:
        return []
    lines = ["Products, convolutions and attention: what a launch adds to a queue of small kernels that overlap with "
             "it where", "it lets them, which cuBLASLt's do not, with weights that no cache holds. \"Apart\": no "
             "kernels overlap, ours", "neither.", "",
             "| | own, us | best of own | by | TFLOP/s | cuBLASLt, us | of cuBLASLt | apart |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for job in jobs:
        times = job["us"]
        own, library = own_and_library(times)
        way, best = min(own.items(), key=lambda item: item[1])
        share, apart = share_of_library(times), share_of_library(job.get("us_apart", {}))
        rate = f"{job['gflop'] / best * 1e3:.1f}" if best else "-"  # Gflop by microseconds
        reported = ["-" if one is None else f"{one:.2f}" for one in (share, apart)]
        lines.append(f"| {job['kind']} {job['name']} | {own.get('own', 0):.1f} | {best:.1f} | {way} | {rate} | " +
                     ("-" if library is None else f"{library:.1f}") + " | " +
                     " | ".join(reported) + " |")
    return lines + [""]


def write_results(options, folder):
    """cuda.json and cuda.md in `folder`; neither where nothing was measured, which is reported."""
    measured = options.results / "cuda"
    device = json.loads((measured / "device.json").read_text()) if (measured / "device.json").exists() else {}
    rows = kept_rows(measured)
    if device.get("empty") or not rows:
        print("cuda: no page is written,", device.get("empty") or "nothing was measured", flush=True)
        return
    versions = [row["theirs"]["version"] for row in rows if row.get("theirs")]
    data = {"device": device.get("device", "a GPU"), "onnxruntime": versions[0] if versions else "-",
            "models": [compared(row) for row in rows]}
    (folder / "cuda.json").write_text(json.dumps(data, indent=0) + "\n")
    lines = [f"# {TITLE}", "", f"On {data['device']}.", ""] + model_lines(rows) + decoder_lines(rows)
    if device.get("no_onnxruntime"):
        lines += [f"Beside ONNX Runtime nothing was measured: {device['no_onnxruntime']}.", ""]
    lines += onnxruntime_lines(rows) + kernel_lines(options.kernel_times)
    lines += [f"- {row['name']}: {row['note']}" for row in rows if row.get("note")]
    (folder / "cuda.md").write_text("\n".join(lines).rstrip("\n") + "\n")
