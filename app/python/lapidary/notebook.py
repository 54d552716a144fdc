# SPDX-License-Identifier: Apache-2.0
"""How models, reports, profiles, near misses and memory look in notebooks: plain HTML and SVG."""

from __future__ import annotations

import html
from typing import Any, Iterable, List, Optional, Sequence

from .results import interval_text, sentence_of

_BAR = "#4269d0"  # the blue of charts of the HTML report
_MOST_ROWS = 30
_WIDTH, _HEIGHT = 640, 160  # of drawings, in pixels


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return html.escape("" if value is None else str(value))


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """At most _MOST_ROWS rows, and how many are left out."""
    listed = list(rows)
    lines = ["<table><thead><tr>", *(f"<th>{_cell(name)}</th>" for name in head), "</tr></thead>"]
    for row in listed[:_MOST_ROWS]:
        lines.append("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>")
    lines.append("</table>")
    if len(listed) > _MOST_ROWS:
        lines.append(f"<p>and {len(listed) - _MOST_ROWS} more</p>")
    return "".join(lines)


def bytes_text(count: float) -> str:
    """ "1.5 MB" of 1500000."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(count) < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.3g} {unit}"
        count /= 1000
    return ""


def bars(names: Sequence[str], values: Sequence[float], unit: str) -> str:
    """An SVG with a bar for each value."""
    most = max(values, default=0) or 1
    row = 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" '
        f'height="{row * len(values) + 4}" font-size="12" font-family="sans-serif">'
    ]
    for i, (name, value) in enumerate(zip(names, values)):
        y, width = i * row, max(value / most * 320, 1)
        parts.append(
            f'<text x="196" y="{y + 14}" text-anchor="end" fill="currentColor">{_cell(name)}</text>'
            f'<rect x="202" y="{y + 3}" width="{width:.1f}" height="14" fill="{_BAR}"/>'
            f'<text x="{206 + width:.1f}" y="{y + 14}" fill="currentColor">'
            f"{value:.4g} {_cell(unit)}</text>"
        )
    return "".join([*parts, "</svg>"])


def steps_curve(values: Sequence[float], title: str, peak: int) -> str:
    """An SVG of values over the steps of a run; ``peak``: the step that the title names."""
    most = max(values, default=0) or 1
    left, top = 8, 20
    width, height = _WIDTH - 2 * left, _HEIGHT - top - 8
    points: List[str] = [f"{left},{top + height}"]
    for i, value in enumerate(values):
        y = top + height * (1 - value / most)
        points.append(f"{left + width * i / len(values):.1f},{y:.1f}")
        points.append(f"{left + width * (i + 1) / len(values):.1f},{y:.1f}")
    points.append(f"{left + width},{top + height}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'font-size="12" font-family="sans-serif">'
        f'<text x="{left}" y="14" fill="currentColor">{_cell(title)}: at most {bytes_text(most)}, '
        f"at step {peak} of {len(values)}</text>"
        f'<polygon points="{" ".join(points)}" fill="{_BAR}" fill-opacity="0.6" stroke="{_BAR}"/>'
        "</svg>"
    )


def html_of_model(info: Any) -> str:
    """Inputs, outputs and operators of Model.info()."""
    ports = [("input", p.name, p.type) for p in info.inputs]
    ports += [("output", p.name, p.type) for p in info.outputs]
    operators = sorted(info.operators.to_dict().items(), key=lambda item: -item[1])
    return (
        f"<p><b>{_cell(info.graph)}</b>: {info.nodes} nodes, {info.parameters:,} parameters, "
        f"{bytes_text(info.weight_bytes)} of weights</p>"
        + _table(("", "name", "type"), ports)
        + bars([name for name, _ in operators[:12]], [n for _, n in operators[:12]], "nodes")
    )


def html_of_report(report: Any) -> str:
    """Passes that did something, and near misses, the dearest first."""
    passes = [
        (p["pass"], p.level, p.applied, p.missed, p.node_change)
        for p in report.passes
        if p.get("applied") or p.get("missed")
    ]
    misses = [
        (g["pass"], g.reason, g.places, "" if g.share is None else f"{100 * g.share:.1f} %")
        for g in report.near_miss_groups
    ]
    text = (
        f"<p>{_cell(report.level)}: {report.nodes_before} nodes became {report.nodes_after}</p>"
        + _table(("pass", "level", "applied", "missed", "nodes"), passes)
    )
    if misses:
        measured = all(g.share_is_measured for g in report.near_miss_groups)
        share = "of the time" if measured else "of the time (estimated)"
        text += "<p>near misses</p>" + _table(("pass", "why not", "places", share), misses)
    return text


def _html_of_profile(result: Any) -> str:
    shown = result.operators[:12]
    return f"<p>{_cell(result.verdict)}</p>" + bars(
        [row.operator for row in shown], [row.self_ms for row in shown], "ms"
    )


def _html_of_memory(result: Any) -> str:
    # What steps need; the rest of the memory that a session holds is the same at every step.
    steps = [s.activations + s.outputs + s.workspace for s in result.steps]
    curve = steps_curve(steps, "memory that steps need", result.peak_step)
    return f"<p>{_cell(result.verdict)}</p>" + curve


def _median_of(measured: Any) -> str:
    """The median and its interval; empty where nothing was measured."""
    median = measured.get("median_ms")
    return "" if median is None else interval_text(median, measured.get("ci_ms"), "ms")


def _html_of_bench(result: Any) -> str:
    """A row for each configuration: the median with its interval, the rate, the ratio."""
    rows: List[Sequence[Any]] = []
    for row in result.configurations:
        ours, ratio = row.get("ours"), row.get("ratio")
        sizes = ", ".join(f"{name} {row.sizes[name]}" for name in row.get("sizes") or [])
        time = rate = note = ""
        if ours is not None:
            time = _median_of(ours)
            rate, note = ours.get("per_second"), ours.get("note")
        faster = "" if ratio is None else interval_text(ratio.median, ratio.get("ci"))
        rows.append((row.model, row.get("level"), row.get("threads"), sizes, time, rate, faster,
                     row.get("error") or note))  # fmt: skip
    against = result.get("options", {}).get("against") or ""
    head = ["model", "level", "threads", "sizes", "median [95 %]", "per second"]
    head += [f"time of {against} by ours", "note"]
    if not against:
        head.pop(6)
        rows = [[*row[:6], *row[7:]] for row in rows]
    return _table(head, rows)


def _html_of_comparison(result: Any) -> str:
    """The sentence, and both models: median with its interval, what a run takes."""
    rows = [
        (key.upper(), side.name, side.nodes, _median_of(side),
         side.get("note"))
        for key, side in (("a", result.a), ("b", result.b))
    ]  # fmt: skip
    difference = result.difference
    ratio = interval_text(difference.ratio, difference.get("ci"))
    text = f"<p>{_cell(difference.sentence)}</p><p>B takes {_cell(ratio)} times the time of A</p>"
    text += _table(("", "model", "nodes", "median [95 %]", "note"), rows)
    for name, head in (
        ("outputs", ("name", "matches", "max_abs", "max_rel")),
        ("operators", ("operator", "a_ms", "b_ms", "change_ms")),
    ):
        shown = result.get(name) or []
        text += f"<p>{name}</p>" + _table(head, ([r.get(k) for k in head] for r in shown))
    return text


def _html_of_quantization(result: Any) -> str:
    """The verdict, what warns of its use, bytes before and after, and how far outputs moved."""
    text = f"<p><b>{_cell(sentence_of(result.to_dict()))}</b></p>"
    text += "".join(f"<p>{_cell(note)}</p>" for note in result.get("warnings") or [])
    size, times = result.get("constant_bytes"), result.get("times")
    rows: List[Sequence[Any]] = []
    if size is not None:
        rows.append(("bytes of weights", bytes_text(size.before), bytes_text(size.after)))
    if times is not None:
        rows.append(("ms of a run", times.original_ms, times.quantized_ms))
    text += _table(("", "before", "after"), rows)
    head = ("name", "sqnr_db", "cosine", "max_abs", "flips")
    outputs = result.get("outputs") or []
    text += "<p>outputs</p>" + _table(head, ([r.get(k) for k in head] for r in outputs))
    kept = [(row.node, row.reason) for row in result.get("nodes") or [] if not row.quantized]
    return text + f"<p>{len(kept)} nodes stay as they are</p>" + _table(("node", "why"), kept)


def html_of_pair(model: Any, report: Any) -> str:
    """A model that was made, and the report on how: what optimize() and quantize() give."""
    return ("" if model is None else html_of_model(model.info())) + str(report._repr_html_())


def _drawing_of(result: Any) -> Optional[str]:
    """What is made for the results of a command; None: nothing fits."""
    kind = result._kind
    if kind == "profile" and "operators" in result:
        return _html_of_profile(result)
    if kind == "memory" and "steps" in result:
        return _html_of_memory(result)
    if kind == "info":
        return html_of_model(result)
    if kind == "bench" and any("ours" in row for row in result.get("configurations") or []):
        return _html_of_bench(result)
    if kind == "compare" and result.get("difference") is not None:
        return _html_of_comparison(result)
    if kind == "quantize" and "verdict" in result:
        return _html_of_quantization(result)
    return None


def html_of_result(result: Any) -> str:
    """Any result: a drawing where there is one for its command, else its members as tables."""
    drawing = _drawing_of(result)
    if drawing is not None:
        return drawing
    sentence = sentence_of(result.to_dict())
    plain = [(n, result[n]) for n in result if not isinstance(result[n], (list, type(result)))]
    text = (f"<p>{_cell(sentence)}</p>" if sentence else "")
    text += _table(("", ""), plain) if plain else ""
    for name in result.tables():
        rows = result.rows(name)
        head = [key for key in rows[0] if not isinstance(rows[0][key], (list, dict))]
        text += f"<p>{_cell(name)}</p>" + _table(head, ([r.get(k) for k in head] for r in rows))
    return text
