# SPDX-License-Identifier: Apache-2.0
"""Parts of BENCHMARKS.md, each with a heading of the second level: one for each machine, one for GPUs."""


def replaced(text, title, lines, before=""):
    """The report with `lines`, which begin with "## `title`", in the place of the part of that title; where it has
    none, before the part `before`, or at the end. Other parts stay as they are."""
    part = "\n".join(lines).rstrip("\n") + "\n"
    begin = text.find(f"\n## {title}\n")
    if begin < 0:
        begin = text.find(f"\n## {before}\n") if before else -1
        if begin < 0:
            return text.rstrip("\n") + "\n\n" + part
        return text[:begin + 1] + part + text[begin:]
    end = text.find("\n## ", begin + 1)
    return text[:begin + 1] + part + (text[end:] if end >= 0 else "")
