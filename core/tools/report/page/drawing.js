// SPDX-License-Identifier: Apache-2.0
// What the canvases share. Text reaches the page through textContent and fillText only.
const data = JSON.parse(document.getElementById("data").textContent);
const text = (number) => data.strings[number];
const families = [
  "convolution", "matrix", "normalization", "activation", "arithmetic", "reduction", "movement", "recurrent",
  "quantization", "control", "other"
];

function make(tag, attributes, content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  if (content !== undefined) element.textContent = content;
  return element;
}

function button(label, title, press) {
  const element = make("button", {type: "button", title: title}, label);
  element.addEventListener("click", press);
  return element;
}

function color(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }

/// Three digits in the unit that suits the value, as lapidary/quantity_text.h writes times and bytes.
function inUnit(value, units) {
  if (Math.abs(value) < 1000) return value.toFixed(0) + " " + units[0];
  let unit = 0;
  while (unit + 1 < units.length && Math.abs(value) >= 999.5) {
    value /= 1000;
    ++unit;
  }
  const size = Math.abs(value);
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2) + " " + units[unit];
}

function milliseconds(ms) { return inUnit(ms * 1e6, ["ns", "µs", "ms", "s"]); }

function bytes(count) { return inUnit(count, ["B", "kB", "MB", "GB", "TB"]); }

/// What is not nothing is not told as "0.0 %".
function percent(share) {
  return share !== 0 && Math.abs(share) < 0.0005 ? "< 0.1 %" : (100 * share).toFixed(1) + " %";
}

/// A mix of two "#rrggbb" colours.
function mixed(from, to, share) {
  const part = (c, i) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
  return "rgb(" + [0, 1, 2].map((i) => Math.round(part(from, i) + (part(to, i) - part(from, i)) * share)).join(",") +
      ")";
}

/// Cut with an ellipsis so that it fits.
function fitted(context, words, width) {
  if (context.measureText(words).width <= width) return words;
  let low = 0, high = words.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(words.slice(0, middle) + "…").width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? words.slice(0, low) + "…" : "";
}

const redraws = [];  // of all canvases, for a change of theme

/// A canvas in a frame that paints once per change, with sharp pixels. paint(context, width, height).
function addCanvas(parent, height, label, paint) {
  const view = make("div", {class: "view"});
  const canvas = make("canvas", {tabindex: "0", role: "img", "aria-label": label});
  const tip = make("div", {class: "tip", role: "tooltip", hidden: ""});
  view.append(canvas, tip);
  parent.append(view);
  canvas.style.height = height + "px";
  let waiting = false, visible = false;
  const draw = () => {
    waiting = false;
    const width = canvas.clientWidth, ratio = window.devicePixelRatio || 1;
    if (width === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = color("card");
    context.fillRect(0, 0, width, height);
    paint(context, width, height);
  };
  const redraw = () => {
    if (waiting || !visible) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  new IntersectionObserver((entries) => {
    visible = entries[entries.length - 1].isIntersecting;
    redraw();
  }).observe(canvas);
  new ResizeObserver(redraw).observe(canvas);
  window.addEventListener("beforeprint", () => { if (canvas.clientWidth > 0) draw(); });
  redraws.push(redraw);
  const showTip = (x, y, words) => {
    tip.hidden = !words;
    if (!words) return;
    tip.textContent = words;
    tip.style.left = Math.max(0, Math.min(x + 14, canvas.clientWidth - tip.offsetWidth - 4)) + "px";
    tip.style.top = (y + 18 + tip.offsetHeight > height ? Math.max(0, y - tip.offsetHeight - 8) : y + 18) + "px";
  };
  return {canvas, view, redraw, showTip, height};
}

/// Dragging, the wheel, two fingers and keys. move(dx, dy), zoom(factor, x, y), hover(x, y), press(x, y).
function addGestures(surface, on) {
  const canvas = surface.canvas, pointers = new Map();
  let travelled = 0, apart = 0;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    travelled = 0;
    apart = 0;
    canvas.classList.add("dragging");
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = place(event), last = pointers.get(event.pointerId);
    if (!last) { on.hover(x, y); return; }
    pointers.set(event.pointerId, [x, y]);
    if (pointers.size === 1) {
      travelled += Math.abs(x - last[0]) + Math.abs(y - last[1]);
      on.move(x - last[0], y - last[1]);
    } else if (pointers.size === 2) {
      const [a, b] = [...pointers.values()], distance = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (apart > 0) on.zoom(distance / apart, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      apart = distance;
      travelled = 100;
    }
  });
  const lift = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    apart = 0;
    if (pointers.size === 0) canvas.classList.remove("dragging");
    if (event.type === "pointerup" && travelled < 5) on.press(...place(event));
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => surface.showTip(0, 0, ""));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas && !on.wheelAlways)
      return;  // the page scrolls until the canvas is pressed
    event.preventDefault();
    on.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), ...place(event));
  }, {passive: false});
  canvas.addEventListener("keydown", (event) => {
    const step = 60, middle = [canvas.clientWidth / 2, surface.height / 2];
    const actions = {
      ArrowLeft: () => on.move(step, 0),
      ArrowRight: () => on.move(-step, 0),
      ArrowUp: () => on.move(0, step),
      ArrowDown: () => on.move(0, -step),
      "+": () => on.zoom(1.25, ...middle),
      "=": () => on.zoom(1.25, ...middle),
      "-": () => on.zoom(0.8, ...middle),
      f: () => on.fit(),
      "0": () => on.fit()
    };
    const action = (on.keys || {})[event.key] || actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });
}
