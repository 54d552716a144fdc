#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""corpus.py SOURCE SEEDS CORPUS: makes the fixed corpus of the fuzz targets, a folder of files for each.

Graphs, edit scripts, tokenizers, traces and rules are those of tests/fixtures and resources. SEEDS is the program
fuzz_seeds, which writes models, arrays, a JPEG and the record of a run. All else stands here. Two runs write the same
files.
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

MOST_GRAPHS = 120  # models that three targets run in each build
RECIPES = [
    '{}', '{"level":"extended"}',
    '{"disabled_passes":["fuse_conv_activation"],"level":"all","session_passes":false,"stop_after":3}',
    '{"dimensions":{"batch":2},"edits":"delete op:Identity\\n","level":"basic"}',
    '{"level":"all","runs_on":{"engine":"onnxruntime","place":"/opt/onnxruntime"}}',
    '{"runs_on":{"engine":"lapidary","fallback":"forbid","providers":["cuda:device=1,precision=tf32"]}}',
    '{"other_model":{"bytes":12,"channel_block":8,"file":"/b.onnx","modified":0}}',
    'quantization {"options":{"block":64,"mode":"weights","weight_bits":8},"samples":{"generated":3}}',
]
CI_FILES = [
    '{"defaults": {"threads": 1, "seconds": 0.5, "limits": {"slower": "5 %", "size": "1MiB"}}, "models": '
    '[{"model": "net.onnx", "levels": ["basic", "all"]}, {"model": "sample:lenet"}]}',
    '{"baselines": "saved", "models": [{"model": "sample:mlp", "name": "small", "dimensions": {"batch": 3}, "rtol": 0,'
    ' "rules": ["my.rules"], "accuracy": {"data": "d.npz", "labels": "d.npz:y", "metric": "topk", "mean": [1, 2.5]},'
    ' "reference": {"inputs": "in.npz", "expected": "out.npz"}, "limits": {"memory": "10 %", "accuracy": 0.5}}]}',
    '{"format": "lapidary-ci-baseline", "version": 1, "levels": {"all": {"memory_bytes": 1, "file_bytes": 2}}}',
]
FARM_FILES = [
    '{"shards": 2, "split": "models", "command": ["profile", "--runs", "5"], "tasks": [{"shard": 0, "model": '
    '"sample:mlp", "bytes": 0, "steps": [["profile", "sample:mlp", "--runs", "5"]]}]}',
    '{"plan": "a", "shard": 0, "outcomes": [{"model": "sample:mlp", "exit_code": 0, "results": [{}]}]}',
    '[{"name": "int8", "weight_bytes": 10, "failure": "", "splits": []}]',
]
REQUESTS = [
    '{"id": 1, "job": "profile", "model": {"sample": "mlp"}, "settings": {"threads": 2, "repetitions": 3}}',
    '{"id": 3, "job": "sweep", "model": {"file": "a.onnx", "recipe": {"level": "all"}}, "space": {}, "options": {}}',
    '{"cancel": 1}', '{"pause": 3}', '{"id": 2, "job": "read", "model": {"file": "a.onnx", "bytes": 4, '
    '"modified": 7}, '
    '"documents": [7, 9]}', '{"id": 6, "job": "guard", "inputs": {"files": {"x": "/x.npy"}, "text": "a line"}}',
]
ANSWERS = [
    '{"id": 1, "result": {"block": {"name": "/lapidary_1_2", "bytes": 4096}}}',
    '{"id": 1, "error": {"code": "invalid_model", "message": "m", "where": ["a.onnx", "node \\"n\\""]}}',
    '{"id": 2, "job": "sweep", "state": {"cells": [{"configuration": {"intra": 2}, "state": "done"}]}}',
    '{"id": 2, "job": "measure", "state": []}', '{"id": 2, "job": "quantize", "state": {}}',
    '{"id": 2, "job": "generate", "state": {"prompt": [1, 2], "sides": [{"tokens": [3]}]}}',
    '{"id": 2, "job": "measure_decoders", "state": {"contexts": [8], "sides": [{"model": 0}]}}',
]
PROJECTS = [
    '{"format": "lapidary-project", "version": 1, "models": [{"sample": "mlp"}]}',
    '{"format": "lapidary-project", "version": 1, "written_by": "Lapidary 0.1.0", "notes": "n", "page": "run", '
    '"run_settings": {"repetitions": 20, "seed": "18446744073709551615", "threads": 2, "warmups": 1}, "models": '
    '[{"path":'
    ' "models/a.onnx", "bytes": 12, "sha256": "AB", "chosen": {"level": "all"}, "shown": {}, "variants": [{"parent": '
    '"original", "recipe": {"level": "basic", "stop_after": 3}}], "slots": {"B": {"level": "basic"}}, "runs": '
    '[{"kind": '
    '"profile", "recipe": {}, "median_ms": 2.5, "peak_bytes": null}], "guards": [{"recipe": {"level": "basic"}, '
    '"matches": true, "largest_difference": 1e-6}], "sweep": {"cells": [{"configuration": {"intra": 2}, '
    '"state": "done"}]'
    '}, "swept": {"level": "all"}}]}',
]
MESSAGES = [
    {'method': 'initialize', 'params': {'protocolVersion': '2025-11-25', 'capabilities': {},
                                            'clientInfo': {'name': 'c'}}},
    {'method': 'tools/list'}, {'method': 'resources/list'}, {'method': 'ping'},
    {'method': 'resources/read', 'params': {'uri': 'lapidary://help/profile'}},
    {'method': 'notifications/cancelled', 'params': {'requestId': 3}},
]
LABELS = ['file,class\na.png,3\nb.png,0\n', '1\n2\n3\n', 'a.png,1,0.5,1,20,30\nb.png\n', 'a.wav\tsome words\n']


def graphs_of(file):
    """The graphs of a file of fixtures: what stands between a line "# case:" and the next comment behind the graph."""
    for case in re.split(r'^# case:.*\n', file.read_text(), flags=re.M)[1:]:
        lines = []
        for line in case.splitlines():
            if not line.startswith('#'):
                lines.append(line)
            elif lines:  # what the graph becomes follows
                break
        if lines:
            yield '\n'.join(lines).strip() + '\n'


def png(width=9, height=7):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = b''.join(b'\0' + bytes(range(row, row + 3 * width)) for row in range(height))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def wav(code, bits, samples):
    block = bits // 8
    form = struct.pack('<HHIIHH', code, 1, 16000, 16000 * block, block, bits)
    data = bytes(range(samples * block))
    parts = b'WAVEfmt ' + struct.pack('<I', len(form)) + form + b'data' + struct.pack('<I', len(data)) + data
    return b'RIFF' + struct.pack('<I', len(parts)) + parts


def main():
    source, seeds, corpus = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    fixtures = source / 'tests/fixtures'
    shutil.rmtree(corpus, ignore_errors=True)

    def put(target, name, content):
        (corpus / target).mkdir(parents=True, exist_ok=True)
        (corpus / target / name).write_bytes(content.encode() if isinstance(content, str) else content)

    graphs = [graph for folder in ('shapes', 'engine', 'passes', 'conversions')
              for file in sorted((fixtures / folder).rglob('*.graph')) for graph in graphs_of(file)]
    for index, graph in enumerate(graphs[::max(1, len(graphs) // MOST_GRAPHS)]):
        put('graph_text', f'{index:04}.graph', graph)
    for file in sorted((fixtures / 'tokenizers').glob('*.json')):
        put('tokenizer', file.name, json.dumps(json.loads(file.read_text())['tokenizer']))
    for file in sorted((fixtures / 'traces').glob('*.json')):
        put('trace', file.name, json.dumps(json.loads(file.read_text())[:60]))
    put('trace', 'chrome.json', '{"traceEvents": [{"ph": "X", "name": "Conv", "cat": "kernel", "ts": 1.5, "dur": 20, '
        '"pid": 1, "tid": 2, "args": {"op_name": "Conv", "node_index": "3"}}], "displayTimeUnit": "ms"}')
    for index, text in enumerate((source / 'resources/rules/common.rules').read_text().split('\n\n')):
        put('rules', f'{index:02}.rules', text + '\n')
    scripts = ['\n'.join(task['script']) + '\n'
               for task in json.loads((fixtures / 'edits/tasks.json').read_text())]
    lists = {'recipe': RECIPES, 'edit_script': scripts, 'ci_files': CI_FILES, 'farm_files': FARM_FILES,
             'labels': LABELS,
             'service_request': REQUESTS, 'service_answer': ANSWERS, 'project': PROJECTS}
    for target, texts in lists.items():
        for index, text in enumerate(texts):
            put(target, f'{index:02}', text)
    for index, text in enumerate(PROJECTS):
        journal = json.dumps({'format': 'lapidary-journal', 'state': json.loads(text)})
        put('journal', f'{index:02}', journal)
        put('journal', f'{index:02}_cut', journal[:len(journal) * 2 // 3])
    messages = [json.dumps({'jsonrpc': '2.0', 'id': index, **message}) for index, message in enumerate(MESSAGES)]
    put('mcp', 'session', '\n'.join(messages) + '\n')
    put('mcp', 'batch', '[' + ', '.join(messages[1:]) + ']\n')
    put('image', 'rgb.png', png())
    for name, code, bits in (('pcm16', 1, 16), ('pcm24', 1, 24), ('float', 3, 32)):
        put('wav', name + '.wav', wav(code, bits, 8))
    put('recording', 'polygraphy.json', '{"lst": [["runner", [{"outputs": {"y": {"values": {"array": "AAAA", '
        '"dtype": "float32", "shape": [1]}}}}]]]}')
    subprocess.run([seeds, corpus / 'graph_text', corpus], check=True)
    for folder in sorted(corpus.iterdir()):
        print(f'{folder.name}: {len(list(folder.iterdir()))} files')


if __name__ == '__main__':
    main()
