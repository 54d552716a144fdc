# SPDX-License-Identifier: Apache-2.0
"""How long `lapidary-cli quantize` takes, in how much memory, and how well it predicts; for an idle machine.

    quantize_times.py CLI FOLDER [--part times,memory,predictions] [--only digits-cnn,mobilenetv2] [--images 1000]

FOLDER holds models and their data (labelled/*.onnx with digits16.npz, digits-seg.npz, wine.npz; real/*.onnx).

times: of every labelled model, of real ones up to 2 MB, and of MobileNetV2, the seconds of --diagnose (10 at most) and
of --search with its usual budget (60 at most; MobileNetV2 180).
memory: the largest resident memory of a process that calibrates on a tenth of the images of 640 x 640 and on all.
predictions: of the sensitivity curve, how far predicted and measured SQNR are apart (2 dB at most).
Exit code 1 when something is missed.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

LABELLED = ["digits-cnn", "digits-dw", "digits-dw-scaled", "digits-mbv2", "digits-seg", "digits-vit",
            "digits-vit-outlier", "digits-lstm", "wine-mlp"]
REAL = ["mnist-8", "superres-espcn-resize", "yunet-n-320", "ultraface-rfb-320", "oww-embedding", "fastestdet", "dtln-1"]


def call(*words):
    """Output, seconds, and the largest resident memory of the process in MB."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([str(w) for w in words], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        err.seek(0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            sys.exit(f"{' '.join(str(w) for w in words)}: {err.read().decode().strip()}")
        return out.read().decode(), time.monotonic() - start, usage.ru_maxrss / 1000


def data_of(folder, name, scratch):
    """An .npz of samples as the model wants them; nothing: it has none of its own."""
    archive = folder / "labelled" / f"{ {'digits-seg': 'digits-seg', 'wine-mlp': 'wine'}.get(name, 'digits16') }.npz"
    data = np.load(archive)["calib_x"]
    values = data.astype(np.float32) / 127.5 - 1 if data.dtype == np.uint8 else data.astype(np.float32)
    file = scratch / f"{name}.npz"
    np.savez(file, x=values)
    return file


def wanted(options, model):
    return not options.only or pathlib.Path(model).stem.replace("sample:", "") in options.only.split(",")


def times(options, scratch):
    missed = 0
    cases = [(options.folder / f"labelled/{n}.onnx", ["--data", data_of(options.folder, n, scratch)], 60)
             for n in LABELLED]
    cases += [(options.folder / f"real/{n}.onnx", [], 60) for n in REAL]
    cases += [("sample:mobilenetv2", ["--generate", 8], 180)]
    if os.getloadavg()[0] > 0.5:
        print(f"this machine has other work (load {os.getloadavg()[0]:.1f}): times say little", flush=True)
    for model, data, most in cases:
        if not wanted(options, str(model)):
            continue
        _, diagnosis, _ = call(options.cli, "quantize", model, "--mode", "static", "--diagnose", "--quiet", *data)
        seconds = []
        for mode in ("static", "dynamic"):
            words = ["--mode", mode, "--search", "--budget", most / 2, "--quiet", *data]
            seconds.append(call(options.cli, "quantize", model, *words)[1])
        late = (diagnosis > 10 and most == 60) or sum(seconds) > most
        missed += late
        print(f"{pathlib.Path(model).stem:26} diagnosis {diagnosis:6.1f} s   search static {seconds[0]:6.1f} s, "
              f"dynamic {seconds[1]:6.1f} s{'   MISSED' if late else ''}", flush=True)
    return missed


def write_png(path, pixels):
    """8 bits, RGB."""
    height, width, _ = pixels.shape

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) +
                     chunk(b"IEND", b""))


def memory(options, scratch):
    """With one model of images of any size, all samples looked at."""
    random = np.random.default_rng(0)
    model = options.folder / "real/yunet-s-dynamic.onnx"
    figures = {}
    folder = scratch / "images"
    folder.mkdir()
    for count in (options.images // 10, options.images):
        for i in range(len(list(folder.iterdir())), count):
            low = random.integers(0, 256, (20, 20, 3), np.uint8)
            write_png(folder / f"{i:05}.png", np.kron(low, np.ones((32, 32, 1), np.uint8)))
        _, seconds, megabytes = call(options.cli, "quantize", model, "--mode", "static", "--data", folder,
                                     "--every-sample", "--intra", 1, "--quiet")
        figures[count] = megabytes
        print(f"{count} images of 640 x 640: {megabytes:.0f} MB, {seconds:.1f} s", flush=True)
    few, many = figures.values()
    return int(many > 1.2 * few)


def predictions(options, scratch):
    far, broken, points, worst = 0, 0, 0, 0
    for name in LABELLED:
        for mode in ("static", "dynamic") if wanted(options, name) else ():
            text, _, _ = call(options.cli, "quantize", options.folder / f"labelled/{name}.onnx", "--mode", mode,
                              "--sensitivity", "--budget", 0, "--json", "--quiet", "--data",
                              data_of(options.folder, name, scratch))
            curve = json.loads(text)["sensitivity"]["curve"]
            apart = [(p["kept"], p["predicted_db"] - p["measured_db"]) for p in curve
                     if "measured_db" in p and 0 < p["kept"] < len(curve) - 1]
            beyond = [f"{kept}: {off:+.1f}" for kept, off in apart if abs(off) > 2]
            far += len(beyond)
            broken += sum(p["measured_db"] < 12 and abs(p["predicted_db"] - p["measured_db"]) > 2
                          for p in curve[1:-1] if "measured_db" in p)
            points += len(apart)
            worst = max([worst, *(abs(off) for _, off in apart)])
            print(f"{name:20} {mode:8} {len(apart):3} points predicted from the others"
                  f"{'   beyond 2 dB: ' + ', '.join(beyond) if beyond else ''}", flush=True)
    print(f"{far} of {points} points are more than 2 dB off, the worst {worst:.1f} dB; {broken} of them lie below "
          "12 dB, where noise is not small against the signal and errors do not add up")
    return far


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--part", default="times,memory,predictions")
    parser.add_argument("--only", help="names of models, all unless given")
    parser.add_argument("--images", type=int, default=1000)
    options = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for part in options.part.split(","):
            measure = {"times": times, "memory": memory, "predictions": predictions}[part]
            missed += measure(options, pathlib.Path(scratch))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
