# SPDX-License-Identifier: Apache-2.0
"""All commands report the same figures of one model, or name the conditions in which theirs differ.

    consistent_figures_test.py CLI [--models FOLDER] [--all]

Runs every command that reports figures with --json on each model, collects what they say of nodes, parameters, bytes,
threads, sizes and arithmetic, and fails where the same quantity under the same conditions has two values. Models are
samples and what the program itself makes of them (pairs of QuantizeLinear and DequantizeLinear, float16, weights beside
the file, fused, laid out, a block of a decoder); with --models the files of that folder follow: three small ones, or
with --all, by hand, every one.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

QUICK = ['--seconds', '0.01']
SIZED = ('level', 'threads', 'sizes')  # members that the figures of a run must name
SMALL = ('ort-gpt2-past.onnx', 'mnist-factorio-int8.onnx', 'silero-vad-half.onnx')


def frozen(value):
    """A value that can be a key: numbers as they are, objects and lists as text."""
    return value if isinstance(value, (int, float, str, type(None))) else json.dumps(value, sort_keys=True)


class Figures:
    """What was said of one model: values by quantity and conditions, each with the commands that said so."""

    def __init__(self, model):
        self.model = model
        self.said = collections.defaultdict(lambda: collections.defaultdict(list))
        self.faults = []

    def say(self, quantity, value, command, **conditions):
        key = (quantity, tuple(sorted((name, frozen(c)) for name, c in conditions.items())))
        self.said[key][frozen(value)].append(command)

    def contradictions(self):
        found = list(self.faults)
        for (quantity, conditions), values in sorted(self.said.items(), key=str):
            if len(values) > 1:
                at = ', '.join(f'{name} {value}' for name, value in conditions)
                found.append(f'{self.model}: {quantity}' + (f' ({at})' if at else '') + ': ' + '; '.join(
                    f'{value} by {", ".join(sorted(set(commands)))}' for value, commands in values.items()))
        return found

    def shared(self):
        """Quantities that more than one command reported."""
        return {quantity for (quantity, _), values in self.said.items()
                if len({command for commands in values.values() for command in commands}) > 1}


class Program:
    def __init__(self, cli, folder):
        self.cli, self.folder = cli, folder
        self.environment = dict(os.environ, LAPIDARY_PLUGINS='', XDG_DATA_HOME=str(folder / 'none'))

    def run(self, *words):
        return subprocess.run([self.cli, *map(str, words)], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)

    def json(self, figures, *words, fine=(0, 1)):
        """What the command prints; nothing, and a fault, where it fails. Exit code 1 judges, it does not fail."""
        done = self.run(*words, '--json')
        if done.returncode in fine:
            return json.loads(done.stdout)
        figures.faults.append(f'{figures.model}: {" ".join(map(str, words))}: exit code {done.returncode}: '
                              f'{done.stderr.strip()[:300]}')
        return None

    def make(self, *words):
        done = self.run(*words)
        if done.returncode not in (0, 1):
            raise SystemExit(f'{" ".join(map(str, words))}: {done.stderr}')


def conditions_of(figures, value, command):
    """Level, threads and sizes, which every figure of a run has to name."""
    for member in SIZED:
        if member not in value:
            figures.faults.append(f'{figures.model}: {command} does not name "{member}"')
    figures.say('threads by default', value.get('threads'), command)
    figures.say('sizes by default', value.get('sizes'), command)
    if 'default_sizes' in value:
        figures.say('sizes that were not given', value['default_sizes'], command)
    return value.get('level')


def optimization_of(figures, value, command):
    figures.say('nodes as loaded', value['nodes_before'], command)
    figures.say('nodes', value['nodes_after'], command, level=value['level'])
    if 'rewrites' in value:
        rewrites = value['rewrites']
        if isinstance(rewrites, list):
            rewrites = sum(rewrite['level'] != 'session' for rewrite in rewrites)
        figures.say('rewrites', rewrites, command, level=value['level'])


def pipeline_of(figures, value, command):
    """The table of passes has to sum up to what the headline says, levels and session apart."""
    optimization_of(figures, value, command)
    change = {True: 0, False: 0}
    for run in value['passes']:
        change[run['level'] == 'session'] += run.get('node_change', 0)
    level = value['level']
    figures.say('nodes', value['nodes_before'] + change[False], f'{command}: sum of passes', level=level)
    figures.say('nodes of the session', value['session_nodes'], command, level=level)
    figures.say('nodes of the session', value['nodes_after'] + change[True], f'{command}: sum of session passes',
                level=level)


def look_at(program, figures, model):
    info = program.json(figures, 'info', model)
    if info is None:
        return
    figures.say('nodes as loaded', info['nodes'], 'info')
    figures.say('nodes as loaded', sum(info['operators'].values()), 'info: sum of operators')
    figures.say('parameters', info['parameters'], 'info')
    figures.say('parameters', sum(info['parameters_by_type'].values()), 'info: sum of types')
    figures.say('bytes of weights as loaded', info['weight_bytes'], 'info')
    file = program.folder / model
    beside = pathlib.Path(f'{file}.data')
    figures.say('bytes of the file', info['file_bytes'], 'info')
    figures.say('bytes of the file', file.stat().st_size, 'the file itself')
    figures.say('bytes beside the file', info['external_bytes'], 'info')
    if beside.exists() or info['external_bytes'] == 0:
        figures.say('bytes beside the file', beside.stat().st_size if beside.exists() else 0, 'the file itself')


def run_it(program, figures, model):
    run = program.json(figures, 'run', model)
    if run:
        conditions_of(figures, run, 'run')
        optimization_of(figures, run['optimization'], 'run')
    for level in ([], ['--level', 'disabled']):
        profile = program.json(figures, 'profile', model, '--runs', '1', '--warmup', '1', *level)
        if profile:
            at = conditions_of(figures, profile, 'profile')
            optimization_of(figures, profile['optimization'], 'profile')
            figures.say('bytes of weights', profile['memory']['weight_bytes'], 'profile', level=at)
            figures.say('bytes of the process', profile['memory'].get('process'), 'profile', level=at)
        memory = program.json(figures, 'memory', model, *level)
        if memory:
            at = conditions_of(figures, memory, 'memory')
            figures.say('bytes of weights', memory['weight_bytes'], 'memory', level=at)
            figures.say('bytes of the process', memory['process'], 'memory', level=at)
            figures.say('steps', len(memory['steps']), 'memory', level=at)


def side_of(figures, side, command):
    level = side['level']
    figures.say('nodes', side['nodes'], command, level=level)
    figures.say('steps', side['steps'], command, level=level)
    figures.say('bytes of the process', side.get('process'), command, level=level)


def compare_it(program, figures, model):
    compared = program.json(figures, 'compare', model, '--level', 'disabled', '--level', 'all', '--runs', '1',
                            '--warmup', '0', *QUICK)
    if compared:
        conditions_of(figures, dict(compared, level='each side'), 'compare')
        for side in 'ab':
            side_of(figures, compared[side], 'compare')
    report = program.json(figures, 'report', model, '--tables', 'tables', '--runs', '1', '--warmup', '0',
                          '--no-measure')
    if not report:
        return
    at = conditions_of(figures, report, 'report')
    tables = json.loads((program.folder / 'tables/report.json').read_text())
    side = tables['sides'][0]
    figures.say('level by default', side['level'], 'report tables')
    figures.say('level by default', at, 'report')
    figures.say('threads by default', tables['threads'], 'report tables')
    figures.say('threads by default', side['profile']['threads'], 'report tables: profile')
    figures.say('sizes by default', tables['sizes'], 'report tables')
    figures.say('nodes', side['model']['nodes'], 'report tables', level=at)
    figures.say('bytes of weights', side['profile']['weight_bytes'], 'report tables', level=at)
    pipeline_of(figures, side['optimization'], 'report tables: optimization')


def bench_it(program, figures, model):
    bench = program.json(figures, 'bench', model, '--runs', '1', '--no-memory')
    if bench:
        row = bench['configurations'][0]
        at = conditions_of(figures, row, 'bench')
        figures.say('level by default', at, 'bench')
        figures.say('threads by default', row['intra'], 'bench: intra')
        figures.say('bytes of weights as loaded', round(row['work']['weight_mb'] * 1e6), 'bench')
        figures.say('operations of a run', row['work']['gflop'], 'bench')
        batches = {size for name, size in row['sizes'].items() if 'batch' in name}
        if len(batches) == 1:
            figures.say('batch', row['batch'], 'bench: batch')
            figures.say('batch', batches.pop(), 'bench: sizes')
    paired = program.json(figures, 'bench', model, '--vs', 'self', '--no-memory', *QUICK)
    if paired:
        row = paired['configurations'][0]
        conditions_of(figures, row, 'bench --vs')
        figures.say('operations of a run', row['work']['gflop'], 'bench --vs')
    swept = program.json(figures, 'sweep', model, '--intra', '0', *QUICK)
    if swept:
        figures.say('sizes by default', swept['sizes'], 'sweep')
        figures.say('level by default', swept['cells'][0]['configuration']['level'], 'sweep')


def write_it(program, figures, model):
    for level in ('disabled', 'extended', 'all'):
        out = f'written-{level}.onnx'
        optimized = program.json(figures, 'optimize', model, '-o', out, '--level', level)
        if not optimized:
            continue
        pipeline_of(figures, optimized['report'], 'optimize')
        written = program.json(figures, 'info', out)
        if written:
            figures.say('nodes of the file written', optimized['nodes'], 'optimize', level=level)
            figures.say('nodes of the file written', written['nodes'], 'info', level=level)
    quantized = program.json(figures, 'quantize', model, '--generate', '2')
    if quantized:
        figures.say('bytes of weights as loaded', quantized['constant_bytes']['before'], 'quantize')
        conditions_of(figures, quantized, 'quantize')
        figures.say('level by default', quantized['level'], 'quantize')


def contradictions(program, model):
    figures = Figures(model)
    look_at(program, figures, model)
    for part in (run_it, compare_it, bench_it, write_it):
        part(program, figures, model)
    return figures


def made(program):
    """Twelve kinds of models, of samples and what the program makes of them."""
    for name in ('mlp', 'lenet', 'bert-tiny', 'lstm'):  # bert-tiny: many Constant nodes, free sizes
        program.make('sample', name, '-o', f'{name}.onnx')
        yield f'{name}.onnx'
    program.make('quantize', 'lenet.onnx', '-o', 'lenet-qdq.onnx', '--mode', 'static', '--generate', '2')
    yield 'lenet-qdq.onnx'
    program.make('quantize', 'bert-tiny.onnx', '-o', 'bert-dynamic.onnx', '--mode', 'dynamic', '--generate', '1')
    yield 'bert-dynamic.onnx'
    program.make('quantize', 'bert-tiny.onnx', '-o', 'bert-fp16.onnx', '--mode', 'fp16', '--generate', '1')
    yield 'bert-fp16.onnx'
    program.make('quantize', 'mlp.onnx', '-o', 'mlp-weights4.onnx', '--mode', 'weights4', '--generate', '1')
    yield 'mlp-weights4.onnx'
    program.make('optimize', 'bert-tiny.onnx', '-o', 'bert-fused.onnx', '--level', 'extended')
    yield 'bert-fused.onnx'
    program.make('optimize', 'lenet.onnx', '-o', 'lenet-laid-out.onnx', '--level', 'all')
    yield 'lenet-laid-out.onnx'
    program.make('optimize', 'mlp.onnx', '-o', 'mlp-external.onnx', '--level', 'disabled', '--external-data', '1024')
    yield 'mlp-external.onnx'
    program.make('extract', 'sample:gpt2-small', '--scope', '/transformer/h.0', '-o', 'decoder-block.onnx')
    yield 'decoder-block.onnx'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('cli', type=pathlib.Path)
    parser.add_argument('--models', type=pathlib.Path)
    parser.add_argument('--all', action='store_true')
    options = parser.parse_args()
    faults, shared, count = [], set(), 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.cli.resolve(), pathlib.Path(folder))

        def judge(model):
            nonlocal count
            figures = contradictions(program, model)
            count += 1
            faults.extend(figures.contradictions())
            shared.update(figures.shared())

        for model in made(program):
            judge(model)
        if options.models and options.models.is_dir():
            for file in sorted(options.models.glob('*.onnx')):
                if options.all or file.name in SMALL:
                    link = program.folder / file.name
                    link.symlink_to(file.resolve())
                    judge(file.name)
    print(f'{count} models, quantities that several commands report: {", ".join(sorted(shared))}')
    for fault in faults:
        print(fault)
    # a test that collects nothing would find nothing
    if not {'nodes', 'steps', 'threads by default', 'sizes by default', 'bytes of weights'} <= shared:
        faults.append('the commands reported too little')
        print(faults[-1])
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
