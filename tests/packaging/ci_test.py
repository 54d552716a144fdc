# SPDX-License-Identifier: Apache-2.0
"""`lapidary-cli ci` on three small models: every kind of fault is planted and has to be told from the others.

    ci_test.py SOURCE CLI

Its JUnit XML is read by xml.etree, and by junitparser where that is installed. Limits of time are so wide, and planted
times so far off, that a busy machine changes no verdict. The recipes of resources/help/ci.md are parsed where PyYAML is
installed.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile

SOURCE, CLI = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
problems = []
KEPT, WORSE, BROKEN, UNRESOLVED = 0, 1, 3, 7
FAR = 1e6  # a planted time is so many times off

WRONG_RULE = 'rule wrong "not the same"\nmatch\n  y = Relu(x)\nreplace\n  y = Neg(x)\n'
LIMITS = {'slower': '100000%', 'memory': '50%', 'size': '1%'}


def expect(holds, what):
    if not holds:
        problems.append(what)


def npy(values):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, %d), }" % len(values)
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    return (b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() +
            struct.pack(f'<{len(values)}f', *values))


class Folder:
    """Models, samples and the file that names them, in a new folder."""

    def __init__(self, path):
        self.path = path
        for name in ('mlp', 'lenet'):
            self.run('sample', name, '-o', f'{name}.onnx')
        samples = path / 'samples'
        samples.mkdir()
        for k in range(8):
            (samples / f'{k}.npy').write_bytes(npy([((i * 7 + k * 13) % 29) / 14 - 1 for i in range(784)]))
        (path / 'labels.csv').write_text(''.join(f'{k}.npy,{k % 4}\n' for k in range(8)))
        (path / 'wrong.rules').write_text(WRONG_RULE)
        self.write()

    def write(self, slower='100000%', **changes):
        """Writes the file. `slower` is the limit of lenet; `changes` are members of the model mlp."""
        mlp = {'model': 'mlp.onnx', 'levels': ['basic', 'all'],
               'accuracy': {'data': 'samples', 'labels': 'labels.csv', 'metric': 'topk'},
               'limits': {**LIMITS, 'accuracy': 0, 'accuracy_drop': '1%'}, **changes}
        (self.path / 'models.json').write_text(json.dumps({
            'baselines': 'saved', 'defaults': {'threads': 1, 'seconds': 0.2, 'limits': LIMITS},
            'models': [mlp, {'model': 'lenet.onnx', 'limits': {'slower': slower}},
                       {'model': 'sample:mlp', 'name': 'third'}]}, indent=1))

    def run(self, *words):
        return subprocess.run([CLI, *words], cwd=self.path, text=True, capture_output=True, timeout=300)

    def ci(self, code, what, *words):
        """Runs ci and checks its exit code; returns its JSON, and the cases of its JUnit XML by name."""
        done = self.run('ci', 'models.json', '--json', '--junit', 'report.xml', '--summary', 'report.md', *words)
        expect(done.returncode == code,
               f'{what}: expected exit code {code}, found {done.returncode}: {done.stdout[-3000:]}{done.stderr}')
        try:
            found = json.loads(done.stdout)
        except ValueError:
            problems.append(f'{what}: no JSON: {done.stdout[:500]} {done.stderr}')
            return {'models': []}, {}
        expect(bool(done.stderr) == (code == BROKEN), f'{what}: on the error stream: {done.stderr}')
        self.check_markdown(what)
        return found, self.cases(found, what)

    def cases(self, found, what):
        """Checks the XML against the JSON."""
        root = xml.etree.ElementTree.parse(self.path / 'report.xml').getroot()
        suites = root.findall('testsuite')
        expect(root.tag == 'testsuites' and [s.get('name') for s in suites] == [m['name'] for m in found['models']],
               f'{what}: the suites are not the models')
        outcome = {'failure': 'worse', 'error': 'broken', 'skipped': 'unresolved'}
        cases, counts = {}, {'worse': 0, 'broken': 0, 'unresolved': 0, 'kept': 0}
        for suite in suites:
            properties = {p.get('name'): p.get('value') for p in suite.find('properties')}
            expect({'cpu', 'isa', 'cores', 'model'} <= properties.keys(), f'{what}: conditions are missing')
            here = suite.findall('testcase')
            expect(int(suite.get('tests')) == len(here), f'{what}: {suite.get("name")} counts its cases wrongly')
            for case in here:
                verdicts = [outcome[child.tag] for child in case if child.tag in outcome] or ['kept']
                counts[verdicts[0]] += 1
                cases[suite.get('name'), case.get('name')] = verdicts[0]
                expect(len(verdicts) == 1 and float(case.get('time')) >= 0, f'{what}: an odd case')
        for verdict, count in counts.items():
            expect(found[verdict] == count, f'{what}: {count} cases are {verdict}, and JSON has {found[verdict]}')
        for attribute, verdict in (('failures', 'worse'), ('errors', 'broken'), ('skipped', 'unresolved')):
            expect(int(root.get(attribute)) == counts[verdict], f'{what}: the file counts {attribute} wrongly')
        return cases

    def check_markdown(self, what):
        rows = [line for line in (self.path / 'report.md').read_text().splitlines() if line.startswith('|')]
        cells = {len(re.findall(r'(?<!\\)\|', row)) for row in rows}
        expect(not rows or cells == {7}, f'{what}: the tables of the summary have {cells} bars')

    def plant(self, name, change):
        """Changes a baseline by a function; returns what puts it back."""
        file = self.path / 'saved' / f'{name}.json'
        before = file.read_text()
        saved = json.loads(before)
        change(saved)
        file.write_text(json.dumps(saved))
        return lambda: file.write_text(before)


def well_known(saved):
    """On a busy machine a baseline may rest on too few samples for an interval."""
    for row in saved['configurations']:
        median = row['ours']['median_ms']
        row['ours'].update(ci_ms=[0.99 * median, 1.01 * median], samples=40)


def faster(saved):
    """The baseline was much faster, and is well known."""
    for row in saved['configurations']:
        median = row['ours']['median_ms'] / FAR
        row['ours'].update(median_ms=median, ci_ms=[0.99 * median, 1.01 * median], samples=40)


def vague(saved):
    """The baseline was twice as fast, and is hardly known: a limit of 50 % lies in the interval of the change."""
    for row in saved['configurations']:
        median = row['ours']['median_ms'] / 2
        row['ours'].update(median_ms=median, ci_ms=[median / FAR, median * FAR], samples=40)


def figure(name, factor):
    def change(saved):
        for level in saved['ci']['levels'].values():
            level[name] *= factor
    return change


def more_accurate(saved):
    for level in saved['ci']['levels'].values():
        level['accuracy'] += 0.5


def another_machine(saved):
    saved['machine']['cpu'] = 'Abacus 3000'


def other_threads(saved):
    saved['ci']['threads'] = 77


def verdicts_of(cases, verdict):
    return sorted({name.split(' ')[0] for (_, name), found in cases.items() if found == verdict})


def check_baselines(folder):
    found, cases = folder.ci(UNRESOLVED, 'without baselines')
    expect(verdicts_of(cases, 'unresolved') == ['accuracy', 'memory', 'size', 'time'],
           f'without baselines unresolved are {verdicts_of(cases, "unresolved")}')
    expect(verdicts_of(cases, 'kept') == ['guard'], 'without baselines the guard alone is kept')
    found, cases = folder.ci(KEPT, 'making the baselines', '--update-baseline')
    expect(all(model['updated'] for model in found['models']), 'baselines were not written')
    expect(sorted(file.name for file in (folder.path / 'saved').iterdir()) == ['lenet.json', 'mlp.json', 'third.json'],
           'the folder of baselines has other files')
    for model in found['models']:
        folder.plant(model['name'], well_known)
    found, cases = folder.ci(KEPT, 'against the baselines')
    expect(set(cases.values()) == {'kept'} and len(cases) == 10 + 4 + 4, f'against the baselines: {cases}')
    expect(all(model['threads'] == 1 for model in found['models']), 'the number of threads is missing')


def check_planted(folder):
    for kind, name, change in (('time', 'lenet', faster), ('memory', 'lenet', figure('memory_bytes', 0.5)),
                               ('size', 'lenet', figure('file_bytes', 0.5)), ('accuracy', 'mlp', more_accurate)):
        restore = folder.plant(name, change)
        _, cases = folder.ci(WORSE, f'planted {kind}', '--only', name)
        expect(verdicts_of(cases, 'worse') == [kind] and not verdicts_of(cases, 'unresolved'),
               f'planted {kind}: {cases}')
        restore()
    restore = folder.plant('lenet', figure('file_bytes', 0.5))
    folder.ci(KEPT, 'a worse baseline in place of one that is there', '--only', 'lenet', '--update-baseline')
    restore()
    for what, change, kinds in (('noise', vague, ['time']), ('another machine', another_machine, ['memory', 'time']),
                                ('other threads', other_threads, ['memory', 'time'])):
        folder.write(slower='50%' if what == 'noise' else '100000%')
        restore = folder.plant('lenet', change)
        found, cases = folder.ci(UNRESOLVED, what, '--only', 'lenet')
        expect(verdicts_of(cases, 'unresolved') == kinds and not verdicts_of(cases, 'worse'), f'{what}: {cases}')
        if what == 'another machine':
            expect('Abacus 3000' in found['models'][0]['note'], 'the other machine is not named')
        restore()
    restore = folder.plant('lenet', lambda saved: saved.pop('ci'))
    _, cases = folder.ci(BROKEN, 'a baseline of another format', '--only', 'lenet')
    expect(cases.get(('lenet', 'baseline')) == 'broken', f'a baseline of another format: {cases}')
    restore()


def check_wrong_results(folder):
    folder.write(rules=['wrong.rules'])
    before = (folder.path / 'saved/mlp.json').read_text()
    _, cases = folder.ci(WORSE, 'a wrong rule', '--only', 'mlp')
    expect('guard' in verdicts_of(cases, 'worse'), f'a wrong rule: {cases}')
    expect(cases.get(('mlp', 'size at level all')) == 'unresolved', 'there is a size without a file')
    found, _ = folder.ci(WORSE, 'a baseline of wrong results', '--only', 'mlp', '--update-baseline')
    expect(not found['models'][0]['updated'] and (folder.path / 'saved/mlp.json').read_text() == before,
           'a baseline of wrong results was written')
    folder.write(model='text.onnx')
    (folder.path / 'text.onnx').write_text('no model')
    _, cases = folder.ci(BROKEN, 'a broken model', '--only', 'text', '--only', 'third')
    expect(cases.get(('text', 'model')) == 'broken' and cases.get(('third', 'guard at level all')) == 'kept',
           f'a broken model: {cases}')
    restore = folder.plant('third', figure('file_bytes', 0.5))
    folder.ci(WORSE, 'what is worse comes before what is broken', '--only', 'text', '--only', 'third')
    restore()
    folder.write()


def check_reference(folder):
    """Recorded outputs tell a wrong model, which agrees with itself and passes the guard."""
    for k in range(2):
        with zipfile.ZipFile(folder.path / f'in{k}.npz', 'w') as archive:
            archive.writestr('input.npy', npy([((i * 7 + k * 13) % 29) / 14 - 1 for i in range(784)]))
        folder.run('run', 'mlp.onnx', '--inputs', f'in{k}.npz', '--outputs', f'out{k}.npz')
    for expected, code, verdict in (('out0', KEPT, 'kept'), ('out1', WORSE, 'worse'), ('gone', BROKEN, 'broken')):
        folder.write(levels=['basic'], limits={}, reference={'inputs': 'in0.npz', 'expected': f'{expected}.npz'})
        _, cases = folder.ci(code, f'a reference of {expected}', '--only', 'mlp')
        expect(cases.get(('mlp', 'reference at level basic')) == verdict and
               cases.get(('mlp', 'guard at level basic')) == 'kept', f'a reference of {expected}: {cases}')
    folder.write()


def check_second_parser(folder):
    try:
        import junitparser
    except ImportError:
        print('junitparser is not there: the XML was read by xml.etree alone')
        return
    parsed = junitparser.JUnitXml.fromfile(str(folder.path / 'report.xml'))
    expect(sum(len(list(suite)) for suite in parsed) > 0, 'junitparser finds no case')


def check_recipes():
    page = (SOURCE / 'resources/help/ci.md').read_text()
    recipes = re.findall(r'```yaml\n(.*?)```', page, flags=re.S)
    expect(len(recipes) == 2, f'{len(recipes)} recipes in ci.md')
    try:
        import yaml
    except ImportError:
        print('PyYAML is not there: recipes were not parsed')
        return
    github, gitlab = map(yaml.safe_load, recipes)
    steps = github['jobs']['models']['steps']
    expect(all(('run' in step) != ('uses' in step) for step in steps), 'GitHub: a step neither runs nor uses')
    scripts = [step['run'] for step in steps if 'run' in step]
    for script in scripts + ['\n'.join(gitlab['models']['script'])]:
        done = subprocess.run(['bash', '-n', '-c', script], capture_output=True, text=True)
        expect(done.returncode == 0, f'a script of a recipe: {done.stderr}')
    expect(any('lapidary-cli ci ' in script for script in scripts), 'GitHub: no step calls ci')
    expect(any(line.startswith('lapidary-cli ci ') for line in gitlab['models']['script']), 'GitLab: no ci')
    expect(gitlab['models']['allow_failure'] == {'exit_codes': [UNRESOLVED]}, 'GitLab: another exit code is allowed')
    expect(gitlab['models']['artifacts']['reports'] == {'junit': 'models.xml'}, 'GitLab: no report')


def main():
    check_recipes()
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(pathlib.Path(path).resolve())
        check_baselines(folder)
        check_planted(folder)
        check_wrong_results(folder)
        check_reference(folder)
        check_second_parser(folder)
    print('\n'.join(problems) or 'every planted fault was found and told from the others')
    return bool(problems)


if __name__ == '__main__':
    sys.exit(main())
