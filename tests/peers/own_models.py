# SPDX-License-Identifier: Apache-2.0
"""Models of one's own with samples, for quantized_models.py: all that lie in one folder.

FOLDER/NAME.onnx, and beside it NAME.npz with `calib_INPUT` and `test_INPUT` for each input of the model, one sample
behind the other along the first axis, and `test_y` where there are labels: one class for each judged sample. Samples
that differ in shape lie one by one in NAME/calib/*.npz and NAME/test/*.npz, whose arrays are called as the inputs are.
Samples of the archive are given as many at a time as the model's first dimension says, four (learned) and sixteen
(judged) where it leaves that open.
"""
import numpy as np
import onnxruntime as ort


def names(folder):
    return sorted(path.stem for path in folder.glob("*.onnx") if holds_samples(folder, path.stem))


def holds_samples(folder, name):
    return (folder / f"{name}.npz").is_file() or (folder / name / "test").is_dir()


def samples(folder, name):
    """Both lists of feeds, and labels or nothing."""
    if not (folder / f"{name}.npz").is_file():
        return *(one_by_one(folder / name / part) for part in ("calib", "test")), None
    data = np.load(folder / f"{name}.npz")
    inputs = ort.InferenceSession(str(folder / f"{name}.onnx"), providers=["CPUExecutionProvider"]).get_inputs()

    fixed = [one.shape[0] for one in inputs if one.shape and isinstance(one.shape[0], int)]

    def feeds(part, size):
        arrays = {one.name: data[f"{part}_{one.name}"] for one in inputs}
        rows = min(len(array) for array in arrays.values())
        if fixed:
            size, rows = fixed[0], rows // fixed[0] * fixed[0]
        return [{key: np.ascontiguousarray(array[i:min(i + size, rows)]) for key, array in arrays.items()}
                for i in range(0, rows, size)]

    judged = feeds("test", 16)
    return feeds("calib", 4), judged, data["test_y"][:sum(len(f[inputs[0].name]) for f in judged)] \
        if "test_y" in data else None


def one_by_one(folder):
    found = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as archive:
            found.append({key: archive[key] for key in archive.files})
    return found
