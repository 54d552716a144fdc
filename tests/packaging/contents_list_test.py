#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""contents_list_test.py SOURCE: packaging/contents_list.py lists contents of archives and refuses forbidden ones.

Archives of a file with the list of packages in it stand for real ones:
- the document (SPDX 2.3) describes each archive by its checksum, and every library in it with its licence;
- a library under the GPL is taken in the window's bundle and refused in the command line's archive;
- an installer for Windows has what is said to be linked into it, in the versions of the sources;
- a library with an unknown licence is refused;
- the same archives give the same document.
77: there is no dpkg, or no zstd.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
GPL, UNKNOWN = "libqcustomplot2.1-qt6", "libnobody0"
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def archive(folder, name, packages):
    inside = folder / "tree" / name / "licences"
    inside.mkdir(parents=True, exist_ok=True)
    (inside / "packages.txt").write_text("\n".join(packages) + "\n")
    subprocess.run(["tar", "--zstd", "-C", folder / "tree", "-cf", folder / f"{name}.tar.zst", name], check=True)


def list_contents(**archives):
    """(exit code, what it says, the document, the text) for archives of these packages, {name: packages}."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        packages = scratch / "packages"
        packages.mkdir()
        for name, held in archives.items():
            archive(scratch, name, held)
            shutil.move(scratch / f"{name}.tar.zst", packages)
        ended = subprocess.run(
            [sys.executable, SOURCE / "packaging/contents_list.py", "--build", scratch / "no-build",
             "--version", "1.2.3", "--packages", packages], capture_output=True, text=True,
            env=dict(os.environ, SOURCE_DATE_EPOCH="86400"))
        document, text = packages / "lapidary-1.2.3.spdx.json", packages / "lapidary-1.2.3.licences.txt"
        sums = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in packages.glob("*.zst")}
        return (ended.returncode, ended.stderr, json.loads(document.read_text()) if document.exists() else None,
                text.read_text() if text.exists() else "", sums)


def list_installer(linked):
    """(exit code, the document) for an installer whose program has these source packages inside."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "packages").mkdir()
        (scratch / "packages/lapidary-cli-1.2.3-x86_64-setup.exe").write_text("an installer")
        for name in linked:
            (scratch / "sources" / name / "debian").mkdir(parents=True)
            (scratch / "sources" / name / "debian/changelog").write_text(f"{name} (4.5-6~x) bookworm; urgency=low\n")
        ended = subprocess.run(
            [sys.executable, SOURCE / "packaging/contents_list.py", "--version", "1.2.3",
             "--packages", scratch / "packages", "--sources", scratch / "sources", "--linked", *linked],
            capture_output=True, text=True, env=dict(os.environ, SOURCE_DATE_EPOCH="86400"))
        return ended.returncode, json.loads((scratch / "packages/lapidary-1.2.3.spdx.json").read_text())


def check_installer():
    code, document = list_installer(["zlib", "fmtlib"])
    versions = {p["name"]: p["versionInfo"] for p in document["packages"]}
    expect(code == 0, "an installer of zlib and fmt is refused")
    expect(versions == {"lapidary-cli-1.2.3-x86_64-setup.exe": "1.2.3", "zlib": "4.5-6~x", "fmtlib": "4.5-6~x"},
           f"an installer's list: {versions}")
    expect(list_installer([UNKNOWN])[0] == 1, "a library of unknown licence in an installer is taken")


def check_document(document, sums):
    packages = {p["SPDXID"]: p for p in document["packages"]}
    expect(document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0", "it is not SPDX 2.3")
    expect(document["creationInfo"]["created"] == "1970-01-02T00:00:00Z", "the time is not SOURCE_DATE_EPOCH")
    expect(len(document["documentDescribes"]) == len(sums), "not every archive is described")
    for identity in document["documentDescribes"]:
        entry = packages[identity]
        expect(entry["checksums"][0]["checksumValue"] == sums[entry["name"]], f"{entry['name']}: another checksum")
    for relation in document["relationships"]:
        for end in ("spdxElementId", "relatedSpdxElement"):
            expect(relation[end] in packages, f"{relation[end]} is named and not described")
    named = {r["relatedSpdxElement"] for r in document["relationships"]} | set(document["documentDescribes"])
    expect(named == set(packages), f"described and not named: {sorted(set(packages) - named)}")
    for package in packages.values():
        expect(package["licenseDeclared"] != "NOASSERTION", f"{package['name']} has no licence")
    expect("SPDXRef-debian-libpng16-16" in packages, "libpng is in the archive and not in the document")


def main():
    if not shutil.which("dpkg-query") or not shutil.which("zstd"):
        print("there is no dpkg to ask, or no zstd")
        return 77
    cli, window = "lapidary-cli-1.2.3-x86_64", "lapidary-1.2.3-x86_64"
    allowed = {cli: ["libpng16-16", "zlib1g"], window: ["libpng16-16", GPL]}
    code, said, document, text, sums = list_contents(**allowed)
    expect(code == 0, f"what is allowed is refused: {said}")
    check_document(document, sums)
    expect(f"{cli}.tar.zst: Apache-2.0" in text and "holds        zlib1g" in text, f"the list is not whole:\n{text}")
    expect(list_contents(**allowed)[3] == text, "the same archives give another list")
    code, said, *_ = list_contents(**{cli: ["zlib1g", GPL]})
    expect(code == 1 and GPL in said and cli in said, f"{GPL} in the command line's archive is taken: {code}, {said}")
    code, said, *_ = list_contents(**{window: [UNKNOWN]})
    expect(code == 1 and UNKNOWN in said, f"a library of unknown licence is taken: {code}, {said}")
    check_installer()
    print(*problems, sep="\n")
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
