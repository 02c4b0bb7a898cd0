"""A headless Chromium, driven through the pipe of its DevTools protocol, and what tests with it share."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

PHONE = (390, 844)


class Browser:
    """Starts with `with`, ends with it. Tabs have nothing in common but the machine."""

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(prefix="eddy-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        program = shutil.which("chromium")
        if program is None:
            raise FileNotFoundError("chromium is not installed (scripts/setup.sh --with-browser)")

        def place_pipes():
            # 3 and 4 are where Chromium looks; duplicates first, as either may be one of the pipes.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            high = [os.dup2(reading, 63), os.dup2(writing, 62)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--ignore-certificate-errors", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=place_pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._buffer = b""
        self.messages = []  # what the pages wrote to their consoles, errors among them
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile.name, ignore_errors=True)
        self._profile.cleanup()

    def open(self, url, width=1200, height=900):
        target = self.call("Target.createTarget", {"url": "about:blank", "newWindow": True})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        tab = Tab(self, session, target)
        for domain in ("Page", "Runtime", "Log"):
            tab.call(f"{domain}.enable")
        tab.resize(width, height)
        tab.call("Page.navigate", {"url": url})
        return tab

    def close(self, tab):
        self.call("Target.closeTarget", {"targetId": tab.target})

    def call(self, method, parameters=None, session=None, limit_s=60):
        self._number += 1
        number = self._number
        request = {"id": number, "method": method, "params": parameters or {}}
        if session:
            request["sessionId"] = session
        os.write(self._out, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            answer = self._read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)
        raise TimeoutError(method)

    def _note(self, event):
        if event.get("method") == "Runtime.exceptionThrown":
            details = event["params"]["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details.get("text", "")))
        elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.messages.append(event["params"]["entry"]["text"])
        elif event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "assert"):
            self.messages.append(" ".join(str(each.get("value", "")) for each in event["params"]["args"]))

    def _read(self):
        while b"\0" not in self._buffer:
            received = os.read(self._in, 1 << 16)
            if not received:
                raise EOFError("the browser has ended")
            self._buffer += received
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)


class Tab:
    def __init__(self, browser, session, target):
        self._browser = browser
        self.target = target
        self._session = session

    def call(self, method, parameters=None):
        return self._browser.call(method, parameters, self._session)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def evaluate(self, expression):
        """What an expression gives; of a promise, what comes of it."""
        answer = self.call("Runtime.evaluate",
                           {"expression": expression, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait_for(self, expression, limit_s=60):
        """Asks until the expression gives something true, and gives that."""
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"not within {limit_s} s: {expression}")

    def type(self, selector, text):
        """Types a text into a field, and Enter."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", {"text": text})
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent",
                      {"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"})

    def screenshot(self, file):
        picture = self.call("Page.captureScreenshot", {"format": "png"})["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(picture))


class BrowserTest(unittest.TestCase):
    """Pages may write nothing to their consoles. SCREENSHOTS, if set, is a directory that pictures are put into."""

    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())

    def setUp(self):
        self.browser.messages.clear()

    def tearDown(self):
        self.browser.call("Browser.getVersion")  # what the pages have said until now has been read then
        self.assertEqual(self.browser.messages, [])

    def open(self, url, **size):
        tab = self.browser.open(url, **size)
        self.addCleanup(self.browser.close, tab)
        self.wait(tab)
        return tab

    def go(self, tab, url):
        tab.call("Page.navigate", {"url": url})
        self.wait(tab)

    def wait(self, tab):
        tab.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def show(self, tab, name):
        if directory := os.environ.get("SCREENSHOTS"):
            os.makedirs(directory, exist_ok=True)
            tab.screenshot(os.path.join(directory, f"{name}.png"))

    def expect_fit(self, tab):
        """Nothing is wider than the window."""
        self.assertEqual(tab.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
