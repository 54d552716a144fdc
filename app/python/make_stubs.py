# SPDX-License-Identifier: Apache-2.0
"""Writes lapidary/__init__.pyi of a built package: the commands as functions with their options.

    make_stubs.py FOLDER SCHEMAS

FOLDER has the module _engine, which describes the commands; SCHEMAS has the JSON schemas of what they print, whose
members become attributes with types and units.
"""
import importlib.util
import json
import keyword
import pathlib
import re
import sys

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Made by app/python/make_stubs.py of the commands that the module _engine describes.
import os
from typing import Any, Callable, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from . import errors as errors
from . import farm as farm
from ._engine import Tensor as Tensor
from .commands import option_names as option_names
from .errors import (
    CancelledError as CancelledError, CheckFailedError as CheckFailedError, Error as Error,
    InternalError as InternalError, InvalidInputError as InvalidInputError,
    InvalidModelError as InvalidModelError, IoError as IoError,
    LimitExceededError as LimitExceededError, MissingFileError as MissingFileError,
    NotSupportedError as NotSupportedError, ProcessEndedError as ProcessEndedError,
    UsageError as UsageError,
)
from .model import Model as Model, Optimized as Optimized, Quantized as Quantized, Report as Report
from .results import Result as Result
from .session import Session as Session

__version__: str
_Path = Union[str, "os.PathLike[str]"]
_Model = Union[Model, _Path]
_Progress = Optional[Callable[[str, Optional[float]], Any]]
_Value = Union[str, int, float, bool, "os.PathLike[str]", None]
_Values = Union[_Value, Sequence[_Value], Mapping[str, Any]]

def open(path: _Path, channel_block: int = 0, on_progress: _Progress = None) -> Model: ...
def samples() -> List[Tuple[str, str]]: ...
'''
PLAIN = {'string': 'str', 'integer': 'int', 'number': 'float', 'boolean': 'bool', 'null': 'None'}
# Members of the class Result: as attributes they are those.
OF_RESULT = {'exit_code', 'get', 'keys', 'rows', 'tables', 'to_dict', 'to_json', 'to_pandas', 'to_polars'}
NOT_FUNCTIONS = {'serve', 'mcp', 'completion', 'man', 'farm'}
LEFT_OUT = {'--help', '--json', '--quiet'}


class Schemas:
    """Types of results, one class for each object that a schema describes."""

    def __init__(self, folder):
        self.folder, self.loaded, self.classes = folder, {}, []

    def load(self, file):
        if file not in self.loaded:
            self.loaded[file] = json.loads((self.folder / file).read_text(encoding='utf-8'))
        return self.loaded[file]

    def resolved(self, schema, file):
        """The schema that a $ref leads to, and its file."""
        while '$ref' in schema:
            place, _, path = schema['$ref'].partition('#')
            file = place or file
            schema = self.load(file)
            for name in filter(None, path.split('/')):
                schema = schema[name]
        return schema, file

    def type_of(self, schema, file, name, depth=0):
        """A type in words of Python; `name` is that of the class of an object."""
        schema, file = self.resolved(schema, file)
        if 'enum' in schema:
            return f'Literal[{", ".join(map(repr, schema["enum"]))}]'
        kinds = schema.get('type', 'any')
        types = [self.one_type(kind, schema, file, name, depth)
                 for kind in (kinds if isinstance(kinds, list) else [kinds])]
        return types[0] if len(types) == 1 else f'Union[{", ".join(types)}]'

    def one_type(self, kind, schema, file, name, depth):
        if kind == 'array' and isinstance(schema.get('items'), dict):
            return f'List[{self.type_of(schema["items"], file, name, depth)}]'
        if kind == 'object' and schema.get('properties') and depth < 5:
            self.add_class(schema, file, name, depth)
            return name
        return PLAIN.get(kind, 'Result' if kind == 'object' else 'Any')

    def add_class(self, schema, file, name, depth):
        lines = [f'class {name}(Result):']
        for member, described in schema['properties'].items():
            inner = name + ''.join(word.title() for word in re.split(r'\W+|_', member))
            type_name = self.type_of(described, file, inner, depth + 1)
            if not member.isidentifier() or member in OF_RESULT:
                continue
            unit = f' ({described["unit"]})' if 'unit' in described else ''
            comment = described.get('description', '').replace('\n', ' ')
            member += '_' if keyword.iskeyword(member) else ''
            lines += ['    @property', f'    def {member}(self) -> {type_name}: ...  # {comment}{unit}']
        if all(f'class {name}(' not in known for known in self.classes):
            self.classes.append('\n'.join(lines) + '\n')

    def result_of(self, command):
        """The class of what a command prints: with the members of all forms that its schema has."""
        file = f'{command}.schema.json'
        if not (self.folder / file).exists():
            return 'Result'
        whole = self.load(file)
        forms = [self.resolved(form, file)[0] for form in whole.get('anyOf', [whole])]
        members = {}
        for form in forms:
            for name, described in form.get('properties', {}).items():
                is_new = name not in members or members[name] == described
                members[name] = described if is_new else {'description': described.get('description', '')}
        if not members:
            return 'Result'
        name = command.title() + 'Result'
        self.add_class({'properties': members}, file, name, 0)
        return name


def argument_of(option):
    name = option['names'][-1].lstrip('-').replace('-', '_')
    name += '_' if keyword.iskeyword(name) else ''
    if not option['value_name']:
        return f'{name}: Optional[bool] = None'
    several = option['is_repeatable'] or option['takes_list']
    return f'{name}: {"_Values" if several else "_Value"} = None'


def function_of(command, schemas):
    options = command['options']
    has_json = any('--json' in option['names'] for option in options)
    words = [argument_of(option) for option in options
             if not option['is_positional'] and option['names'][-1] not in LEFT_OUT]
    lines = [f'def {command["name"]}(', '    *models: _Model,', '    on_progress: _Progress = None,']
    lines += [f'    {word},' for word in words]
    lines.append(f') -> {schemas.result_of(command["name"]) if has_json else "str"}:')
    lines.append(f'    """{command["summary"]}."""')
    return '\n'.join(lines) + '\n'


def main():
    folder = pathlib.Path(sys.argv[1])
    module = next(folder.glob('_engine*.so'))
    spec = importlib.util.spec_from_file_location('_engine', module)
    engine = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(engine)
    commands = [c for c in engine.commands() if c['name'] not in NOT_FUNCTIONS]
    schemas = Schemas(pathlib.Path(sys.argv[2]))
    functions = ''.join(function_of(command, schemas) for command in commands)
    (folder / '__init__.pyi').write_text(HEAD + ''.join(schemas.classes) + functions, encoding='utf-8')


if __name__ == '__main__':
    main()
