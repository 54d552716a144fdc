# SPDX-License-Identifier: Apache-2.0
"""Samples for models that others trained, from photographs, sounds and texts: some give ranges, others judge.

`samples(FOLDER, NAME)` gives both lists of feeds, and labels or nothing. FOLDER holds real/*.onnx and inputs/*.
Needs numpy, onnxruntime, Pillow and scikit-learn (two photographs and the digits).
"""
import pathlib
import re
import wave

import numpy as np
import onnxruntime as ort

FILES = {
    "mnist-8": "mnist-8", "ultraface-rfb": "ultraface-rfb-320", "yunet-n": "yunet-n-320",
    "superres": "superres-espcn-resize", "oww-embed": "oww-embedding", "magika": "magika-v3-3", "dtln-1": "dtln-1",
    "byte-lstm": "byte-sb-bidi-lstm"
}


def model_of(folder, name):
    return folder / "real" / f"{FILES[name]}.onnx"


def session(path):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def photographs(folder):
    from PIL import Image
    from sklearn.datasets import load_sample_images
    given = [np.asarray(image) for image in load_sample_images().images]
    found = {path.stem: np.asarray(Image.open(path).convert("RGB")) for path in sorted((folder / "inputs").iterdir())
             if path.suffix in (".jpg", ".jpeg", ".png") and "digit" not in path.stem}
    learned = [given[0], *(found[n] for n in ("dog", "faces", "bald_eagle", "fish_720", "kitten_224"))]
    judged = [given[1], *(found[n] for n in ("face1", "person", "pelican")), found["faces"][:, ::-1]]
    return learned, judged


def crops(pictures, count, height, width, seed):
    """Each picture whole, then random parts of them, mirrored and brightened at random."""
    from PIL import Image
    random, made = np.random.default_rng(seed), []
    for i in range(count):
        picture, is_whole = pictures[i % len(pictures)], i < len(pictures)
        share = 1.0 if is_whole else random.uniform(0.5, 1.0)
        rows, columns = int(picture.shape[0] * share), int(picture.shape[1] * share)
        top = random.integers(0, picture.shape[0] - rows + 1)
        left = random.integers(0, picture.shape[1] - columns + 1)
        part = picture[top:top + rows, left:left + columns]
        if not is_whole and random.random() < 0.5:
            part = part[:, ::-1]
        part = np.asarray(Image.fromarray(part).resize((width, height), Image.BILINEAR)).astype(np.float32)
        made.append(part if is_whole else np.clip(part * random.uniform(0.7, 1.2), 0, 255))
    return made


def pictures(folder, name, height, width, prepared, learned=48, judged=15):
    one, other = photographs(folder)

    def feeds(parts):
        return [{name: np.ascontiguousarray(prepared(part).transpose(2, 0, 1)[None], np.float32)} for part in parts]

    return feeds(crops(one, learned, height, width, 1)), feeds(crops(other, judged, height, width, 2)), None


def sound(folder, name, rate=16000):
    with wave.open(str(folder / "inputs" / f"{name}.wav")) as file:
        values = np.frombuffer(file.readframes(file.getnframes()), np.int16)[::file.getnchannels()]
        values, found = values.astype(np.float32) / 32768, file.getframerate()
    if found != rate:
        values = np.interp(np.arange(0, len(values), found / rate), np.arange(len(values)), values).astype(np.float32)
    return values


def resized_digits(images):
    """Bilinear, from 8 to 20 rows and columns."""
    places = np.clip((np.arange(20) + 0.5) * 8 / 20 - 0.5, 0, 7)
    low = np.minimum(places.astype(int), 6)
    part = (places - low).astype(np.float32)
    rows = images[:, low] * (1 - part)[None, :, None] + images[:, low + 1] * part[None, :, None]
    return rows[:, :, low] * (1 - part) + rows[:, :, low + 1] * part


def mnist(folder):
    from sklearn.datasets import load_digits
    digits = load_digits()
    images = resized_digits(digits.images.astype(np.float32) / 16)
    images = np.pad(images, ((0, 0), (4, 4), (4, 4)))[:, None].astype(np.float32) * 255
    order = np.random.default_rng(5).permutation(len(images))
    learned, judged = order[:64], order[64:1064]
    return [{"Input3": images[i:i + 1]} for i in learned], [{"Input3": images[i:i + 1]} for i in judged], \
        digits.target[judged]


def embedding(folder):
    spectrum = session(folder / "real/oww-melspectrogram.onnx")

    def frames(values):
        found = spectrum.run(None, {"input": (values * 32767)[None].astype(np.float32)})[0].squeeze() / 10 + 2
        return [{"input_1": found[i:i + 76][None, ..., None].astype(np.float32)}
                for i in range(0, len(found) - 76, 40)]

    speech = frames(sound(folder, "vad13"))
    judged = frames(sound(folder, "hey_jane")) + frames(sound(folder, "alexa_test"))
    quiet = frames(sound(folder, "vad13") * 0.3 + 0.1 * sound(folder, "gtcrn_mix")[:1].mean())
    return speech[:24] + frames(sound(folder, "gtcrn_mix"))[:24], judged + quiet[::4], None


def denoiser(folder):
    def frames(values, most):
        run, state, found = session(model_of(folder, "dtln-1")), np.zeros((1, 2, 128, 2), np.float32), []
        for i in range(0, len(values) - 512, 128):
            spectrum = np.abs(np.fft.rfft(values[i:i + 512])).astype(np.float32)[None, None]
            found.append({"input_2": spectrum, "input_3": state})
            state = run.run(None, found[-1])[1]
        return found[::max(1, len(found) // most)][:most]

    return frames(sound(folder, "vad13"), 64), frames(sound(folder, "gtcrn_mix"), 60), None


def file_types(folder):
    """First and last bytes of files that are about on this machine: figures differ a little between machines."""
    paths = sorted(pathlib.Path(np.__file__).parent.rglob("*.py"))[:60]
    paths += sorted(path for path in pathlib.Path("/usr/share").rglob("*.*"))[::40]
    paths = [path for path in paths if path.is_file() and path.stat().st_size > 2100][:400]
    np.random.default_rng(0).shuffle(paths)

    def feed(path):
        data = path.read_bytes()
        data = data.strip() if len(data) < 1 << 22 else data
        array = np.full((1, 2048), 256, np.int32)
        head, tail = np.frombuffer(data[:1024], np.uint8), np.frombuffer(data[-1024:], np.uint8)
        array[0, :len(head)] = head
        array[0, 2048 - len(tail):] = tail
        return {"bytes": array}

    return [feed(path) for path in paths[:48]], [feed(path) for path in paths[48:128]], None


def sentences(folder):
    """Of the documentation of Python packages."""
    import sklearn.linear_model
    found = set()
    for module in (np, np.linalg, np.random, sklearn.linear_model, ort):
        for name in dir(module):
            text = getattr(getattr(module, name), "__doc__", None)
            if isinstance(text, str):
                parts = re.split(r"(?<=[.])\s+", re.sub(r"\s+", " ", text))
                found |= {p.strip() for p in parts if 30 < len(p) < 200 and p[0].isupper() and ">>>" not in p}
    lines = sorted(found)
    np.random.default_rng(0).shuffle(lines)
    feeds = [{"input": np.frombuffer(line.encode("ascii", "replace"), np.uint8)[None].copy()} for line in lines[:108]]
    return feeds[:48], feeds[48:], None


CASES = {
    "mnist-8": mnist,
    "ultraface-rfb": lambda folder: pictures(folder, "input", 240, 320, lambda x: (x - 127) / 128),
    "yunet-n": lambda folder: pictures(folder, "input", 320, 320, lambda x: x[..., ::-1]),
    "superres": lambda folder: pictures(folder, "onnx::Relu_0", 128, 128, lambda x: x / 255, 24, 10),
    "oww-embed": embedding,
    "magika": file_types,
    "dtln-1": denoiser,
    "byte-lstm": sentences
}


def samples(folder, name):
    return CASES[name](folder)
