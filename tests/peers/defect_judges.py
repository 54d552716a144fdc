# SPDX-License-Identifier: Apache-2.0
"""Judges of the defects that give no verdict themselves, for defect_scripts.py: each returns one sentence of what is
wrong, "" where nothing is, or a sentence in parentheses where nothing could be found out."""
import collections, os, re, resource, shutil, signal, subprocess, sys, time

Judge = collections.namedtuple("Judge", "function is_slow")
Ended = collections.namedtuple("Ended", "code out err seconds megabytes")
judges = {}
SLACK = 1 if "LAPIDARY_TIMED" in os.environ else 5  # times the seconds that are meant: other tests run beside
SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def judges_of(*names, slow=False):
    def add(function):
        for name in names:
            judges[name] = Judge(function, slow)
        return function
    return add


def judge_of(name):
    return judges.get(name) or (judges["*.onnx"] if name.endswith(".onnx") else None)


class Tools:
    def __init__(self, cli, defect, scratch):
        self.cli, self.defect, self.scratch = cli, defect, scratch

    def file(self, name):
        return os.path.join(self.scratch, name)

    def run(self, command, seconds=60, address_space=None, interrupt_after=None):
        """Ends by itself, at `seconds`, or as Ctrl-C after `interrupt_after` has it, from when seconds count then."""
        def limit():
            if address_space:
                resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
        with open(self.file("out"), "w+b") as out, open(self.file("err"), "w+b") as err:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=self.scratch,
                                     preexec_fn=limit, start_new_session=True)
            start, interrupted = time.monotonic(), False
            while True:
                done, status, usage = os.wait4(child.pid, os.WNOHANG)
                passed = time.monotonic() - start
                if done:
                    break
                if interrupt_after is not None and not interrupted and passed > interrupt_after:
                    child.send_signal(signal.SIGINT)
                    start, interrupted = time.monotonic(), True
                elif passed > seconds:
                    os.killpg(child.pid, signal.SIGKILL)
                time.sleep(0.01)
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read(1 << 20).decode(errors="replace"))
        return Ended(os.waitstatus_to_exitcode(status), *texts, passed, usage.ru_maxrss / 1024)

    def command(self, *words, **limits):
        return self.run([self.cli, *words], **limits)

    def script(self, *arguments, seconds=300):
        return self.run([sys.executable, self.defect, *arguments], seconds=seconds)

    def compiled(self, *options):
        """The library that a .c file makes, or None where there is no compiler."""
        compiler = shutil.which("gcc") or shutil.which("cc")
        if not compiler:
            return None
        with open(self.defect) as file:
            text = file.read().replace('#include "…"', f'#include "{SOURCES}/plugins/plugin_abi.h"')
        source, library = self.file("source.c"), self.file(f"library{len(os.listdir(self.scratch))}.so")
        with open(source, "w") as file:
            file.write(text)
        built = self.run([compiler, "-shared", "-fPIC", "-w", *options, source, "-o", library, "-lpthread"])
        return library if built.code == 0 else None


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:200] if lines else ""


def ends_badly(ended, what, most_seconds=30, most_megabytes=2500):
    if ended.code < 0 and ended.seconds >= most_seconds:
        return f"{what} did not end in {most_seconds} s"
    if ended.code < 0:
        return f"{what} was ended by signal {-ended.code}"
    if ended.code == 6:
        return f"{what} ends as a fault of ours: {first_line(ended.err)}"
    if ended.megabytes > most_megabytes:
        return f"{what} took {ended.megabytes:.0f} MB"
    return ""


@judges_of("*.onnx")
def survives(tools):
    for words in (["info"], ["run"], ["optimize", "-o", tools.file("o.onnx")]):
        command, *rest = words
        ended = tools.command(command, tools.defect, *rest, seconds=30)
        if bad := ends_badly(ended, command):
            return bad
    return ""


@judges_of("loop_grow.onnx", "fn_bomb_1000_2.onnx", "fn_inline_quadratic_150.onnx", "default_sizes_2500MB.onnx",
           "bad_alloc_optimize.onnx", slow=True)
def survives_slowly(tools):
    return survives(tools)


@judges_of("matmul_12000_cancel.onnx", slow=True)
def cancels(tools):
    ended = tools.command("run", tools.defect, interrupt_after=2)
    in_time = ended.code == 5 and ended.seconds < 2 * SLACK
    return "" if in_time else f"Ctrl-C: exit {ended.code} after {ended.seconds:.1f} s"


@judges_of("sym_blowup.onnx", slow=True)
def shortage_makes_sense(tools):
    ended = tools.command("bisect", tools.defect, seconds=120, address_space=6 << 30)
    if bad := ends_badly(ended, "bisect", 120, 7000):
        return bad
    if ended.code == 0:
        return ""
    numbers = re.search(r"takes (\d+) bytes, (\d+) are left", ended.err)
    if numbers and int(numbers[1]) <= int(numbers[2]):
        return f"bisect: needs less than is left: {first_line(ended.err)}"
    if os.path.basename(tools.defect) not in ended.err or "node" not in ended.err:
        return f"bisect names no file or no node: {first_line(ended.err)}"
    return ""


@judges_of("runs_but_optimize_refuses_f8.onnx")
def what_runs_is_optimized(tools):
    if tools.command("run", tools.defect).code != 0:
        return "it does not run as it stands"
    ended = tools.command("optimize", tools.defect, "-o", tools.file("o.onnx"), "--guard")
    return "" if ended.code == 0 else f"it runs, and optimize refuses it: {first_line(ended.err)}"


@judges_of("guard_memory_is_difference.onnx", slow=True)  # it fills gigabytes
def guard_tells_of_memory(tools):
    ended = tools.command("optimize", tools.defect, "-o", tools.file("o.onnx"), "--guard", address_space=6291456 << 10,
                          seconds=250)
    if bad := ends_badly(ended, "optimize --guard", 250, 7000):
        return bad
    if ended.code in (0, 3) and "0 of 0" not in ended.out:
        return ""
    return f"memory runs out in the guard: exit {ended.code}, {first_line(ended.out + ended.err)}"


@judges_of("strings_double_34.onnx", slow=True)
def strings_count(tools):
    for words in (["run"], ["optimize", "-o", tools.file("o.onnx")]):
        command, *rest = words
        if bad := ends_badly(tools.command(command, tools.defect, *rest, address_space=6 << 30), command, 60, 1500):
            return bad
    return ""


@judges_of("npz_bomb.py", slow=True)
def archive_is_checked_first(tools):
    bomb = tools.file("bomb.npz")
    if tools.script(bomb).code != 0:
        return "(the archive could not be made)"
    ended = tools.command("run", "sample:lenet", "--inputs", bomb, address_space=12 << 30)
    return ends_badly(ended, "run --inputs", 60, 1000) or ("" if ended.code == 3 else f"exit {ended.code}")


@judges_of("guard_many_inputs.py", slow=True)
def guard_is_linear(tools):
    seconds = []
    for count in (2000, 8000):
        model = tools.file(f"{count}.onnx")
        if tools.script(model, str(count)).code != 0:
            return "(the model could not be made)"
        ended = tools.command("optimize", model, "--guard")
        if bad := ends_badly(ended, f"the guard of {count} inputs", 60):
            return bad
        seconds.append(ended.seconds)
    # Four times the inputs take four times as long, and what a program needs anyway; 16 times would be quadratic.
    is_linear = seconds[1] < 8 * seconds[0] + 2 * SLACK
    return "" if is_linear else "2000 inputs take {:.1f} s, 8000 {:.1f} s".format(*seconds)


@judges_of("quantize_cancel.py", slow=True)
def quantize_cancels(tools):
    ended = tools.script(tools.cli)
    for line in ended.out.splitlines():
        found = re.search(r"rc (-?\d+) ([\d.]+) s", line)
        # A machine that is busy answers later than the tenth of a second that is meant.
        if found and found[1] != "0" and (found[1] != "5" or float(found[2]) > SLACK):
            return f"Ctrl-C: {line.strip()}"
    return "" if "rc" in ended.out else f"(it printed nothing: {first_line(ended.err)})"


@judges_of("external_orphans.py", slow=True)
def no_orphans(tools):
    model = tools.file("lenet.onnx")
    tools.command("sample", "lenet", "-o", model)
    ended = tools.script(tools.cli, model)
    left = re.findall(r"'(x\.onnx[^']*\.data)'", ended.out)
    hidden = [name for name in os.listdir(tools.scratch) if name.startswith(".x.onnx")]
    return "" if len(left) == 1 and not hidden else f"killed saves leave {len(left)} weights files, {len(hidden)} more"


@judges_of("folder_loop.sh")
def loop_costs_itself(tools):
    ended = tools.run(["sh", tools.defect, tools.cli, "sample:lenet"])
    is_told = re.search(r"loop\" cannot be read: ", ended.err) and "failed:" not in ended.err
    return "" if is_told else f"a sentence that says little: {first_line(ended.err)}"


@judges_of("plugin_bad.c")
def bad_plugins_fail(tools):
    model = tools.file("bad.onnx")
    from onnx import TensorProto, helper, save
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [4])
    save(helper.make_model(helper.make_graph([helper.make_node("Bad", ["x"], ["y"], domain="bad")], "g", [value("x")],
                                             [value("y")]),
                           opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("bad", 1)], ir_version=8),
         model)
    for options in (["-DRUN_EXIT"], ["-DRUN_NOOUTPUT"], ["-DCTOR=exit(0)"], ["-DENTRY=exit(0)"], ["-DRUN_NEGSHAPE"],
                    ["-DRUN_HUGESHAPE"], ["-DRUN_BADTYPE"], ["-DRUN_BADINDEX"], ["-DRUN_ODDCODE"], ["-DMAKE_FAIL"]):
        library = tools.compiled(*options)
        if not library:
            return "(there is no compiler for it)"
        for words in (["run", model], ["optimize", model, "-o", tools.file("o.onnx"), "--guard"]):
            ended = tools.command(*words, "--plugin", library)
            if ended.code == 0:
                return f"{options[0]}: {words[0]} ends as a success"
            if ended.code < 0:
                return f"{options[0]}: {words[0]} was ended by signal {-ended.code}"
    return ""


@judges_of("probe_flood.c", slow=True)
def probes_are_bounded(tools):
    for descriptor in (1, 2):
        library = tools.compiled(f"-DFD={descriptor}")
        if not library:
            return "(there is no compiler for it)"
        ended = tools.command("plugins", "--probe", library, seconds=60)
        if bad := ends_badly(ended, f"a flood on descriptor {descriptor}", 60, 200):
            return bad
    return ""


@judges_of("endless_line_worker.sh", slow=True)
def lines_are_bounded(tools):
    window = os.path.join(os.path.dirname(tools.cli), "lapidary")
    if not os.path.exists(window):
        return "(there is no window beside the command line)"
    ended = tools.run(["sh", tools.defect, window], seconds=120)
    sizes = [int(size) // 1024 for size in re.findall(r"VmRSS:\s+(\d+) kB", ended.out)]
    return "" if sizes and max(sizes) < 1000 else f"the window takes {max(sizes, default=0)} MB"


@judges_of("embed_export_grows.py")
def export_does_not_grow(tools):
    ended = tools.script(tools.cli)
    counts = re.findall(r"\[(\d+)\]", ended.out)
    if len(counts) != 5:
        return f"(its output was not understood: {first_line(ended.out + ended.err)})"
    return "" if len(set(counts)) == 1 else f"optimize makes {counts[1]} nodes of {counts[0]}"


@judges_of("fp16_of_int8_scales.py")
def scales_stay_exact(tools):
    ended = tools.script(tools.cli)
    errors = [float(error) for error in re.findall(r"relative error ([\d.e+-]+|nan)", ended.out)]
    if len(errors) != 4:
        return f"(its output was not understood: {first_line(ended.out + ended.err)})"
    return "" if max(errors) < 0.01 else f"the float16 model is off by {max(errors):.2g} of the reference at some level"


@judges_of("pad_average_pool_export.py")
def export_loads(tools):
    ended = tools.script(tools.cli)
    shapes = re.findall(r"(\(\d[^)]*\))", ended.out)
    return "" if len(shapes) == 3 and len(set(shapes)) == 1 else first_line(ended.out + ended.err)


@judges_of("softplus_underflow.py")
def small_values_are_kept(tools):
    import numpy as np
    ended = tools.script(tools.cli)
    rows = {name: np.fromstring(numbers, sep=" ") for name, numbers in
            re.findall(r"^(\w+):? \[([^\]]*)\]", ended.out.replace("\n  ", " ").replace("\n ", " "), re.M)}
    expected = rows.pop("reference", None)
    rows.pop("onnxruntime", None)
    if expected is None or len(rows) != 4:
        return f"(its output was not understood: {first_line(ended.out)})"
    for level, found in rows.items():
        if len(found) != len(expected) or not np.allclose(found, expected, rtol=1e-3, atol=0):
            return f"level {level}: Softplus of -18 is {found[4]:g}, expected {expected[4]:g}"
    return ""


@judges_of("serve_deep_json.py")
def deep_json_is_refused(tools):
    ended = tools.script(tools.cli)
    ends = re.findall(r"exit (-?\d+)", ended.out)
    return "" if ends == ["0", "0"] else f"the worker ends with {', '.join(ends)}"


@judges_of("serve_threads_limit.py", slow=True)
def threads_are_refused(tools):
    ended = tools.script(tools.cli)
    jobs = [line for line in ended.out.splitlines() if line.startswith("{")]
    # Of each answer the script prints the end alone: that of a line which is neither progress nor a sign of life.
    answered = lambda line: re.search(r'\}\\n\'$', line) and not re.search(r'\{"(alive|id":1,"progress)"', line)
    wrong = [line for line in jobs if "still running" not in line or not answered(line)]
    return "" if len(jobs) == 2 and not wrong else (wrong or [first_line(ended.err)])[0][:200]


@judges_of("serve_truncated_weights.py")
def weights_are_read_again(tools):
    ended = tools.script(tools.cli)
    lines = ended.out.splitlines()
    if len(lines) != 4:
        return f"{len(lines)} answers of 4: {first_line(ended.err)}"
    expected = ["result", "error", "result", "result"]
    return next((f"job {i + 1}: {line[:150]}" for i, line in enumerate(lines) if f"'{expected[i]}'" not in line), "")
