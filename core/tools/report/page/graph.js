// SPDX-License-Identifier: Apache-2.0
// Graphs: boxes and lines laid out beforehand; groups and bodies of control flow open as drawings of their own.
for (const place of document.querySelectorAll("div.graph")) {
  const graph = data.sides[Number(place.dataset.side)].graph;
  if (!graph) continue;
  const NAME = 0, OP = 1, FAMILY = 2, MS = 3, SHARE = 4, DRAWING = 5, BOX = 6, INPUTS = 7, OUTPUTS = 8, ATTRIBUTES = 9,
        ORIGINS = 10, KERNEL = 11, BODY = 12;
  const NODE = 0, GROUP = 1, INPUT = 2, OUTPUT = 3;
  const hasTimes = graph.nodes.some((node) => node[MS] !== null);
  const most = graph.nodes.reduce((high, node) => Math.max(high, node[MS] || 0), 0);
  const timeOfDrawing = graph.drawings.map(() => 0);
  for (let d = graph.drawings.length - 1; d >= 0; --d)  // drawings within come after
    for (const box of graph.drawings[d].boxes) {
      if (box[4] === NODE) timeOfDrawing[d] += graph.nodes[box[5]][MS] || 0;
      else if (box[4] === GROUP && box[5] >= 0) timeOfDrawing[d] += timeOfDrawing[box[5]];
    }
  const all = timeOfDrawing[0];
  const searched = graph.nodes.map(
      (node) => [NAME, OP, INPUTS, OUTPUTS, ORIGINS].map((field) => text(node[field])).join("\n").toLowerCase());

  let current = 0, scale = 1, left = 0, top = 0, selected = -1, byTime = hasTimes, found = new Set(), isFitted = false;
  const tools = make("div", {class: "tools"}), crumbs = make("div", {class: "crumbs"}),
        split = make("div", {class: "split"});
  const search = make(
      "input",
      {type: "search", placeholder: "Find nodes, operators, tensors", "aria-label": "Find in " + place.dataset.label});
  const coloring = make("select", {"aria-label": "Colours"});
  if (hasTimes) coloring.append(make("option", {value: "time"}, "Colour by time"));
  coloring.append(make("option", {value: "family"}, "Colour by operator"));
  const stage = make("div"), inspector = make("div", {class: "inspector", "aria-live": "polite"}),
        legend = make("div", {class: "legend"});
  tools.append(
      search, coloring, button("Fit", "Shows the whole drawing (F)", () => fit()),
      button("+", "Zooms in (+)", () => zoomBy(1.25)), button("−", "Zooms out (-)", () => zoomBy(0.8)));
  split.append(stage, inspector);
  place.append(tools, crumbs, split, legend);

  const drawing = () => graph.drawings[current];
  const surface = addCanvas(
      stage, 540,
      place.dataset.label +
          ". The table of nodes has the same content. Arrow keys move, + and - zoom, F fits, Tab is free.",
      paint);
  place.lapidary = {boxes: () => drawing().boxes.length, lines: () => drawing().lines.length};

  function fit() {
    const width = surface.canvas.clientWidth, height = surface.height;
    const whole = Math.min(width / (drawing().w + 40), height / (drawing().h + 40), 1.2);
    // Of long graphs the beginning, large enough to read.
    scale = Math.max(whole, Math.min(0.75, width / (drawing().w + 40)));
    left = (width - drawing().w * scale) / 2;
    top = whole < scale ? 20 : (height - drawing().h * scale) / 2;
    surface.redraw();
  }
  function zoomBy(factor, x = surface.canvas.clientWidth / 2, y = surface.height / 2) {
    const next = Math.min(4, Math.max(0.01, scale * factor));
    left = x - (x - left) * next / scale;
    top = y - (y - top) * next / scale;
    scale = next;
    surface.redraw();
  }
  function open(number, box = -1) {
    current = number;
    selected = box;
    crumbs.textContent = "";
    const path = [];
    for (let d = number; d >= 0; d = graph.drawings[d].parent) path.unshift(d);
    if (path.length > 1) path.forEach((d, i) => {
      if (i) crumbs.append(make("span", {}, "›"));
      const crumb = button(text(graph.drawings[d].title), "Shows this drawing", () => open(d));
      if (d === number) crumb.setAttribute("aria-current", "true");
      crumbs.append(crumb);
    });
    fit();
    if (box >= 0) reveal(box);
    inspect();
  }
  function reveal(box) {
    const [x, y, w, h] = drawing().boxes[box];
    scale = Math.max(scale, 0.8);
    left = surface.canvas.clientWidth / 2 - (x + w / 2) * scale;
    top = surface.height / 2 - (y + h / 2) * scale;
    surface.redraw();
  }

  function timeOf(box) {
    if (box[4] === NODE) return graph.nodes[box[5]][MS];
    return box[4] === GROUP && box[5] >= 0 && hasTimes ? timeOfDrawing[box[5]] : null;
  }
  function labels(box) {
    if (box[4] === NODE) {
      const node = graph.nodes[box[5]], ms = node[MS], name = text(node[NAME]);
      return [
        text(node[OP]).split("::").pop(),
        ms === null || !byTime ? name.slice(name.lastIndexOf("/") + 1) : milliseconds(ms)
      ];
    }
    if (box[4] === GROUP) {
      const ms = timeOf(box), label = text(box[6]);  // scopes by their last part: what is before, all here share
      return [
        label.slice(label.lastIndexOf("/") + 1),
        ms !== null && byTime ? milliseconds(ms) + " ›" :
            box[5] >= 0       ? "opens ›" :
                                "not drawn"
      ];
    }
    return text(box[5]).split("\n");
  }

  function paint(context, width, height) {
    if (!isFitted) { isFitted = true; fit(); }
    const ink = color("ink"), soft = color("soft"), card = color("card"), line = color("line"),
          accent = color("accent"), hot = color("hot"), cold = color("cold");
    const familyColors = Object.fromEntries(families.map((family) => [family, color(family)]));
    context.save();
    context.translate(left, top);
    context.scale(scale, scale);
    const view = [-left / scale, -top / scale, (width - left) / scale, (height - top) / scale];
    context.lineWidth = Math.max(1, 0.7 / scale);
    const stroke = (lines, style, thick) => {
      context.strokeStyle = style;
      context.lineWidth = thick;
      context.beginPath();
      for (const points of lines) {
        let low = Infinity, high = -Infinity;
        for (let i = 4; i < points.length; i += 2) { low = Math.min(low, points[i]); high = Math.max(high, points[i]); }
        if (high < view[1] || low > view[3]) continue;
        context.moveTo(points[3], points[4]);
        for (let i = 5; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
      }
      context.stroke();
    };
    const touches = (points) => points[0] === selected || points[1] === selected;
    stroke(drawing().lines, soft, Math.max(1, 0.6 / scale));
    if (selected >= 0) stroke(drawing().lines.filter(touches), accent, Math.max(2, 1.5 / scale));
    drawing().boxes.forEach((box, index) => {
      const [x, y, w, h, kind, what] = box;
      if (x > view[2] || x + w < view[0] || y > view[3] || y + h < view[1]) return;
      const ms = timeOf(box), family = kind === NODE ? familyColors[text(graph.nodes[what][FAMILY])] : accent;
      context.globalAlpha = found.size > 0 && kind === NODE && !found.has(what) ? 0.3 : 1;
      context.beginPath();
      if (context.roundRect) context.roundRect(x, y, w, h, kind === INPUT || kind === OUTPUT ? h / 2 : 6);
      else context.rect(x, y, w, h);
      const share = ms !== null && all > 0 ? Math.sqrt(Math.min(1, ms / (kind === GROUP ? all : most || 1))) : 0;
      context.fillStyle = byTime && kind <= GROUP ? mixed(cold, hot, share) : kind === GROUP ? cold : card;
      context.fill();
      context.strokeStyle = index === selected ? accent : kind === NODE ? family : kind === GROUP ? accent : line;
      context.lineWidth = index === selected ? 3 : kind === GROUP ? 2 : 1.2;
      context.stroke();
      if (kind === NODE) {
        context.fillStyle = family;
        context.fillRect(x + 1, y + 6, 4, h - 12);
      }
      if (scale > 0.28) {
        const [first, second] = labels(box);
        context.textAlign = "center";
        context.fillStyle = byTime && share > 0.75 ? "#ffffff" : ink;
        context.font = "600 13px system-ui, sans-serif";
        const single = !second || h < 30;
        context.fillText(fitted(context, first, w - 14), x + w / 2, single ? y + h / 2 + 4.5 : y + 17);
        if (!single) {
          context.font = "11px system-ui, sans-serif";
          context.fillStyle = byTime && share > 0.75 ? "#ffffff" : soft;
          context.fillText(fitted(context, second, w - 14), x + w / 2, y + 31);
        }
      }
      context.globalAlpha = 1;
    });
    context.restore();
  }

  function boxAt(px, py) {
    const x = (px - left) / scale, y = (py - top) / scale, boxes = drawing().boxes;
    for (let i = boxes.length - 1; i >= 0; --i)
      if (x >= boxes[i][0] && x <= boxes[i][0] + boxes[i][2] && y >= boxes[i][1] && y <= boxes[i][1] + boxes[i][3])
        return i;
    return -1;
  }
  function lineAt(px, py) {
    const x = (px - left) / scale, y = (py - top) / scale, reach = 5 / scale;
    for (const points of drawing().lines)
      for (let i = 3; i + 3 < points.length; i += 2) {
        const dx = points[i + 2] - points[i], dy = points[i + 3] - points[i + 1], long = dx * dx + dy * dy || 1;
        const t = Math.max(0, Math.min(1, ((x - points[i]) * dx + (y - points[i + 1]) * dy) / long));
        if (Math.hypot(points[i] + t * dx - x, points[i + 1] + t * dy - y) < reach) return points;
      }
    return null;
  }

  function part(title, words) {
    if (!words) return;
    inspector.append(make("h5", {}, title), make("pre", {}, words));
  }
  function inspect() {
    inspector.textContent = "";
    const box = drawing().boxes[selected];
    if (!box) {
      inspector.append(make(
          "p", {class: "note"},
           "Press a box to see what it is, what it costs and which nodes of the original model it stands for. " +
              "Drag to move; press the drawing, then turn the wheel to zoom."));
      if (graph.left_out)
        inspector.append(make(
            "p", {class: "note"},
            graph.left_out +
                " nodes are not drawn: the graph is too large for one page. The table of nodes has them."));
      return;
    }
    if (box[4] === NODE) {
      const node = graph.nodes[box[5]];
      inspector.append(make("h4", {}, text(node[OP])));
      part("Name", text(node[NAME]));
      if (node[MS] !== null)
        part(
            "Time per run",
            milliseconds(node[MS]) + ", " + percent(node[SHARE]) + " of the run\n" + text(node[KERNEL]));
      part("Stands for", text(node[ORIGINS]));
      part("Inputs", text(node[INPUTS]));
      part("Outputs", text(node[OUTPUTS]));
      part("Attributes", text(node[ATTRIBUTES]));
      if (node[BODY] >= 0)
        inspector.append(button("Open its body", "Shows the subgraph that this node runs", () => open(node[BODY])));
    } else if (box[4] === GROUP) {
      inspector.append(make("h4", {}, text(box[6])));
      if (timeOf(box) !== null)
        part(
            "Time per run",
            milliseconds(timeOf(box)) +
                (all > 0 ? ", " + percent(timeOf(box) / all) + " of all nodes" : ""));
      if (box[5] >= 0) inspector.append(button("Open", "Shows what is inside (Enter)", () => open(box[5])));
      else part("Not drawn", "The graph is too large for one page; the table of nodes has what is inside.");
    } else {
      inspector.append(make("h4", {}, ["", "", "Input", "Output", "From outside", "To outside"][box[4]]));
      part("Tensor", text(box[5]));
    }
    const lines = drawing().lines.filter((points) => points[0] === selected || points[1] === selected);
    part("Lines", [
      ...new Set(lines.slice(0, 24).map((points) => (points[1] === selected ? "in  " : "out ") + text(points[2])))
    ].join("\n"));
  }
  function choose(box, opens) {
    if (opens && box >= 0 && box === selected && drawing().boxes[box][4] === GROUP && drawing().boxes[box][5] >= 0) {
      open(drawing().boxes[box][5]);
      return;
    }
    selected = box;
    inspect();
    surface.redraw();
  }
  function find() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = new Set();
    if (words.length > 0)
      searched.forEach((content, i) => {
        if (words.every((word) => content.includes(word))) found.add(i);
      });
    surface.redraw();
    if (words.length === 0) { inspect(); return; }
    inspector.textContent = "";
    inspector.append(
        make("h4", {}, found.size === 0 ? "Nothing found" : found.size + (found.size === 1 ? " node" : " nodes")));
    const list = make("ul", {class: "results"});
    for (const i of [...found].slice(0, 100)) {
      const node = graph.nodes[i], item = make("li");
      item.append(button(
          text(node[OP]) + " " + text(node[NAME]), "Shows it in the drawing", () => open(node[DRAWING], node[BOX])));
      list.append(item);
    }
    inspector.append(list);
    if (found.size > 100) inspector.append(make("p", {class: "note"}, "The first 100 are listed."));
  }
  function showLegend() {
    legend.textContent = "";
    const entry = (swatch, words) => {
      const item = make("span"), mark = make("i");
      mark.style.background = swatch;
      item.append(mark, words);
      legend.append(item);
    };
    if (byTime) {
      entry("var(--cold)", "no time");
      entry("color-mix(in srgb, var(--hot) 50%, var(--cold))", milliseconds(most / 4));
      entry("var(--hot)", milliseconds(most) + ", the slowest node");
    }
    const used = new Set(graph.nodes.map((node) => text(node[FAMILY])));
    for (const family of families) if (used.has(family)) entry("var(--" + family + ")", family);
  }

  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    const first = [...found][0];
    if (event.key === "Enter" && first !== undefined) open(graph.nodes[first][DRAWING], graph.nodes[first][BOX]);
  });
  coloring.addEventListener("change", () => { byTime = coloring.value === "time"; showLegend(); surface.redraw(); });
  addGestures(surface, {
    move: (dx, dy) => {
      left += dx;
      top += dy;
      surface.redraw();
    },
    zoom: zoomBy,
    fit: fit,
    press: (x, y) => choose(boxAt(x, y), true),
    hover: (x, y) => {
      const box = boxAt(x, y), line = box < 0 ? lineAt(x, y) : null;
      surface.showTip(
          x, y,
          box >= 0 ? labels(drawing().boxes[box]).filter(Boolean).join("\n") :
              line ? text(line[2]) :
                     "");
    },
    keys: {
      Enter: () => {
        const box = drawing().boxes[selected];
        if (box && box[4] === GROUP && box[5] >= 0) open(box[5]);
      },
      Backspace: () => {
        if (drawing().parent >= 0) open(drawing().parent);
      },
      Escape: () => choose(-1, false),
      n: () => {
        choose((selected + 1) % drawing().boxes.length, false);
        reveal(selected);
      },
      p: () => {
        choose((selected + drawing().boxes.length - 1) % drawing().boxes.length, false);
        reveal(selected);
      }
    }
  });
  showLegend();
  open(0);
}
