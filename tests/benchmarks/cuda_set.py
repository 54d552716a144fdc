# SPDX-License-Identifier: Apache-2.0
"""The CUDA part of BENCHMARKS.md: named models on an NVIDIA GPU, with the times that are asked of them.

Runs are those that nobody watches (graph replays where the provider captured them), as `lapidary-cli profile` tells
them beside the sum of its spans. Where there is no GPU the part says that it is empty, and why.
"""
import json
import pathlib
import re
import shlex
import subprocess
import tempfile

TITLE = "NVIDIA GPUs (CUDA provider)"
# name, sample, sizes, microseconds asked for
MODELS = [
    ("bert-base, batch 1, sequence 128, float16", "sample:bert-base", ["batch=1", "sequence=128"], 400),
    ("resnet50, batch 1, float16", "sample:resnet50", ["batch=1"], 300),
    ("resnet50, batch 128, float16", "sample:resnet50", ["batch=128"], 5000),
    ("gpt2-small, decode a token after 128, float16", "sample:gpt2-small",
     ["batch=1", "sequence=1", "past_sequence=128"], 250),
]


def run_json(options, words):
    done = subprocess.run(shlex.split(options.launcher) + [str(w) for w in words], capture_output=True, text=True)
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        lines = (done.stderr or done.stdout).strip().splitlines()
        return None, lines[-1].removeprefix("lapidary-cli: ") if lines else f"it ended with code {done.returncode}"


def provider_words(options):
    return ["--provider", "cuda"] + (["--plugin", options.cuda_plugin] if options.cuda_plugin else [])


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


def measure(options):
    """One JSON per model below RESULTS/cuda."""
    folder = options.results / "cuda"
    folder.mkdir(parents=True, exist_ok=True)
    reason = why_empty(options)
    (folder / "device.json").write_text(json.dumps({"empty": reason}))
    if reason:
        print("cuda: nothing is measured,", reason, flush=True)
        return
    for number, (name, source, sizes, asked) in enumerate(MODELS):
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            half = pathlib.Path(scratch) / "half.onnx"
            made = subprocess.run([options.cli, "quantize", source, "--mode", "fp16", "-o", half, "--quiet"],
                                  capture_output=True, text=True)
            words = [options.cli, "profile", half, "--level", "all", "--runs", 20, "--warmup", 5, "--json"]
            words += provider_words(options) + [w for size in sizes for w in ("--dim", size)]
            profile, failure = run_json(options, words) if made.returncode == 0 else (None, made.stderr.strip())
        row = {"name": name, "asked_us": asked, "command": " ".join(str(w) for w in words[1:])}
        if profile is None:
            row["error"] = failure
        else:
            row["note"] = profile.get("note", "")
            clean = re.search(r"not watched took ([0-9.]+) ms", row["note"])
            spans = re.search(r"worked ([0-9.]+) ms", row["note"])
            row["clean_us"] = float(clean.group(1)) * 1000 if clean else None
            row["spans_us"] = float(spans.group(1)) * 1000 if spans else None
        (folder / f"{number}.json").write_text(json.dumps(row, indent=1))
        print(name, row.get("clean_us", row.get("error")), flush=True)


def section(options):
    """Lines of the report."""
    folder = options.results / "cuda"
    lines = [f"## {TITLE}", ""]
    device = json.loads((folder / "device.json").read_text()) if (folder / "device.json").exists() else {}
    rows = [json.loads(p.read_text()) for p in sorted(folder.glob("[0-9]*.json"))] if folder.exists() else []
    if device.get("empty") or not rows:
        reason = device.get("empty") or "nothing was measured"
        return lines + [
            f"Empty: no figure was measured on a GPU yet ({reason}). `packaging/cuda_check.sh`, on a machine that has "
            "one, checks the",
            "kernels there and fills this part.", ""
        ]
    lines += ["| model | a run, us | sum of spans, us | asked, us | |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        clean = row.get("clean_us")
        verdict = row.get("error") or ("not told" if clean is None else "met" if clean <= row["asked_us"] else "missed")
        figure = lambda value: "-" if value is None else f"{value:.0f}"
        cells = [row["name"], figure(clean), figure(row.get("spans_us")), str(row["asked_us"]), verdict]
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""] + [f"- {row['name']}: {row['note']}" for row in rows if row.get("note")] + [""]


def replace_section(text, lines):
    """The report with this part in the place of the one that it had, at the end where it had none."""
    begin = text.find(f"## {TITLE}\n")
    if begin < 0:
        return text.rstrip("\n") + "\n\n" + "\n".join(lines).rstrip("\n") + "\n"
    end = text.find("\n## ", begin + 1)
    after = text[end + 1:] if end >= 0 else ""
    return text[:begin] + "\n".join(lines).rstrip("\n") + "\n" + ("\n" + after if after else "")
