# SPDX-License-Identifier: Apache-2.0
"""What the command line prints with --json, and the files that it and the window write, fit resources/schemas.

    json_schemas_test.py SOURCE CLI [--plugins FOLDER] [--window PROGRAM] [--onnxruntime PLACE]

Runs every command that takes --json on small samples, several variants each, and holds what it prints against the
schema of its name. Objects of the schemas are closed, so that a member without description fails. Members that no
output had are named: those of `NEEDS_MORE` need a machine, a program or a moment that a test does not have.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from json_schemas import JsonSchemas  # noqa: E402

SKIPPED = 77
QUICK = ['--seconds', '0.05']
JUDGED = ['--seconds', '0.5']  # enough samples for an interval, also on a busy machine: else a limit ends in exit code 7
# Members that need what a test has not: a pattern of places, and what that is.
NEEDS_MORE = [
    (r'.*inter_threads', 'the parallel mode'),
    (r'edit[.#].*(problems|types).*', 'an invalid model, which the command refuses; an edit that changes types'),
    (r'parts#value\.(items|keys|length)', 'models with sequences and maps'),
    (r'passport\.(layout_note|source_data_sha256|edits)',
     'a file laid out for another CPU, external data, an edited model exported from the window'),
    (r'.*\.(error|failure|reason|recommendation|place_problem|stopped)$', 'failures'),
    (r'profile\.nodes\[\]\.ran_on_reference_kernel.*', 'a kernel that hands calls over'),
    (r'profile\.note|chrome-trace.*(ran_on_reference_kernel|depth)', 'recordings of odd models'),
    (r'bisect\.(rewrite|after_it|place_alone|folder).*', 'a rewrite that moves an output'),
    (r'plugins.*no_device', 'a plugin without a device'),
    (r'pipeline#rewrite\.path.*', 'a rewrite inside of control flow'),
    (r'info\.(unsupported|warnings)\[\].*', 'a model with what no run can execute'),
    (r'passport#options\.(only_passes|provider|channel_block|outputs)', 'options that tests of exports have'),
    (r'.*losers\[\].*', 'a model that is slower than in the other engine'),
    (r'.*\.mean_cosine', 'labels that are vectors'),
    (r'sweep#configuration\.session_passes\..*', 'the Tune page with passes switched off'),
    (r'sweep#configuration\.config', 'programs that embed the engine'),
    (r'project.run_settings.(dimensions|config)', 'settings of the Run page that are at their defaults'),
    (r'project#run\.batch', 'a measurement of a batch'),
    (r'project#model\.(absolute_path|external_bytes|sample)', 'a sample, external data, a model in another folder'),
    (r'accuracy(-counts)?\.(expected_boxes|found_boxes\[\]\..*|map.*)', 'a detector'),
    (r'devices\..*\.reason|devices\.without_device.*|engines\..*\.(reason|devices.*)', 'another machine'),
    (r'recipe#runs_on\.(place|providers|fallback)', 'a device'),
    (r'recipe#other_model\.channel_block', 'a second file in blocks of channels'),
    (r'profile\.unmatched\[\].*', 'a model that ONNX Runtime fuses'),
    (r'bench#versus\.configurations\[\]\.(openvino|pytorch)', 'packages of other engines'),
    (r'project\.run_settings\.inputs.*|project#run\.sizes', 'inputs of the user, free dimensions'),
    (r'parts#preprocessing\.candidates\[\]\.distance', 'a model that begins with a BatchNormalization'),
    (r'(bench|parts#machine)\..*(openvino|pytorch|llama\.cpp|onnxruntime-genai)', 'packages of other engines'),
    (r'parts#node_source\.lines\[\].*|diverge\.causes\[\]\.source_.*', 'a model with notes of its exporter'),
    (r'parts#recording.*|(check|diverge)\.(recording|outputs).*', 'a recording of a model in its framework'),
    (r'generate\.compute_choice', 'a decoder of the samples, which takes long to judge'),
    (r'parts#compute_choice\.trials\[\]\.(speedup|loss|refusal)', 'a machine that rounded weights make faster, or not'),
    (r'(run|profile|bench|sweep|accuracy).*\.on|parts#on\..*', 'another machine'),
    (r'accuracy\.(words|word_error_rate|character_error_rate)', 'speech'),
]

# Every member, none of them at its default: what the schema describes the program reads.
RECIPE = {
    'level': 'all', 'disabled_passes': ['fuse_gelu'], 'enabled_passes': ['approximate_gelu'], 'stop_after': 9,
    'dimensions': {'batch': 1}, 'session_passes': True,
    'quantization': {
        'options': {
            'mode': 'static', 'per_channel': False, 'reduced_range': True, 'activation': 'i8', 'weight': 'u8',
            'static_form': 'qoperator', 'placement': 'onnxruntime', 'symmetric_activation': True,
            'symmetric_weight': True, 'fused_operators': True, 'storage': 'bfloat16', 'weight_bits': 8, 'block': 64,
            'symmetric_blocks': True, 'block_form': 'dequantize', 'fitted_blocks': True, 'bits_per_weight': 5.5,
            'range': 'percentile', 'percentile': 99.9,
            'range_headroom': 0.25, 'bias_correction': False, 'equalize': True, 'smoothing': 0.5, 'smoothing_by_input': True,
            'rotation': 7, 'compensated_rounding': True,
            'keep_float': ['Softmax'], 'weights_of': ['MatMul=u8'], 'weights_alone': ['Conv'],
            'bound_masks': False, 'most_samples': 4, 'moving_average': 0.1,
            'settled_change': 0.01, 'settled_samples': 3, 'threads': 1},
        'samples': {'data': '', 'generated': 5, 'seed': 3, 'mean': [1, 2, 3], 'std': [4, 5, 6], 'bgr': True,
                    'scale_chosen': True, 'crop': 0.5, 'array_layout': 'nhwc',
                    'vocabulary': '', 'tokens': 32, 'lower_case': False}},
    'rules': [{'file': 'zero.rules', 'text': 'rule add_zero "nothing is added"\nmatch\n  y = Add(x, const zero)\nwhere\n'
               '  all_equal(value(zero), 0)\n  same_shape(x, y)\nreplace\n  y = x\n'}],
    'edits': 'opset 21\n',
    'edits_after': 'rename node * -> after/*\n',
    'other_model': {'file': 'other.onnx', 'bytes': 0, 'modified': 0},
    'runs_on': {'engine': 'lapidary', 'compute': 'fp16'}}


def npy(values, kind='<f4'):
    """A list of numbers as a .npy of one row: floats, or bytes ('|u1')."""
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (1, %d), }" % (kind, len(values))
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    elements = bytes(values) if kind == '|u1' else struct.pack(f'<{len(values)}f', *values)
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + elements


class Checker:
    def __init__(self, schemas, cli, folder):
        self.schemas, self.cli, self.folder = schemas, cli, folder
        self.faults, self.commands, self.outputs = [], set(), 0
        self.environment = dict(os.environ, LAPIDARY_PLUGINS='', XDG_DATA_HOME=str(folder / 'none'))

    def run(self, *words):
        return subprocess.run([self.cli, *map(str, words)], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)

    def fits(self, schema, text, what):
        self.outputs += 1
        try:
            value = json.loads(text)
        except ValueError as error:
            self.faults.append(f'{what}: no JSON ({error}): {text[:200]!r}')
            return None
        self.faults += [f'{what}\n    {problem}' for problem in self.schemas.problems(schema, value)]
        return value

    def command(self, *words, status=0, schema=None):
        """Runs a command with --json; what it prints has to fit the schema of its name, or the one that is given."""
        what = ' '.join(map(str, words))
        done = self.run(*words, '--json')
        if done.returncode != status:
            self.faults.append(f'{what}: expected exit code {status}, found {done.returncode}: {done.stderr[:500]}')
            return None
        self.commands.add(words[0])
        return self.fits(schema or words[0], done.stdout, what)

    def error(self, code, status, *words):
        what = ' '.join(map(str, words))
        done = self.run(*words, '--json')
        found = self.fits('error', done.stderr, what)
        if done.returncode != status or (found and found['error']['code'] != code):
            self.faults.append(f'{what}: expected {code} and exit code {status}, found {done.returncode}: '
                               f'{done.stderr}')

    def file(self, schema, name):
        path = self.folder / name
        if not path.exists():
            self.faults.append(f'{name} was not written')
            return None
        return self.fits(schema, path.read_text(), name)


def looked_at(check):
    for name in ('mlp', 'lenet', 'bert-tiny'):
        check.command('sample', name, '-o', f'{name}.onnx')
        check.command('info', f'{name}.onnx')
    check.command('sample', '--list')
    check.command('extract', 'bert-tiny.onnx', '--scope', '/bert/encoder', '-o', 'part.onnx')
    check.command('edit', 'mlp.onnx', '-e', 'rename node * -> my/*', '-e', 'opset 21', '-o', 'edited.onnx')
    check.command('edit', 'mlp.onnx', '-e', 'delete op:Relu', '--dry-run')
    check.command('edit', 'mlp.onnx', '-e', 'split at /layers.1/Relu_output_0 into one.onnx and two.onnx', '-o',
                  'first.onnx')
    check.command('edit', 'mlp.onnx', '-e', 'rename output * -> new_*', '--dry-run')
    check.command('passes')
    check.command('info', 'sample:lstm')
    check.command('memory', 'mlp.onnx')
    check.command('memory', 'bert-tiny.onnx', '--dim', 'batch=2', '--no-in-place', '--session-passes', 'off')
    check.command('checklist', 'mlp.onnx', '--no-run')
    check.command('checklist', 'bert-tiny.onnx', '--runs', '2', '--target-opset', '12', *QUICK)
    check.command('inspect', 'mlp.onnx', '--value', '*', '--slice', ':3', '--save', 'values.npz')
    check.command('inspect', 'mlp.onnx', '--value', '*', '--runs', '2')
    check.command('inspect', 'bert-tiny.onnx', '--scope', '/bert/encoder', '--level', 'basic')
    check.command('run', 'mlp.onnx')
    check.command('run', 'bert-tiny.onnx', '--level', 'all', '--outputs', 'bert.npz')
    check.command('run', 'mlp.onnx', '--compute', 'auto')


def optimized(check):
    check.command('optimize', 'bert-tiny.onnx', '--explain', '--report', 'bert.json', '--level', 'all')
    check.file('pipeline', 'bert.json')
    check.command('optimize', 'lenet.onnx', '-o', 'portable.onnx', '--target', 'portable', '--guard', '--opset', '21')
    check.command('info', 'portable.onnx')
    check.command('optimize', 'lenet.onnx', '-o', 'cpu.onnx', '--target', 'cpu', '--static-batch', '2',
                  '--disable-pass', 'fuse_gelu', '--stop-after', '50')
    check.command('info', 'cpu.onnx')
    check.command('optimize', 'bert-tiny.onnx', '-o', 'plain.onnx', '--level', 'extended', '--target', 'plain',
                  '--dim', 'batch=1', '--enable-pass', 'approximate_gelu')
    check.command('info', 'plain.onnx')
    check.command('optimize', 'mlp.onnx', '-o', 'after.onnx', '--edit-after', 'rename node * -> after/*', '--guard')
    check.command('info', 'after.onnx')
    check.command('bisect', 'lenet.onnx', '--level', 'basic')
    check.command('diverge', 'lenet.onnx', '--level', 'disabled', '--level', 'all')
    check.command('sample', 'lenet', '--seed', '2', '-o', 'other.onnx')
    check.command('diverge', 'lenet.onnx', 'other.onnx', status=1)
    (check.folder / 'recipe.json').write_text(json.dumps(RECIPE))
    check.file('recipe', 'recipe.json')
    # separate options of the command line choose what a model runs on
    here = {name: value for name, value in RECIPE.items() if name not in ('runs_on', 'other_model')}
    # types of their own do not go with all of the others
    here['quantization'] = {**RECIPE['quantization'], 'options': {
        name: value for name, value in RECIPE['quantization']['options'].items()
        if name not in ('weights_of', 'weights_alone')}}
    (check.folder / 'here.json').write_text(json.dumps(here))
    check.command('run', 'mlp.onnx', '--recipe', 'here.json')


def recorded(check):
    check.command('profile', 'mlp.onnx', '--runs', '2', '-o', 'mlp.trace.json')
    check.file('chrome-trace', 'mlp.trace.json')
    check.command('profile', 'mlp.trace.json')
    check.command('profile', 'mlp.onnx', '--by', 'class', '--runs', '1')
    check.command('profile', 'mlp.onnx', '--by', 'line', '--level', 'disabled', '--runs', '1')
    check.command('profile', 'mlp.onnx', '--runs', '2', '--compute', 'auto')
    check.command('profile', 'mlp.trace.json', '--of', 'mlp.onnx')
    check.command('memory', 'mlp.onnx', '--measure')
    check.command('profile', 'mlp.onnx', '--resident', 'logits=input')
    check.command('profile', 'sample:gpt2-small', '--resident', 'auto', '--runs', '1', '--dim', 'sequence=1')
    check.command('generate', 'sample:gpt2-small', '--prompt-tokens', '1,2', '--new-tokens', '2')
    check.command('generate', 'sample:gpt2-small', '--prompt-tokens', '1,2', '--new-tokens', '2', '--watch', 'logits')
    check.command('generate', 'sample:llama-160m', '--prompt-tokens', '1,2', '--new-tokens', '2')
    (check.folder / 'words.json').write_text(json.dumps({
        'version': '1.0', 'pre_tokenizer': {'type': 'WhitespaceSplit'},
        'model': {'type': 'WordLevel', 'vocab': {'a': 0, 'b': 1}, 'unk_token': 'a'}}))
    text = ('generate', 'sample:gpt2-small', '--prompt', 'b a b', '--tokenizer', 'words.json', '--new-tokens', '2')
    made = check.command(*text)
    if made:
        check.command(*text, '--stop', made['tokens'][0])
    (check.folder / 'text.ids').write_text('1 15 87\n2 3\n')
    check.command('perplexity', 'sample:gpt2-small', '--tokens', 'text.ids', '--against', 'sample:gpt2-small',
                  '--most-kl', '0.5')
    check.command('profile', 'lenet.onnx', '--level', 'all', '--roofline', '--intra', '2', '-o', 'ort.json',
                  '--format', 'onnxruntime')
    check.command('profile', 'ort.json')


def measured(check, onnxruntime):
    check.command('bench', 'mlp.onnx', 'lenet.onnx', '--level', 'disabled,all', *QUICK)
    check.command('bench', 'mlp.onnx', '--compute', 'exact,bf16,auto', '--no-memory', *QUICK)
    check.command('bench', 'mlp.onnx', '--vs', 'self', '--no-memory', *QUICK)
    check.command('bench', 'mlp.onnx', '--concurrency', '1,2', *QUICK)
    check.command('bench', 'sample:gpt2-small', '--decode', '--context', '3', '--new-tokens', '3', '--vs', 'self',
                  *QUICK)
    check.run('bench', 'mlp.onnx', '--json', 'base.json', '--no-memory', *JUDGED)
    check.file('bench', 'base.json')
    check.command('bench', 'mlp.onnx', '--baseline', 'base.json', '--max-regress', '100000', '--no-memory', *JUDGED)
    check.command('bench', 'mlp.onnx', '--level', 'all,basic', '--baseline', 'base.json', '--no-memory', *QUICK)
    (check.folder / 'models.json').write_text(json.dumps({'models': [
        {'model': 'mlp.onnx', 'seconds': 0.3, 'limits': {'memory': '50%'}}]}))
    check.command('ci', 'models.json', '--update-baseline')
    check.command('ci', 'models.json')
    check.command('sweep', 'mlp.onnx', '--intra', '1,2', '--batch', '1,2', '--session-passes', 'on', *QUICK)
    check.command('compare', 'lenet.onnx', '--level', 'disabled', '--level', 'all', '--max-regress', '100000', *JUDGED)
    check.command('compare', 'lenet.onnx', 'cpu.onnx', '--dim', 'batch=2', *QUICK)
    check.command('compare', 'bert-tiny.onnx', '--by', 'node', '--level', 'basic', '--level', 'all', '--pairs', '6',
                  schema='compare-nodes')
    check.command('report', 'sample:lstm', '-o', 'near.html', '--level', 'all', '--tables', 'near', *QUICK)
    check.file('report-tables', 'near/report.json')
    check.command('report', 'lenet.onnx', '-o', 'lenet.html', '--against', 'disabled', '--tables', 'tables', *QUICK)
    check.file('report-tables', 'tables/report.json')
    if onnxruntime:
        check.command('bench', 'mlp.onnx', '--vs', 'onnxruntime', '--onnxruntime', onnxruntime, *QUICK)
        peer = ['--engine', 'onnxruntime', '--onnxruntime', onnxruntime]
        check.command('run', 'mlp.onnx', *peer)
        check.command('profile', 'mlp.onnx', '--level', 'all', *peer)
        check.command('optimize', 'mlp.onnx', '-o', 'theirs.onnx', *peer)
        check.command('placement', 'mlp.onnx', *peer)
        check.command('inspect', 'mlp.onnx', '--value', '*', *peer)
        check.command('engines', '--onnxruntime', onnxruntime)
        check.environment['LAPIDARY_ONNXRUNTIME'] = str(onnxruntime)
        check.command('quantize', 'mlp.onnx', '--in-onnxruntime')
        del check.environment['LAPIDARY_ONNXRUNTIME']
    else:
        print('without ONNX Runtime: bench --vs onnxruntime is not among the outputs')


def has_onnxruntime(check, place):
    if not place or not place.exists():
        return False
    check.run('sample', 'mlp', '-o', 'tried.onnx')
    done = check.run('bench', 'tried.onnx', '--vs', 'onnxruntime', '--onnxruntime', place.resolve(), '--no-memory',
                     *QUICK)
    if done.returncode == 0:
        return True
    print(f'no ONNX Runtime at {place}: {done.stderr.strip()}')
    return False


def judged(check):
    samples = check.folder / 'samples'
    samples.mkdir()
    for k in range(10):
        (samples / f'{k}.npy').write_bytes(npy([((i * 7 + k * 13) % 29) / 14 - 1 for i in range(784)]))
    (check.folder / 'labels.csv').write_text(''.join(f'{k}.npy,{k}\n' for k in range(10)))
    check.command('quantize', 'mlp.onnx', '-o', 'dynamic.onnx')
    check.command('quantize', 'mlp.onnx', '-o', 'mended.onnx', '--mode', 'static', '--generate', '4')  # far off at first
    check.command('quantize', 'mlp.onnx', '-o', 'static.onnx', '--mode', 'static', '--data', 'samples', '--labels',
                  'labels.csv', '--pareto', '--diagnose', '--sensitivity', '--layers', '--budget', '5')
    check.command('quantize', 'mlp.onnx', '--mode', 'static', '--data', 'samples', '--floor', '200', '--budget', '2',
                  status=1)
    check.command('checklist', 'dynamic.onnx', '--float', 'mlp.onnx', '--runs', '2', *QUICK)
    for mode in ('weights4', 'weights8', 'fp16', 'bf16', 'fp8'):
        check.command('quantize', 'mlp.onnx', '--mode', mode)
    beyond = check.folder / 'beyond'  # those that judge lie beyond all ranges
    beyond.mkdir()
    for k in range(10):
        scale = 100 if k % 5 == 4 else 1
        (beyond / f'{k}.npy').write_bytes(npy([scale * (((i * 7 + k * 13) % 29) / 14 - 1) for i in range(784)]))
    check.command('quantize', 'mlp.onnx', '--mode', 'static', '--data', 'beyond', '--budget', '5', status=1)
    for number in '01':
        check.command('accuracy', 'mlp.onnx', '--data', 'samples', '--labels', 'labels.csv', '--shard', f'{number}/2',
                      '--counts', f'{number}.json')
        check.file('accuracy-counts', f'{number}.json')
    check.command('accuracy', '0.json', '1.json', '--merge')
    check.command('accuracy', 'static.onnx', '--data', 'samples', '--against', 'mlp.onnx')
    pixels = check.folder / 'pixels'
    pixels.mkdir()
    for k in range(10):
        (pixels / f'{k}.npy').write_bytes(npy([(i * 7 + k * 13) % 256 for i in range(784)], '|u1'))
    check.command('accuracy', 'mlp.onnx', '--data', 'pixels', '--labels', 'labels.csv')
    check.command('quantize', 'mlp.onnx', '--data', 'pixels', '--labels', 'labels.csv')
    with zipfile.ZipFile(check.folder / 'inputs.npz', 'w') as archive:
        archive.writestr('input.npy', (samples / '3.npy').read_bytes())
    check.command('run', 'mlp.onnx', '--inputs', 'inputs.npz')
    with zipfile.ZipFile(check.folder / 'wrong.npz', 'w') as archive:
        archive.writestr('logits.npy', npy([9.0] * 10))
    check.command('check', 'mlp.onnx', '--inputs', 'inputs.npz', '--expected', 'wrong.npz', '--level', 'all',
                  '--compute', 'auto', status=1)
    dump = check.folder / 'dump'
    dump.mkdir()
    for name in ('inputs.npz', 'wrong.npz'):
        shutil.copy(check.folder / name, dump)
    check.command('check', 'mlp.onnx', '--recorded', 'dump', status=1)
    check.command('diverge', 'mlp.onnx', '--recorded', 'dump', status=1)


def farmed(check):
    """Options stand in front of --, behind which is the command of the plan."""
    def farm(*words):
        done = check.run('farm', words[0], words[1], '--json', *words[2:])
        check.commands.add('farm')
        check.fits('farm', done.stdout, ' '.join(('farm', *words)) + '\n' + done.stderr[:300])

    (check.folder / 'noise.onnx').write_text('this is no model')
    farm('plan', 'models.json', '--models', 'mlp.onnx', '--models', 'noise.onnx', '--shards', '3', '--', 'info')
    farm('plan', 'counts.json', '--shards', '2', '--', 'accuracy', 'mlp.onnx', '--data', 'samples', '--labels', 'labels.csv')
    for plan in ('models', 'counts'):
        check.file('farm-plan', f'{plan}.json')
        for shard in '01':
            farm('run', f'{plan}.json', '--shard', shard)
    farm('merge', 'counts.json')
    farm('merge', 'models.json', '--partial')
    (check.folder / 'models.results' / 'shard-0.json').unlink()
    farm('merge', 'models.json')


def on_devices(check, plugins):
    check.command('plugins')
    check.command('engines')
    check.command('devices')
    if not plugins:
        print('without plugins: placement is not among the outputs')
        check.commands.add('placement')
        return
    device = plugins / 'device.so'
    for name in ('example_op', 'device', 'engine', 'crashes'):
        if (plugins / f'{name}.so').exists():
            check.command('plugins', '--probe', plugins / f'{name}.so', status=4 if name == 'crashes' else 0)
    check.command('devices', '--plugin', device)
    check.command('engines', '--plugin', plugins / 'engine.so')
    check.command('placement', 'mlp.onnx', '--provider', 'pages', '--plugin', device, '--level', 'basic')
    check.command('profile', 'mlp.onnx', '--provider', 'pages:precision=coarse', '--plugin', device,
                  '--level', 'disabled', '--roofline', '-o', 'device.trace.json')
    check.command('profile', 'mlp.onnx', '--provider', 'pages', '--plugin', device, '--resident', 'logits=input')
    check.command('run', 'mlp.onnx', '--provider', 'pages:precision=coarse', '--plugin', device)
    check.command('optimize', 'mlp.onnx', '--guard', '--provider', 'pages:precision=coarse', '--plugin', device)
    check.command('check', 'mlp.onnx', '--inputs', 'inputs.npz', '--expected', 'wrong.npz', '--atol', '100',
                  '--provider', 'pages:precision=coarse', '--plugin', device)
    check.file('chrome-trace', 'device.trace.json')


def tokenized(check):
    (check.folder / 'tokenizer.json').write_text(json.dumps({
        'model': {'type': 'WordLevel', 'vocab': {'<unk>': 0, 'a': 1, 'b': 2}, 'unk_token': '<unk>'},
        'pre_tokenizer': {'type': 'Whitespace'}}))
    check.command('tokenize', 'tokenizer.json', '--text', 'a b c')
    check.command('tokenize', 'tokenizer.json', '--decode', '1,2', '--stream')


def refused(check):
    check.error('usage', 2, 'info')
    check.error('usage', 2, 'no-such-command')
    check.error('usage', 2, 'optimize', 'mlp.onnx', '--level', 'most')
    check.error('io_failure', 3, 'info', 'missing.onnx')
    (check.folder / 'text.onnx').write_text('this is no model')
    check.error('invalid_model', 3, 'info', 'text.onnx')
    check.error('invalid_input', 3, 'run', 'mlp.onnx', '--inputs', 'wrong.npz')
    check.error('usage', 2, 'check', 'mlp.onnx')


PROJECT = """open mlp.onnx
settle
page optimize
level basic
settle
level extended
settle
tab optimizeTabs 3
press guardButton
settle
slot B basic
slot A extended
notes Kept for later
run
settle
page tune
settle
press Measure settings
settle
save mlp.lapidary
settle
quit
"""


def kept(check, window):
    if not window:
        print('without the window: projects are not among the outputs')
        return
    (check.folder / 'script').write_text(PROJECT)
    environment = dict(check.environment, QT_QPA_PLATFORM='offscreen', XDG_CONFIG_HOME=str(check.folder / 'config'),
                       XDG_STATE_HOME=str(check.folder / 'state'))
    done = subprocess.run([window, '--script', 'script'], cwd=check.folder, env=environment, text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if check.file('project', 'mlp.lapidary') is None:
        check.faults.append(f'the window said: {done.stdout[-1000:]}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('source', type=pathlib.Path)
    parser.add_argument('cli', type=pathlib.Path)
    parser.add_argument('--plugins', type=pathlib.Path)
    parser.add_argument('--window', type=pathlib.Path)
    parser.add_argument('--onnxruntime', type=pathlib.Path)
    options = parser.parse_args()
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print('skipped: Draft202012Validator of jsonschema is not there (Debian: python3-jsonschema)')
        return SKIPPED
    schemas = JsonSchemas(options.source / 'resources/schemas')
    for name, schema in schemas.files.items():
        Draft202012Validator.check_schema(schema)
    faults = list(schemas.faults())
    with tempfile.TemporaryDirectory() as folder:
        check = Checker(schemas, options.cli.resolve(), pathlib.Path(folder).resolve())
        looked_at(check)
        optimized(check)
        recorded(check)
        has_peer = has_onnxruntime(check, options.onnxruntime)
        measured(check, options.onnxruntime.resolve() if has_peer else None)
        judged(check)
        farmed(check)
        on_devices(check, options.plugins.resolve() if options.plugins else None)
        tokenized(check)
        refused(check)
        kept(check, options.window.resolve() if options.window else None)
        manual = check.run('man', '--markdown').stdout
    faults += check.faults
    taking = {part.split('\n', 1)[0] for part in manual.split('\n## ')[1:] if '\n- `--json' in part}
    faults += [f'{command} takes --json and has no {command}.schema.json'
               for command in sorted(taking) if f'{command}.schema.json' not in schemas.files]
    faults += [f'{command} takes --json and was not run' for command in sorted(taking - check.commands)]
    unseen = [place for place in schemas.unseen() if not any(re.fullmatch(known, place) for known, _ in NEEDS_MORE)]
    print(f'{len(schemas.files)} schemas, {check.outputs} outputs of {len(check.commands)} commands')
    if options.plugins and options.window and has_peer:
        faults += [f'{place}: no output has it' for place in unseen]
    elif unseen:
        print(f'{len(unseen)} members were in no output')
    print('\n'.join(faults))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
