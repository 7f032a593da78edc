# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Drives headless Chromium through its DevTools pipe: no packages, no ports, no network."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-first-run", "--disable-extensions", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-proxy-server",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars", "--remote-debugging-pipe"]
# Nothing here takes seconds, except on a busy host.
TIMEOUT = 90


def find():
    """Path of the browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class BrowserError(Exception):
    """The browser has died, returned an error, or not answered in time."""


class Page:
    """A tab. `errors` collects complaints of the console, exceptions and failed requests."""

    def __init__(self):
        self.errors = []
        self._next, self._buffer, self._session = 0, b"", None
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target,
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def _start(self):
        # The browser reads commands from descriptor 3 and answers on 4.
        child_reads, self._write = os.pipe()
        self._read, child_writes = os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (child_reads, child_writes)]

        def place():
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
        self._process = subprocess.Popen(
            [find(), *FLAGS, f"--user-data-dir={self._profile.name}"], preexec_fn=place,
            pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (child_reads, child_writes, *high):
            os.close(end)

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self, deadline):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise BrowserError(f"no answer within {TIMEOUT} s")
            chunk = os.read(self._read, 1 << 20)
            if not chunk:
                raise BrowserError("the browser has ended")
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(json.dumps(params["args"]))
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.errors.append(f"asks the network for {url}")

    def _until(self, is_it):
        deadline = time.monotonic() + TIMEOUT
        while True:
            message = self._message(deadline)
            self._note(message)
            if is_it(message):
                return message

    def call(self, method, **params):
        """One command of the DevTools protocol; returns its result."""
        self._next += 1
        command = {"id": self._next, "method": method, "params": params}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._write, json.dumps(command).encode() + b"\0")
        answer = self._until(lambda message: message.get("id") == self._next)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, path, width=1280, height=900, dark=False):
        """Loads a file as a window of this size shows it."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 700)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url=path.resolve().as_uri())
        self._until(lambda message: message.get("method") == "Page.loadEventFired")

    def run(self, script):
        """Value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{script}: {json.dumps(answer['exceptionDetails'])}")
        return answer["result"].get("value")

    def wheel(self, x, y, delta, ctrl=False):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta,
                  modifiers=2 if ctrl else 0)

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1,
                  buttons=0 if kind == "mouseReleased" else 1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if
                      len(key) == 1 and kind == "keyDown" else "")

    def screenshot(self, path, top=0, height=None):
        """PNG of the page from `top` on, beyond the window."""
        width = self.run("document.documentElement.clientWidth")
        height = height or self.run("document.documentElement.scrollHeight") - top
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                           clip={"x": 0, "y": top, "width": width, "height": height, "scale": 1})
        path.write_bytes(base64.b64decode(answer["data"]))
