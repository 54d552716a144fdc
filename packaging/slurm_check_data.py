# SPDX-License-Identifier: Apache-2.0
"""Data and comparisons of slurm_check.sh.

    slurm_check_data.py N                          writes net.onnx and data.npz of N samples
    slurm_check_data.py rows MERGED COUNT          a result for each model, each with a machine
    slurm_check_data.py accuracy MERGED WHOLE      merged figures are those of one run
    slurm_check_data.py search MERGED WHOLE        so is the choice of a search
"""
import array
import json
import random
import struct
import sys
import zipfile

CLASSES = 10


def field(number, content):
    """A field of protobuf: a number, or bytes with their length."""
    if isinstance(content, int):
        return bytes([number << 3, content])
    content = content.encode() if isinstance(content, str) else content
    return bytes([number << 3 | 2, len(content)]) + content


def value_info(name):
    dimensions = field(1, field(2, 'n')) + field(1, field(1, CLASSES))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)))


def write_model():
    """y = Softmax(x), x float32 [n, 10]."""
    node = field(1, 'x') + field(2, 'y') + field(4, 'Softmax')
    graph = field(1, node) + field(2, 'g') + field(11, value_info('x')) + field(12, value_info('y'))
    with open('net.onnx', 'wb') as file:
        file.write(field(1, 8) + field(8, field(1, '') + field(2, 17)) + field(7, graph))


def npy(kind, shape, content):
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + content


def write_data(samples):
    draw = random.Random(1)
    values, labels = array.array('f'), array.array('q')
    for _ in range(samples):
        row = [draw.random() for _ in range(CLASSES)]
        values.extend(row)
        best = max(range(CLASSES), key=row.__getitem__)
        labels.append(best if draw.random() < 0.8 else draw.randrange(CLASSES))
    with zipfile.ZipFile('data.npz', 'w') as file:
        file.writestr('x.npy', npy('<f4', (samples, CLASSES), values.tobytes()))
        file.writestr('y.npy', npy('<i8', (samples,), labels.tobytes()))


def load(name):
    with open(name, encoding='utf-8') as file:
        return json.load(file)


def differing(what, merged, whole):
    found = [name for name in whole if name in merged and merged[name] != whole[name]]
    for name in found:
        print(f'{what}: {name} is {merged[name]!r} merged and {whole[name]!r} in one run')
    return bool(found)


def main():
    what, *names = sys.argv[1:]
    if what.isdigit():
        write_model()
        write_data(int(what))
        return 0
    merged = load(names[0])
    if not merged['complete']:
        print(f'{what}: it is not complete: {merged["lost"]}, {merged["failed"]}')
        return 1
    if what == 'rows':
        hosts = sorted({merged['machines'][row['machine']]['host'] for row in merged['results']})
        print(f'{len(merged["results"])} results of {", ".join(hosts)}')
        return len(merged['results']) != int(names[1])
    row, whole = merged['results'][0], load(names[1])
    if what == 'accuracy':
        print(f'accuracy: {row["accuracy"]["samples"]} samples, top-1 {row["accuracy"]["top1"]}')
        return differing(what, row['accuracy'], whole) or row['accuracy'].keys() - whole.keys() != set()
    kept = {name: whole[name] for name in ('trials', 'best_trial', 'sqnr_db', 'outputs') if name in whole}
    print(f'search: {len(kept["trials"])} recipes, the best is {kept["trials"][kept["best_trial"]]["name"]!r}')
    return differing(what, row['result'], kept)


if __name__ == '__main__':
    sys.exit(main())
