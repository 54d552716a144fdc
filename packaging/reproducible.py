#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reproducible.py [--build BUILD] [--units N | --all] [--jobs J]: compiling again gives the same bytes.

Copies the sources into a folder of another name, configures them as the build folder BUILD (default: build) is, and
compiles without a cache

- everything that is generated there (protobuf's, moc's and rcc's files, translations, pages of the help, icons),
- of each target that is shipped N units (default 2), spread over its list; --all: all of them, and both programs,

and compares every file with the one in BUILD, byte by byte. BUILD has to be up to date. What packing adds is compared
by package.sh --again. Prints a line for each target; exit code 1 where a file differs.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SHIPPED = re.compile(r"(core/CMakeFiles/lapidary_(core|foundation|operators|rules|reference|vector_\w+|engine|passes"
                     r"|tools|quantize)"
                     r"|app/CMakeFiles/(lapidary-cli|lapidary(_worker|_cli_commands|_workbench)?)"
                     r"|views/CMakeFiles/lapidary_(views|help))\.dir/")
GENERATED = re.compile(r"^(core/generated/|(app|views)/\w+_autogen/.*\.(cpp|h)$|views/.*\.(qm|cpp|inc)$"
                       r"|help/|resources/)")
PROGRAMS = ["bin/lapidary-cli", "bin/lapidary"]


def copy_sources(folder):
    def beside_the_sources(directory, names):
        top = pathlib.Path(directory) == SOURCE
        return [name for name in names if top and (name.startswith("build") or name == ".git") or name == "__pycache__"]
    shutil.copytree(SOURCE, folder, ignore=beside_the_sources, symlinks=True)


def configure(build, again):
    """As `build` is, without tests."""
    cache = dict(re.findall(r"^((?:LAPIDARY|CMAKE_(?:BUILD_TYPE|C(?:XX)?_FLAGS))\w*):\w+=(.*)$",
                            (build / "CMakeCache.txt").read_text(), re.M))
    commit = re.search(r'"(\w[\w-]*)"', (build / "app/build_commit.cpp").read_text())
    cache.update(LAPIDARY_TESTS="OFF", LAPIDARY_COMMIT=commit.group(1), LAPIDARY_CCACHE="LAPIDARY_CCACHE-NOTFOUND")
    cache.pop("LAPIDARY_TEST_DATA", None)
    settings = [f"-D{name}={value}" for name, value in cache.items() if value]
    subprocess.run(["cmake", "-G", "Ninja", "-S", again.parent, "-B", again, *settings], check=True,
                   stdout=subprocess.DEVNULL)


def compilations(build):
    """{object: (folder, command)} of a configured build folder, in its order."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        made = entry.get("output") or entry["command"].split(" -o ")[1].split()[0]
        found[made] = entry["directory"], entry["command"]
    return found


def units_of(build):
    """{target: its objects}, of what is shipped."""
    units = {}
    for made in compilations(build):
        found = SHIPPED.match(made)
        if found and "cmake_pch" not in made:
            units.setdefault(pathlib.Path(found.group(0)).stem, []).append(made)
    return {target: sorted(objects) for target, objects in units.items()}


def compile_units(again, objects, jobs, environment):
    """These alone: as steps of the build they would wait for libraries. Precompiled headers first."""
    commands = compilations(again)
    folders = {name[:name.index(".dir/") + 5] for name in objects}
    headers = [name for name in commands if "cmake_pch" in name and name[:name.index(".dir/") + 5] in folders]

    def compile_one(name):
        (again / name).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(commands[name][1], shell=True, check=True, cwd=commands[name][0], env=environment)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for batch in headers, objects:
            list(pool.map(compile_one, batch))


def write_generated(build, again, ninja, environment):
    """What compilations include; files by their own commands alone, for as steps they too would wait for libraries."""
    def told_by_ninja(*arguments):
        return subprocess.run(["ninja", "-C", again, "-t", *arguments], check=True, capture_output=True,
                              text=True).stdout.splitlines()
    targets = ["lapidary_views_autogen", "lapidary_workbench_autogen", "lapidary_autogen", "lapidary_icons"]
    subprocess.run([*ninja, *targets], check=True, env=environment)
    known = {line.split(": ")[0] for line in told_by_ninja("targets", "all")}
    files = {str(file.relative_to(build)) for folder in ("core/generated", "views/translations")
             for file in (build / folder).rglob("*")}
    done = set()
    for name in sorted(files & known, key=lambda name: (not name.endswith(".qm"), name)):
        for command in told_by_ninja("commands", "-s", name):
            if command not in done:
                subprocess.run(command, shell=True, check=True, cwd=again, env=environment, stdout=subprocess.DEVNULL)
                done.add(command)


def spread(objects, count):
    if count >= len(objects):
        return objects
    step = len(objects) / count
    return [objects[int(step * (i + 0.5))] for i in range(count)]


def shown(file):
    """The bytes that a compiler sees: rcc names the file that each resource comes from in a comment."""
    data = file.read_bytes()
    return re.sub(rb"(?m)^ *// /.*$", b"", data) if file.name.startswith("qrc_") and file.suffix == ".cpp" else data


def compare(title, build, again, names):
    different = [name for name in names if shown(build / name) != shown(again / name)]
    size = sum((again / name).stat().st_size for name in names)
    print(f"{title}: {len(names)} files, {size / 1e6:.2f} MB, {len(different) or 'none'} different", flush=True)
    for name in different:
        print(f"    {name}")
    return len(different)


def generated(again):
    names = (str(file.relative_to(again)) for file in again.rglob("*") if file.is_file())
    lists = (".qrc",)  # where rcc finds its files, by absolute paths
    return sorted(name for name in names
                  if GENERATED.match(name) and "CMakeFiles" not in name and not name.endswith(lists))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--units", type=int, default=2)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory(prefix="lapidary-again-") as scratch:
        again = pathlib.Path(scratch) / "some" / "other-folder" / "build"
        copy_sources(again.parent)
        configure(build, again)
        ninja = ["ninja", "-C", again, "-j", str(options.jobs), "--quiet"]
        environment = dict(os.environ, CCACHE_DISABLE="1", TZ="Asia/Kathmandu", LC_ALL="C.UTF-8")
        units = units_of(build)
        if options.all:
            chosen = units
            subprocess.run([*ninja, "lapidary_icons", *PROGRAMS], check=True, env=environment)
        else:
            del units["lapidary_help"]  # made of what the command line says
            chosen = {target: spread(objects, options.units) for target, objects in units.items()}
            write_generated(build, again, ninja, environment)
            compile_units(again, [name for objects in chosen.values() for name in objects], options.jobs, environment)
        failed = compare("generated", build, again, generated(again))
        for target, objects in chosen.items():
            failed += compare(f"{target} ({len(units[target])} units)", build, again, objects)
        if options.all:
            failed += compare("programs", build, again, PROGRAMS)
        count = sum(map(len, chosen.values()))
        print(f"{count} of {sum(map(len, units.values()))} units compiled again, in another folder: "
              f"{failed} files differ.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
