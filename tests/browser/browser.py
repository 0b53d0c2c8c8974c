# SPDX-License-Identifier: MIT
"""A browser without a window, spoken to over a pair of pipes in the DevTools protocol of Chromium."""
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 120


def find():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """with Browser(folder) as browser: browser.measure(path, script, width=390, media="print")"""

    def __init__(self, folder):
        self.folder = folder
        self.number = 0
        self.buffer = b""
        self.process = None
        self.to_browser = self.from_browser = None
        self.session = None

    def __enter__(self):
        theirs_in, self.to_browser = os.pipe()
        self.from_browser, theirs_out = os.pipe()
        # It listens on descriptor 3 and answers on 4; a shell puts them there, whatever their numbers are here.
        command = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            ["bash", "-c", command, find(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", f"--user-data-dir={self.folder}", "--remote-debugging-pipe"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (OSError, EOFError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)

    def _read(self):
        """The next message."""
        deadline = time.monotonic() + PATIENCE_S
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser says nothing")
            chunk = os.read(self.from_browser, 1 << 20)
            if not chunk:
                raise EOFError("the browser is gone")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data):]
        while True:
            answer = self._read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _await(self, method):
        while self._read().get("method") != method:
            pass

    def measure(self, path, script, width, media="screen", scheme="light"):
        """What the script, an expression, says of the page at that path."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=path.as_uri())
        self._await("Page.loadEventFired")
        said = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in said:
            raise RuntimeError(json.dumps(said["exceptionDetails"])[:500])
        return said["result"]["value"]
