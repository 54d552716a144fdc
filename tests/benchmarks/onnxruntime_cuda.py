# SPDX-License-Identifier: Apache-2.0
"""Times of models in ONNX Runtime's CUDA provider, where this interpreter's onnxruntime has it:

    onnxruntime_cuda.py NAME MODEL.onnx DIM=N,DIM=N [NAME MODEL.onnx DIMS ...]

A line of JSON for each model: microseconds of a run by default (inputs and outputs in host memory) and at best (inputs
and outputs bound on the device, a CUDA graph where one can be had, convolutions searched exhaustively, with channels
first or last, whichever is fastest), medians of 50; a field that is missing has its reason in "problems". One line
{"problem": ...} where there is no such provider.
"""
import concurrent.futures
import json
import mmap
import sys
import time

RUNS, WARMUP = 50, 10
SEARCH = {"cudnn_conv_algo_search": "EXHAUSTIVE"}
WAYS = {  # of "best"; a graph wants all nodes on the device
    "bound, graph": SEARCH | {"enable_cuda_graph": "1"},
    "bound, graph, channels last": SEARCH | {"enable_cuda_graph": "1", "prefer_nhwc": "1"},
    "bound": SEARCH,
}


def median_us(call):
    for _ in range(WARMUP):
        call()
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e6)
    return sorted(times)[len(times) // 2]


def array_of(numpy, random, node, sizes):
    """Token numbers below 1000, masks of ones, numbers of a normal distribution."""
    shape = [d if isinstance(d, int) else sizes.get(d) for d in node.shape]
    if None in shape:  # a sum of two, as "past_sequence + sequence"
        shape = [s if s is not None else sum(sizes[part.strip()] for part in d.split("+"))
                 for s, d in zip(shape, node.shape)]
    if "int" not in node.type:
        return random.standard_normal(shape).astype(numpy.float16 if "float16" in node.type else numpy.float32)
    kind = numpy.int32 if "int32" in node.type else numpy.int64
    if "mask" in node.name:
        return numpy.ones(shape, kind)
    return random.integers(0, 2 if "type" in node.name else 100, shape).astype(kind)


def has_convolutions(model):
    with open(model, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(b"\x04Conv") >= 0  # op_type of a node


class Case:
    def __init__(self, ort, numpy, name, model, dims):
        self.ort, self.name, self.model = ort, name, model
        sizes = {k: int(v) for k, v in (d.split("=") for d in dims.split(",") if d)}
        self.row = {"name": name, "problems": {}}
        self.sessions = {}
        self.ways = [way for way in WAYS if "graph" in way and ("channels" not in way or has_convolutions(model))]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            made = {way: pool.submit(self.session, WAYS.get(way, {})) for way in ["default", *self.ways]}
        for way, session in made.items():
            try:
                self.sessions[way] = session.result()
            except Exception as e:  # pylint: disable=broad-except  (its text is the reported failure)
                self.row["problems"][way] = str(e)[:300]
        if "default" in self.sessions:
            random = numpy.random.default_rng(1)
            self.feeds = {node.name: array_of(numpy, random, node, sizes)
                          for node in self.sessions["default"].get_inputs()}

    def session(self, options):
        settings = self.ort.SessionOptions()
        settings.log_severity_level = 4
        made = self.ort.InferenceSession(self.model, settings, providers=[("CUDAExecutionProvider", options)])
        if "CUDAExecutionProvider" not in made.get_providers():
            raise RuntimeError("the session has no CUDAExecutionProvider")
        return made

    def bound(self, session, outputs):
        binding = session.io_binding()
        for name, value in self.feeds.items():
            binding.bind_ortvalue_input(name, self.ort.OrtValue.ortvalue_from_numpy(value, "cuda", 0))
        for name, value in outputs.items():
            binding.bind_ortvalue_output(name, self.ort.OrtValue.ortvalue_from_numpy(value, "cuda", 0))
        return binding

    def measure(self):
        if "default" not in self.sessions:
            return self.row
        session = self.sessions["default"]
        names = [node.name for node in session.get_outputs()]
        outputs = dict(zip(names, session.run(names, self.feeds)))
        self.row["default_us"] = median_us(lambda: session.run(names, self.feeds))
        for way in [*self.ways, "bound"]:
            if way == "bound" and "best_us" in self.row:
                break  # a graph is faster wherever there is one
            try:
                session = self.sessions.get(way) or self.session(WAYS[way])
                binding = self.bound(session, outputs)
                took = median_us(lambda: session.run_with_iobinding(binding))
            except Exception as e:  # pylint: disable=broad-except
                self.row["problems"][way] = str(e)[:300]
                continue
            if took < self.row.get("best_us", float("inf")):
                self.row |= {"best_us": took, "best": way}
        return self.row


def main():
    try:
        import numpy
        import onnxruntime as ort
    except ImportError as e:
        print(json.dumps({"problem": f"{sys.executable} has no onnxruntime: {e}"}))
        return
    if "CUDAExecutionProvider" not in ort.get_available_providers():
        print(json.dumps({"problem": f"onnxruntime {ort.__version__} here has no CUDAExecutionProvider"}))
        return
    if hasattr(ort, "preload_dlls"):
        ort.preload_dlls()
    given = sys.argv[1:]
    cases = [given[i:i + 3] for i in range(0, len(given), 3)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda c: Case(ort, numpy, *c), cases))
    for case in made:
        print(json.dumps(case.measure() | {"version": ort.__version__}), flush=True)


main()
