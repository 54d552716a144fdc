#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens HTML reports in headless Chromium: no error on the console, no request but the file itself, graphs and
timelines painted, tables that sort and filter, keys that work, names that stay text, light and dark.

usage: report_in_browser.py LAPIDARY_CLI [--screenshots FOLDER]      exit code 77: there is no Chromium
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CLI = sys.argv[1]
SCREENSHOTS = Path(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[2] == "--screenshots" else None
BROWSER = os.environ.get("LAPIDARY_BROWSER") or next(
    (found
     for name in ("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell", "chromium-headless-shell")
     if (found := shutil.which(name))), None)
if not BROWSER:
    print("skipped: no Chromium is installed")
    sys.exit(77)
HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=\'document.title="owned"\'>"\u2028'
failures = []


def check(condition, words):
    print(("ok    " if condition else "FAIL  ") + words, flush=True)
    if not condition:
        failures.append(words)


class Browser:
    """Chromium over its debugging pipe: messages of JSON, each ended by a zero byte."""

    def __init__(self, profile):
        to_read, self._to_write = os.pipe()
        self._from_read, from_write = os.pipe()

        def wire():
            os.dup2(to_read, 3)
            os.dup2(from_write, 4)

        if 3 in (to_read, from_write) or 4 in (to_read, from_write):  # out of the way of dup2
            to_read, from_write = os.dup2(to_read, 20), os.dup2(from_write, 21)
        arguments = [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", f"--user-data-dir={profile}",
            "--remote-debugging-pipe", "--window-size=1400,1000", "about:blank"
        ]
        self.process = subprocess.Popen(arguments,
                                        pass_fds=(3, 4, to_read, from_write),
                                        preexec_fn=wire,
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self._buffer, self._next, self.events, self._session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def _message(self, deadline):
        while b"\0" not in self._buffer:
            if time.monotonic() > deadline:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._from_read, 1 << 16)
            if not part:
                raise ConnectionError("the browser ended")
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(line)

    def call(self, method, **parameters):
        self._next += 1
        message = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to_write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 120
        while True:
            answer = self._message(deadline)
            if answer.get("id") == self._next:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"])[:500])
        return result["result"].get("value")

    def until(self, script):
        for _ in range(300):
            if self.run(script):
                return True
            time.sleep(0.1)
        return False

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        return self.until("document.readyState === 'complete'")

    def screenshot(self, name):
        if SCREENSHOTS:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            (SCREENSHOTS / name).write_bytes(base64.b64decode(
                self.call("Page.captureScreenshot", format="png")["data"]))

    def complaints(self):
        words = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                words.append(str(parameters["exceptionDetails"])[:300])
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                words.append(str(parameters["args"])[:300])
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                words.append(str(parameters["entry"])[:300])
        return words

    def requests(self):
        return [
            event["params"]["request"]["url"] for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]

    def close(self):
        try:
            self.call("Browser.close")
        except (ConnectionError, RuntimeError, TimeoutError):
            pass
        self.process.wait(timeout=60)


# How many different colours a canvas shows: an empty one has one.
COLORS = """(selector => { const canvas = document.querySelector(selector); canvas.scrollIntoView({behavior: "instant"});
  return new Promise(done => setTimeout(() => { const copy = document.createElement("canvas"), seen = new Set();
    copy.width = canvas.width; copy.height = canvas.height;
    const context = copy.getContext("2d", {willReadFrequently: true});
    context.drawImage(canvas, 0, 0);
    const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 0; i < data.length; i += 4 * 7) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    done(seen.size); }, 400)); })"""


def cli(*arguments):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"lapidary-cli {' '.join(map(str, arguments))}: {done.stderr}")


def check_quiet(browser, path, words):
    check(not browser.complaints(), f"{words}: nothing on the console {browser.complaints()}")
    elsewhere = [url for url in browser.requests() if url != path.as_uri() and not url.startswith("data:")]
    check(path.as_uri() in browser.requests() and not elsewhere, f"{words}: no request but the file itself {elsewhere}")


def check_page(browser, path, words, sides):
    check(browser.open(path), f"{words}: opens")
    for side in range(sides):
        for kind in ("graph", "timeline"):
            colors = browser.run(f"{COLORS}('#side{side} .{kind} canvas')")
            check(colors > 8, f"{words}: the {kind} of side {side} is painted, {colors} colours")
            browser.screenshot(f"{words}-{kind}{side}.png")
    boxes = browser.run("document.querySelector('.graph').lapidary.boxes()")
    check(boxes > 2, f"{words}: {boxes} boxes in the drawing")
    check(browser.run("document.querySelector('.timeline').lapidary.bars() > 3"), f"{words}: bars in the timeline")
    check_quiet(browser, path, words)


def check_controls(browser, words):
    table = "document.querySelector('#side0 table.data')"
    first = f"Number([...{table}.tBodies[0].rows].filter(row => !row.hidden)[0].cells[2].dataset.v)"
    browser.run(f"{table}.tHead.rows[0].cells[2].querySelector('button').click()")
    slowest = browser.run(first)
    browser.run(f"{table}.tHead.rows[0].cells[2].querySelector('button').click()")
    check(slowest >= browser.run(first), f"{words}: tables sort")
    rows = "[...document.querySelectorAll('#side0 table.data')].find(table => table.tBodies[0].rows.length > 8)"
    shown = browser.run(
        f"""(() => {{ const table = {rows}, filter = table.parentElement.previousElementSibling.querySelector('input');
        filter.value = table.tBodies[0].rows[0].cells[0].textContent; filter.dispatchEvent(new Event('input'));
        const shown = [...table.tBodies[0].rows].filter(row => !row.hidden).length; filter.value = '';
        filter.dispatchEvent(new Event('input'));
        return [shown, [...table.tBodies[0].rows].filter(row => !row.hidden).length]; }})()""")
    check(0 < shown[0] < shown[1], f"{words}: tables filter, {shown[0]} of {shown[1]} rows")
    browser.run(
        "document.querySelector('.graph input').value = 'conv'; document.querySelector('.graph "
        "input').dispatchEvent(new Event('input'))"
    )
    check(browser.run("document.querySelectorAll('.graph .results button').length > 2"), f"{words}: search lists nodes")
    browser.run("document.querySelector('.graph .results button').click()")
    check("Inputs" in browser.run("document.querySelector('.graph .inspector').textContent"),
          f"{words}: a node shows what it is")
    before = browser.run("document.querySelector('.timeline .tools .note').textContent")
    browser.run(
        "document.querySelector('.timeline canvas').scrollIntoView({behavior: 'instant'}); "
        "document.querySelector('.timeline canvas').focus()"
    )
    for key in ("+", "+", "ArrowRight"):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
        browser.call("Input.dispatchKeyEvent", type="keyUp", key=key)
    check(browser.until(f"document.querySelector('.timeline .tools .note').textContent !== {json.dumps(before)}"),
          f"{words}: keys zoom the timeline")
    light = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.run("document.getElementById('theme').click()")
    check(browser.run("getComputedStyle(document.body).backgroundColor") != light, f"{words}: the theme switches")
    check(browser.run(f"{COLORS}('#side0 .graph canvas')") > 8, f"{words}: the graph is painted in the other theme")
    browser.screenshot(f"{words}-dark-graph.png")
    browser.run("document.querySelector('#summary').scrollIntoView({behavior: 'instant'})")
    browser.screenshot(f"{words}-dark-summary.png")
    browser.call("Emulation.setEmulatedMedia", media="print")
    check(
        browser.run("getComputedStyle(document.querySelector('nav')).display") == "none",
        f"{words}: prints without its controls")
    browser.call("Emulation.setEmulatedMedia", media="")


def field(number, value):
    """One field of a protobuf message: a number, or text, or a message."""
    def varint(n):
        out = b""
        while n > 127:
            out, n = out + bytes([n & 127 | 128]), n >> 7
        return out + bytes([n])

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def hostile_model(path):
    """An ONNX model of twelve nodes whose names and texts would be markup."""
    def value_info(name):
        tensor = field(1, 1) + field(2, field(1, field(1, 2)))  # float [2]
        return field(1, name) + field(2, field(1, tensor))

    graph = field(2, HOSTILE) + field(11, value_info(HOSTILE + "in")) + field(12, value_info("v12"))
    for i in range(12):
        source = HOSTILE + "in" if i == 0 else f"v{i}"
        graph += field(
            1,
            field(1, source) + field(2, f"v{i + 1}") + field(3, f"{HOSTILE}{i}") + field(4, "Relu") + field(6, HOSTILE))
    path.write_bytes(field(1, 8) + field(2, HOSTILE) + field(7, graph) + field(8, field(1, "") + field(2, 17)))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = Browser(folder / "profile")
        try:
            pair = folder / "pair.html"
            cli("report", "sample:squeezenet", "-o", pair, "--against", "disabled", "--runs", 3, "--warmup", 1,
                "--seconds", 1)
            check_page(browser, pair, "pair", 2)
            check_controls(browser, "pair")
            check_quiet(browser, pair, "pair after all")
            single = folder / "single.html"
            cli("report", "sample:bert-tiny", "-o", single, "--runs", 2, "--no-measure")
            check_page(browser, single, "single", 1)
            hostile_model(folder / "hostile.onnx")
            page = folder / "hostile.html"
            cli("report", folder / "hostile.onnx", "-o", page, "--runs", 2, "--no-measure", "--title", "kept",
                "--level", "disabled")
            check_page(browser, page, "hostile", 1)
            check(
                browser.run("document.title") == "kept" and browser.run("document.images.length") == 0,
                "hostile: names stay text")
            check(HOSTILE in browser.run("document.querySelector('#side0 .card-table').textContent"),
                  "hostile: names are shown as they are")
        finally:
            browser.close()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
