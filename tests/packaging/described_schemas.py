# SPDX-License-Identifier: Apache-2.0
"""Schemas of resources/schemas have the members that the described structs have (lapidary/internal/members.h).

    described_schemas.py SOURCE PROGRAM [--write]

PROGRAM (build/bin/described_schemas) prints what follows from the descriptions. Names, types, names of enums, ranges
and required members are compared; a published schema may be narrower. --write mends the files: members that are new
get an empty description and unit, which the test json_schemas asks for, and members that are gone are taken out.
"""
import argparse
import json
import pathlib
import subprocess
import sys

# Members of the output that its command adds to the struct.
ADDED = {'sweep': ['on', 'sizes', 'default_sizes', 'compute', 'cancelled']}
# Schemas whose required members are all that are always written. Others may ask for more than readers do.
OUTPUTS = ['decoding', 'sweep']


class Schemas:
    def __init__(self, folder):
        self.folder = folder
        self.files = {path.name: json.loads(path.read_text()) for path in folder.glob('*.schema.json')}
        self.differences = []

    def resolved(self, node, file):
        """What a reference leads to, with its file; nothing for the whole of another file."""
        while '$ref' in node:
            target, _, place = node['$ref'].partition('#')
            file = target or file
            if not place:
                return None, file
            node = self.files[file]
            for step in place.strip('/').split('/'):
                node = node[step]
        return node, file

    def differs(self, place, what):
        self.differences.append(f'{place}: {what}')

    def mend(self, node, described, file, place):
        """Notes where `node` does not fit what is described, and changes it to fit."""
        shared = '.json' in node.get('$ref', '')  # by several schemas, some of which have more
        node, file = self.resolved(node, file)
        if node is None:
            return
        if 'anyOf' in node and not is_number(node):
            branches = [branch for branch in node['anyOf'] if branch != {'type': 'null'}]
            if (len(branches) < len(node['anyOf'])) != described.get('nullable', False):
                self.differs(place, 'may be null' if described.get('nullable') else 'is never null')
                node['anyOf'] = branches + [{'type': 'null'}] * described.get('nullable', False)
            node = branches[0]
        elif described.get('nullable'):
            self.differs(place, 'may be null')
            kept = {name: node.pop(name) for name in list(node) if name not in ('description', 'unit')}
            node['anyOf'] = [kept, {'type': 'null'}]
            node = kept
        described = {name: value for name, value in described.items() if name != 'nullable'}
        if '$ref' in node:
            return self.mend(node, described, file, place)
        if 'enum' in described:
            self.mend_names(node, described['enum'], shared, place)
        elif 'properties' in described:
            self.mend_members(node, described, file, place, shared)
        elif kind_of(node) != described['type'] and not is_narrower(node, described['type']):
            self.differs(place, f'expected {described["type"]}, found {kind_of(node)}')
            node.pop('enum', None)
            node['type'] = described['type']
        if 'items' in described:
            self.mend(node.setdefault('items', {}), described['items'], file, place + '[]')
        if 'additionalProperties' in described:
            self.mend(node.setdefault('additionalProperties', {}), described['additionalProperties'], file,
                      place + '[]')
        for key, beyond in (('minimum', lambda a, b: a < b), ('maximum', lambda a, b: a > b)):
            if key in described and 'enum' not in node and (key not in node or beyond(node[key], described[key])):
                self.differs(place, f'has the {key} {described[key]:g}')
                node[key] = whole(described[key])

    def mend_names(self, node, names, shared, place):
        found = node.get('enum', [])
        missing, unknown = [n for n in names if n not in found], [n for n in found if n not in names]
        if missing or (unknown and not shared):
            self.differs(place, f'is one of {", ".join(names)}')
            node.pop('type', None)
            node['enum'] = names + (unknown if shared else [])

    def mend_members(self, node, described, file, place, shared):
        members, added = node.setdefault('properties', {}), ADDED.get(place, [])
        for name in [name for name in members if name not in described['properties'] and name not in added]:
            if not shared:
                self.differs(f'{place}.{name}', 'no struct has this member')
                del members[name]
        for name, schema in described['properties'].items():
            if name not in members:
                self.differs(f'{place}.{name}', 'is not in the schema')
                members[name] = draft_member(schema)
            else:
                self.mend(members[name], schema, file, f'{place}.{name}')
        required = [name for name in node.get('required', []) if name in members]
        wanted = [name for name in described['required'] if name not in required]
        surplus = [name for name in required if name not in described['required']]
        if place.split('.')[0] not in OUTPUTS:
            surplus = []
        if wanted or surplus:
            self.differs(place, f'requires {", ".join(described["required"])}')
            required = [name for name in required if name not in surplus] + wanted
        if required != node.get('required', []):
            node['required'] = required

    def write(self):
        for name, schema in self.files.items():
            path = self.folder / name
            if json.loads(path.read_text()) != schema:
                path.write_text(text_of(schema) + '\n')
                print(f'{path} was changed')


def is_number(node):
    """As parts.schema.json has numbers, NaN among them."""
    return 'anyOf' in node and {'type': 'number'} in node['anyOf']


def kind_of(node):
    if is_number(node):
        return 'number'
    return node.get('type', 'one of ' + ', '.join(map(str, node['enum'])) if 'enum' in node else 'anything')


def is_narrower(node, kind):
    types = {'string': str, 'integer': int, 'number': (int, float), 'boolean': bool}
    if kind == 'number' and node.get('type') == 'integer':
        return True
    values = node.get('enum', [node['const']] if 'const' in node else [])
    return bool(values) and kind in types and all(isinstance(value, types[kind]) for value in values)


def whole(number):
    return int(number) if number == int(number) else number


def draft(described):
    """The schema of something new, without what it means."""
    if described.get('type') == 'number' and 'minimum' not in described:
        return {'$ref': 'parts.schema.json#/$defs/number'}  # NaN is written as a word
    made = {name: described[name] for name in ('type', 'enum') if name in described}
    for key in ('minimum', 'maximum'):
        if key in described:
            made[key] = whole(described[key])
    for key in ('items', 'additionalProperties'):
        if key in described:
            made[key] = draft(described[key])
    if 'properties' in described:
        made |= {'required': described['required']} if described['required'] else {}
        made['additionalProperties'] = False
        made['properties'] = {name: draft_member(member) for name, member in described['properties'].items()}
    return {'anyOf': [made, {'type': 'null'}]} if described.get('nullable') else made


def draft_member(described):
    """The same with a place for what it means, and for its unit."""
    unit = {'unit': ''} if described.get('type') in ('integer', 'number') else {}
    return draft(described) | unit | {'description': ''}


def text_of(node, depth=0, before=0):
    """On one line what fits in 120 columns."""
    line = json.dumps(node, ensure_ascii=False)
    if not isinstance(node, (dict, list)) or (depth > 0 and before + len(line) < 120):
        return line
    pad, end = '  ' * (depth + 1), '\n' + '  ' * depth
    if isinstance(node, dict):
        keys = {name: pad + json.dumps(name) + ': ' for name in node}
        return '{\n' + ',\n'.join(key + text_of(node[name], depth + 1, len(key)) for name, key in keys.items()) + \
            end + '}'
    if any(isinstance(item, (dict, list)) for item in node):
        return '[\n' + ',\n'.join(pad + text_of(item, depth + 1, len(pad)) for item in node) + end + ']'
    lines = [pad]
    for index, item in enumerate(node):
        word = json.dumps(item, ensure_ascii=False) + (',' if index + 1 < len(node) else '')
        if len(lines[-1]) + 1 + len(word) > 120:
            lines.append(pad)
        lines[-1] += word if lines[-1] == pad else ' ' + word
    return '[\n' + '\n'.join(lines) + end + ']'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('source', type=pathlib.Path)
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('--write', action='store_true')
    options = parser.parse_args()
    schemas = Schemas(options.source / 'resources/schemas')
    described = json.loads(subprocess.run([options.program.resolve()], check=True, capture_output=True).stdout)
    for name, schema in described.items():
        schemas.mend(schemas.files[f'{name}.schema.json'], schema, f'{name}.schema.json', name)
    print('\n'.join(schemas.differences) or f'{", ".join(described)}: the schemas are as described')
    if options.write:
        schemas.write()
    elif schemas.differences:
        print('described_schemas.py SOURCE PROGRAM --write changes the schemas; new members need a description')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
