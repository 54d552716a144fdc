# SPDX-License-Identifier: Apache-2.0
"""The pages that newcomers meet first: their sizes, their links, and that BENCHMARKS.md and the README's table are made of
what was measured.

    front_door_test.py SOURCE
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(source / "tests" / "benchmarks"))
import result_pages

MOST_BYTES = {"README.md": 8192, "BENCHMARKS.md": 16384}
PAGES = ["README.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSES/README.md"] + [
    f"{folder}/README.md" for folder in ("app", "core", "packaging", "plugins", "resources", "tests", "views")]
MADE = {"command-line.md", "passes.md", "json-formats.md"}  # help pages that the build makes
problems = []


def links_of(page):
    text = re.sub(r"```.*?```", "", (source / page).read_text(), flags=re.S)
    return re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)


for page in PAGES:
    if not (source / page).exists():
        problems.append(f"{page} is missing")
        continue
    for link in links_of(page):
        target = (source / page).parent / link
        if not re.match(r"\w+:", link) and not target.exists() and target.name not in MADE:
            problems.append(f"{page}: there is no {link}")
for page, most in MOST_BYTES.items():
    size = (source / page).stat().st_size
    if size > most:
        problems.append(f"{page} has {size} bytes, at most {most} are meant for it")
results = source / result_pages.RESULTS
for file, made in ((source / "BENCHMARKS.md", result_pages.report(results)),
                   (results / "speed.svg", result_pages.chart(results))):
    if file.read_text() != made:
        problems.append(f"{file.name} is not what tests/benchmarks/result_pages.py makes of {result_pages.RESULTS}")
if "\n".join(result_pages.short_table(results)) not in (source / "README.md").read_text():
    problems.append("README.md: the table under \"How fast\" is not result_pages.short_table()")
print("\n".join(problems) or f"{len(PAGES)} pages, their links and figures: fine")
sys.exit(bool(problems))
