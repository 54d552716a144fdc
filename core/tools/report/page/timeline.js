// SPDX-License-Identifier: Apache-2.0
// Timelines: lanes of bars over one axis of time, and the bytes held below.
for (const place of document.querySelectorAll("div.timeline")) {
  const timeline = data.sides[Number(place.dataset.side)].timeline;
  if (!timeline) continue;
  const unit = timeline.unit_ns / 1e6, laneHeight = 24, header = 24, labelWidth = 118,
        memoryHeight = timeline.memory.length > 1 ? 64 : 0;
  const familyOfOp = new Map();
  const graph = data.sides[Number(place.dataset.side)].graph;
  if (graph) for (const node of graph.nodes) familyOfOp.set(text(node[1]), text(node[2]));
  for (const lane of timeline.lanes) {
    let at = 0;
    lane.begin = lane.begin.map((step) => (at += step));
    lane.longest = lane.length.reduce((high, length) => Math.max(high, length), 0);
  }
  let from = 0, to = timeline.end, selected = null;
  const tools = make("div", {class: "tools"}), note = make("span", {class: "note", "aria-live": "polite"});
  const showRun = button("Typical run", "Shows the run whose time is the median", () => show(...typical()));
  tools.append(
      button("All", "Shows the whole recording (F)", () => show(0, timeline.end)), showRun,
      button("+", "Zooms in (+)", () => zoomBy(1.6)), button("−", "Zooms out (-)", () => zoomBy(1 / 1.6)), note);
  place.append(tools);
  const height = header + laneHeight * timeline.lanes.length + memoryHeight + 8;
  const surface = addCanvas(
      place, height,
      place.dataset.label + ". The table of nodes has the times. Arrow keys move, + and - zoom, F shows everything.",
      paint);
  place.lapidary = {bars: () => timeline.lanes.reduce((sum, lane) => sum + lane.begin.length, 0)};

  /// The run nearest to the median.
  function typical() {
    const runs = timeline.lanes.find((lane) => lane.kind === 0);
    if (!runs || runs.begin.length === 0 || runs.merged) return timeline.detail;
    const order = runs.length.map((length, i) => [length, i]).sort((a, b) => a[0] - b[0]),
          i = order[(order.length - 1) >> 1][1];
    return [runs.begin[i], runs.begin[i] + runs.length[i]];
  }
  function show(begin, end) {
    const margin = (end - begin) * 0.01;
    from = Math.max(0, begin - margin);
    to = Math.min(timeline.end, Math.max(end + margin, from + 10));
    surface.redraw();
  }
  function zoomBy(factor, x = surface.canvas.clientWidth / 2) {
    const middle = timeAt(x), span = Math.min(timeline.end, Math.max(20, (to - from) / factor)),
          share = (middle - from) / (to - from);
    from = Math.max(0, Math.min(timeline.end - span, middle - share * span));
    to = from + span;
    surface.redraw();
  }
  const plotWidth = () => Math.max(1, surface.canvas.clientWidth - labelWidth);
  const timeAt = (x) => from + (x - labelWidth) / plotWidth() * (to - from);
  function colorOf(lane, i, colors) {
    if (lane.kind === 0) return colors.accent;
    return colors[familyOfOp.get(text(lane.op[i])) || "other"];
  }
  /// First bar that may reach into the view: bars of a lane begin in order, none is longer than `longest`.
  function firstOf(lane, time) {
    let low = 0, high = lane.begin.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane.begin[middle] < time - lane.longest) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function paint(context, width) {
    const colors = {
      accent: color("accent"),
      ink: color("ink"),
      soft: color("soft"),
      line: color("line"),
      card: color("card"),
      bar: color("bar")
    };
    for (const family of families) colors[family] = color(family);
    const x = (time) => labelWidth + (time - from) / (to - from) * plotWidth();
    context.font = "11px system-ui, sans-serif";
    // the ruler
    const wanted = (to - from) * unit / plotWidth() * 90, power = Math.pow(10, Math.floor(Math.log10(wanted)));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wanted) || wanted;
    context.textAlign = "left";
    for (let ms = Math.ceil(from * unit / step) * step; ms <= to * unit; ms += step) {
      const at = x(ms / unit);
      context.fillStyle = colors.line;
      context.fillRect(at, 0, 1, height);
      context.fillStyle = colors.soft;
      const decimals = Math.max(0, -Math.floor(Math.log10(step)));
      context.fillText(ms.toFixed(decimals) + " ms", at + 4, 15);
    }
    // bars: of those that share a pixel, one is drawn
    context.save();
    context.beginPath();
    context.rect(labelWidth, 0, plotWidth(), height);
    context.clip();
    timeline.lanes.forEach((lane, row) => {
      const top = header + row * laneHeight + 2, high = laneHeight - 5;
      let painted = -1;
      for (let i = firstOf(lane, from); i < lane.begin.length && lane.begin[i] <= to; ++i) {
        const end = lane.begin[i] + lane.length[i];
        if (end < from) continue;
        const left = x(lane.begin[i]), wide = Math.max(x(end) - left, 1);
        if (left + wide <= painted) continue;
        painted = Math.floor(left + wide);
        context.fillStyle = colorOf(lane, i, colors);
        context.globalAlpha = lane.merged && lane.merged[i] > 1 ? 0.55 : 0.9;
        context.fillRect(left, top, Math.max(wide - (wide > 3 ? 0.6 : 0), 0.8), high);
        context.globalAlpha = 1;
        if (selected && selected[0] === row && selected[1] === i) {
          context.strokeStyle = colors.ink;
          context.lineWidth = 2;
          context.strokeRect(left + 1, top + 1, Math.max(wide - 2, 1), high - 2);
        }
        if (wide > 34) {
          context.fillStyle = "#ffffff";
          const shown = Math.max(left, labelWidth), room = Math.min(left + wide, width) - shown - 8;
          if (room > 26)
            context.fillText(
                fitted(context, lane.kind === 0 ? text(lane.name[i]) : text(lane.op[i]).split("::").pop(), room),
                shown + 4, top + 13);
        }
      }
    });
    if (memoryHeight > 0) {
      const base = height - 6, most = timeline.memory.reduce((high, point) => Math.max(high, point[1]), 1);
      context.beginPath();
      context.moveTo(x(timeline.memory[0][0]), base);
      let last = base;
      for (const [time, bytes] of timeline.memory) {
        const at = x(time);
        context.lineTo(at, last);
        last = base - bytes / most * (memoryHeight - 18);
        context.lineTo(at, last);
      }
      context.lineTo(x(timeline.end), last);
      context.lineTo(x(timeline.end), base);
      context.fillStyle = colors.bar;
      context.fill();
      context.strokeStyle = colors.accent;
      context.lineWidth = 1;
      context.stroke();
      context.fillStyle = colors.soft;
      context.fillText("most " + bytes(most), labelWidth + 4, height - memoryHeight + 8);
    }
    context.restore();
    context.fillStyle = colors.card;
    context.fillRect(0, 0, labelWidth, height);
    context.fillStyle = colors.soft;
    timeline.lanes.forEach(
        (lane, row) =>
            context.fillText(fitted(context, text(lane.title), labelWidth - 12), 8, header + row * laneHeight + 15));
    if (memoryHeight > 0) context.fillText("Activations", 8, height - 28);
    note.textContent = ((to - from) * unit).toPrecision(3) + " ms shown; " + timeline.spans + " spans recorded";
  }

  function barAt(x, y) {
    const row = Math.floor((y - header) / laneHeight), lane = timeline.lanes[row];
    if (!lane || y < header || x < labelWidth) return null;
    const time = timeAt(x), slack = (to - from) / plotWidth() * 2;
    let best = null;
    for (let i = firstOf(lane, time - slack); i < lane.begin.length && lane.begin[i] <= time + slack; ++i)
      if (lane.begin[i] + lane.length[i] >= time - slack) best = [row, i];
    return best;
  }
  function words(bar) {
    const lane = timeline.lanes[bar[0]], i = bar[1], merged = lane.merged ? lane.merged[i] : 1;
    const begin = milliseconds(lane.begin[i] * unit), length = milliseconds(lane.length[i] * unit);
    if (merged > 1)
      return merged + " spans within " + length + " at " + begin + "\nlongest: " + text(lane.op[i]) + " " +
          text(lane.name[i]);
    return [text(lane.op[i]), text(lane.name[i]), length + " at " + begin].filter(Boolean).join("\n");
  }
  addGestures(surface, {
    move: (dx) => {
      const shift = Math.max(-from, Math.min(timeline.end - to, -dx / plotWidth() * (to - from)));
      from += shift;
      to += shift;
      surface.redraw();
    },
    zoom: (factor, x) => zoomBy(factor, x),
    fit: () => show(0, timeline.end),
    press: (x, y) => {
      selected = barAt(x, y);
      surface.redraw();
      if (selected) surface.showTip(x, y, words(selected));
    },
    hover: (x, y) => {
      const bar = barAt(x, y);
      surface.showTip(x, y, bar ? words(bar) : "");
    }
  });
  show(...typical());
}
