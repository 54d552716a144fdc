#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""contents_list.py [--build BUILD] [--version V --packages FOLDER]: what is inside, and under which licence.

Looks up the Debian package of each library that the two programs of BUILD load, and of the headers compiled into them;
with --packages also what the packages in FOLDER depend on or hold, and writes FOLDER/lapidary-V.spdx.json (SPDX 2.3)
and FOLDER/lapidary-V.licences.txt. The contents of an installer for Windows cannot be listed: --linked names Debian's
source packages, unpacked in the folder --sources, whose libraries its program has inside. Fails where

- a package has no line in licences.json: its licence has to be read first;
- something under the GPL is part of what is given away under Apache-2.0 alone: command line and engine;
- the table of LICENSES/README.md does not name a library that a program links.

Times come from SOURCE_DATE_EPOCH: the same packages give the same list. 77: there is no dpkg to ask.
"""
import argparse
import datetime
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CUDA = "cuda-cudart"  # NVIDIA's runtime of the toolkit, linked into the plugin for its devices
COMPILED_IN = ["nlohmann-json3-dev", "libfmt-dev", "libhwy-dev", "libcli11-dev", "libprotobuf-dev"]


LICENCES = {"lapidary": "GPL-3.0-or-later AND Apache-2.0", "lapidary-cli": "Apache-2.0",
            "lapidary-cuda": "Apache-2.0 AND LicenseRef-NVIDIA-CUDA-EULA"}
NVIDIA_TERMS = {"licenseId": "LicenseRef-NVIDIA-CUDA-EULA",
                "extractedText": "License Agreement for the NVIDIA CUDA Toolkit, https://docs.nvidia.com/cuda/eula/"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_under_gpl(expression):
    """Whether no choice of the expression does without the GPL; the exception for GCC's libraries lifts it."""
    def binds(term):
        return re.match(r"A?GPL-", term) is not None and "GCC-exception" not in term
    return all(any(binds(term.strip()) for term in choice.split(" AND ")) for choice in expression.split(" OR "))


class Licences:
    def __init__(self):
        self.lines = {k: v for k, v in json.loads((SOURCE / "packaging/licences.json").read_text()).items() if k}
        self.unknown = set()

    def of(self, package):
        if package in self.lines:
            return self.lines[package]
        for pattern, line in self.lines.items():
            if fnmatch.fnmatchcase(package, pattern):
                return line
        self.unknown.add(package)
        return {"licence": "NOASSERTION"}


def linked(program):
    """Debian packages of the libraries that the program names itself."""
    names = re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program))
    paths = dict(re.findall(r"^\s*(\S+) => (\S+) ", run("ldd", program), re.M))
    packages = set()
    for name in names:
        if name in paths:
            packages.add(owner(paths[name]))
    return packages - {"libc6", "libgcc-s1", "libstdc++6"}


def owner(path):
    for candidate in (os.path.realpath(path), path, "/usr" + path):
        found = subprocess.run(["dpkg", "-S", candidate], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0].split(",")[0]
    raise SystemExit(f"contents_list.py: no package has {path}")


def version_of(package, sources=None):
    """Of a package of this machine, or of a source package that is unpacked in `sources`."""
    changes = sources / package / "debian/changelog" if sources else None
    if changes and changes.exists():
        return re.match(r"\S+ \((.*?)\)", changes.read_text())[1]
    found = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    return found.stdout if found.returncode == 0 else ""


def held_by(file, programs, linked_in):
    """(relation, packages) of a package file; linked_in is what an installer's program has inside."""
    name = file.name
    if name.endswith(".exe"):
        return "CONTAINS", set(linked_in)
    if name.endswith(".rpm"):
        return "DEPENDS_ON", linked(str(programs[part_of(file)]))
    if name.endswith(".run"):  # the bundle, unpacking itself
        file = file.with_suffix(".tar.zst")
        name = file.name
    if name.endswith(".deb"):
        depends = run("dpkg-deb", "-f", str(file), "Depends")
        names = {re.split(r"[ (|]", part.strip())[0] for part in depends.split(",") if part.strip()}
        return "DEPENDS_ON", {n for n in names if not n.startswith(("lapidary", "liblapidary"))}
    member = name[: -len(".tar.zst")] + "/licences/packages.txt"
    return "CONTAINS", set(run("tar", "--zstd", "-xOf", str(file), member).split())


def part_of(file):
    """Which of the programs, or the plugin "lapidary-cuda", a package file is about."""
    found = re.match(r"lapidary-(cli|cuda)", file.name)
    return found[0] if found else "lapidary-cli" if file.name.startswith("liblapidary") else "lapidary"


def is_window(file):
    return part_of(file) == "lapidary"


def compiled_in(file):
    if file.name.endswith(".exe"):
        return []  # among what is linked
    return [CUDA] if part_of(file) == "lapidary-cuda" else COMPILED_IN


def cuda_version(build):
    for file in build.glob("CMakeFiles/*/CMakeCUDACompiler.cmake"):
        return re.search(r'CMAKE_CUDA_COMPILER_VERSION "(.*)"', file.read_text())[1]
    return ""


def spdx(version, files, licences, held, toolkit, sources):
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages, relations, documents = [], [], []
    def identity(name):
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
    for file in files:
        packages.append({
            "SPDXID": identity(file.name), "name": file.name, "versionInfo": version, "packageFileName": file.name,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "copyrightText": "2026 The Lapidary authors",
            "licenseConcluded": "NOASSERTION",
            "licenseDeclared": LICENCES[part_of(file)],
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(file.read_bytes()).hexdigest()}]})
        documents.append(identity(file.name))
        relation, names = held[file]
        for name in sorted(names):
            relations.append((identity(file.name), relation, identity("debian-" + name)))
        for name in compiled_in(file):
            relations.append((identity(file.name), "CONTAINS", identity("debian-" + name)))
    inside = {name for file in files for name in [*held[file][1], *compiled_in(file)]}
    if CUDA in inside:
        packages.append({
            "SPDXID": identity("debian-" + CUDA), "name": CUDA, "versionInfo": toolkit,
            "supplier": "Organization: NVIDIA", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licences.of(CUDA)["licence"],
            "copyrightText": "NOASSERTION"})
    for name in sorted(inside - {CUDA}):
        from_source = sources and (sources / name).exists()
        found = version_of(name, sources)
        packages.append({
            "SPDXID": identity("debian-" + name), "name": name, "versionInfo": found,
            "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licences.of(name)["licence"],
            "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{name}@{found}" +
                                                  ("?arch=source" if from_source else "")}]})
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"lapidary-{version}", "documentNamespace": f"urn:lapidary:{version}:{int(made.timestamp())}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: contents_list.py"]},
        "hasExtractedLicensingInfos": [{
            "licenseId": "LicenseRef-public-domain", "extractedText": "Dedicated to the public domain."},
            *([NVIDIA_TERMS] if CUDA in inside else [])],
        "documentDescribes": documents, "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": r, "relatedSpdxElement": b}
                          for a, r, b in relations]}


def table(files, licences, held):
    lines = ["What is in the packages of Lapidary, or loaded by them, and under which licence.", ""]
    for file in files:
        relation, names = held[file]
        licence = "GPL-3.0-or-later, with parts under Apache-2.0" if is_window(file) else "Apache-2.0"
        lines.append(f"{file.name}: {licence}")
        for name in compiled_in(file):
            lines.append(f"  compiled in  {name:28} {licences.of(name)['licence']}")
        for name in sorted(names):
            word = "holds" if relation == "CONTAINS" else "loads"
            lines.append(f"  {word:11}  {name:28} {licences.of(name)['licence']}")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("no-build"))
    parser.add_argument("--version")
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--linked", nargs="*", default=[])
    parser.add_argument("--sources", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("dpkg-query"):
        print("there is no dpkg here to ask")
        return 77
    licences, problems = Licences(), []
    named = (SOURCE / "LICENSES" / "README.md").read_text()
    programs = {name: options.build / "bin" / name for name in ("lapidary-cli", "lapidary")}
    for name, program in programs.items():
        if not program.exists():
            continue
        for package in sorted(linked(str(program)) | set(COMPILED_IN)):
            line = licences.of(package)
            if is_under_gpl(line["licence"]) and name == "lapidary-cli":
                problems.append(f"{name} is under Apache-2.0 and links {package}, which is under {line['licence']}")
            called = line.get("name", package)
            if called not in named:
                problems.append(f"{name} links {package}: LICENSES/README.md does not name {called}")
    programs["lapidary-cuda"] = options.build / "plugins/cuda/device/cuda.so"
    if options.packages:
        kinds = (".deb", ".rpm", ".zst", ".run", ".exe")
        files = sorted(f for f in options.packages.iterdir() if f.name.endswith(kinds))
        held = {file: held_by(file, programs, options.linked) for file in files}
        for file in files:
            for package in sorted(held[file][1]):
                licence = licences.of(package)["licence"]
                if is_under_gpl(licence) and not is_window(file):
                    problems.append(f"{file.name} is under Apache-2.0 and has {package}, which is under {licence}")
        stem = options.packages / f"lapidary-{options.version}"
        toolkit = cuda_version(options.build)
        document = spdx(options.version, files, licences, held, toolkit, options.sources)
        pathlib.Path(f"{stem}.spdx.json").write_text(json.dumps(document, indent=1, sort_keys=True) + "\n")
        pathlib.Path(f"{stem}.licences.txt").write_text(table(files, licences, held))
    problems += [f"{package} has no line in packaging/licences.json" for package in sorted(licences.unknown)]
    for problem in problems:
        print(f"contents_list.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
