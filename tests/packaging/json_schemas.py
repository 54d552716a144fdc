# SPDX-License-Identifier: Apache-2.0
"""The schemas of resources/schemas in one piece, checks of them, and which of their members were seen.

jsonschema is needed for JsonSchemas.problems() alone.
"""
import itertools
import json
import re

SUFFIX = '.schema.json'


def inlined(node, file):
    """References to other files, and within this one, as references into one object with all files."""
    if isinstance(node, list):
        return [inlined(item, file) for item in node]
    if not isinstance(node, dict):
        return node
    made = {name: inlined(member, file) for name, member in node.items()}
    if isinstance(made.get('$ref'), str):
        target, _, place = made['$ref'].partition('#')
        made['$ref'] = f'#/$defs/{target or file}{place}'
    return made


class JsonSchemas:
    def __init__(self, folder):
        self.files = {path.name: json.loads(path.read_text()) for path in sorted(folder.glob('*' + SUFFIX))}
        self.whole = {'$defs': {name: inlined(schema, name) for name, schema in self.files.items()}}
        self.seen = set()

    def resolved(self, reference):
        node = self.whole
        for step in reference.removeprefix('#/').split('/'):
            node = node[step]
        return node

    def members(self):
        """(place, schema) of each member of each object."""
        def below(node, place):
            for name, member in node.get('properties', {}).items():
                yield f'{place}.{name}', member
                yield from below(member, f'{place}.{name}')
            for name, part in node.get('$defs', {}).items():
                yield from below(part, f'{place}#{name}')
            for key in ('items', 'additionalProperties', 'contentSchema'):
                if isinstance(node.get(key), dict):
                    yield from below(node[key], place + '[]')
            for branch in node.get('anyOf', []):
                yield from below(branch, place)
        for name, schema in self.whole['$defs'].items():
            yield from below(schema, name.removesuffix(SUFFIX))

    def is_number(self, schema):
        if '$ref' in schema:
            return self.is_number(self.resolved(schema['$ref']))
        if 'anyOf' in schema:
            return any(self.is_number(branch) for branch in schema['anyOf'])
        kinds = schema.get('type', [])
        return bool({'number', 'integer'} & set([kinds] if isinstance(kinds, str) else kinds))

    def faults(self):
        """What is missing in the schemas: descriptions, units of numbers, closed objects, members that are there."""
        for place, member in self.members():
            if len(member.get('description', '')) < 4:
                yield f'{place} has no description'
            if self.is_number(member) and 'unit' not in member:
                yield f'{place} is a number without a unit ("1" where it has none)'
            unit = re.search(r'_(ms|ns|bytes|db)$', place)
            if unit and 'unit' in member and unit[1] != member['unit'].lower():
                yield f'{place} has the unit {member["unit"]}'
        for name, schema in self.whole['$defs'].items():
            yield from self.open_objects(schema, name)

    def open_objects(self, node, place):
        if isinstance(node, list):
            for item in node:
                yield from self.open_objects(item, place)
        if not isinstance(node, dict):
            return
        if isinstance(node.get('properties'), dict) and node.get('additionalProperties') is not False:
            yield f'{place}: an object with members {list(node["properties"])} takes others too'
        for name in node.get('required', []):
            if isinstance(node.get('properties'), dict) and name not in node['properties']:
                yield f'{place}: {name} is required and not described'
        for member in node.values():
            yield from self.open_objects(member, place)

    def problems(self, file, value):
        """What does not fit in `value`; members of it count as seen."""
        from jsonschema import Draft202012Validator
        schema = {'$ref': f'#/$defs/{file}{SUFFIX}', **self.whole}
        validator = Draft202012Validator(schema)
        found = self.reported(validator, file, value)
        if not found:
            self.note(validator, self.resolved(schema['$ref']), value, found)
        return found

    @staticmethod
    def reported(validator, file, value):
        return [f'{file}: {"/".join(map(str, error.absolute_path))}: {error.message[:300]}'
                for error in itertools.islice(validator.iter_errors(value), 5)]

    def note(self, validator, schema, value, found):
        """Marks members as seen; JSON within texts is validated here."""
        if '$ref' in schema:
            self.note(validator, self.resolved(schema['$ref']), value, found)
        for branch in schema.get('anyOf', []):
            if validator.evolve(schema={**branch, **self.whole}).is_valid(value):
                self.note(validator, branch, value, found)
        if isinstance(value, list) and 'items' in schema:
            for item in value:
                self.note(validator, schema['items'], item, found)
        if isinstance(value, dict):
            others = schema.get('additionalProperties')
            for name, item in value.items():
                member = schema.get('properties', {}).get(name)
                if member is not None:
                    self.seen.add(id(member))
                    self.note(validator, member, item, found)
                elif isinstance(others, dict):
                    self.note(validator, others, item, found)
        if 'contentSchema' in schema and isinstance(value, str):
            inner = json.loads(value)
            content = validator.evolve(schema={**schema['contentSchema'], **self.whole})
            found += self.reported(content, 'text', inner)
            self.note(validator, schema['contentSchema'], inner, found)

    def unseen(self):
        return [place for place, member in self.members() if id(member) not in self.seen]
