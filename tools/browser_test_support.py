"""A headless Chromium that a test drives: it opens pages, evaluates JavaScript, presses keys and takes pictures.

It speaks the DevTools protocol through two pipes, objects of JSON that end with a zero byte, so that it needs no other
package than Debian's `chromium`.
"""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time


def find_chromium():
    """Returns the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    def __init__(self, chromium):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def descriptors():
            # Chromium reads commands from descriptor 3 and writes to 4, whatever numbers the pipes have here.
            high = [os.dup(fd) for fd in (commands, answers)]
            while min(high) < 5:
                high = [os.dup(fd) for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(3, 4, commands, answers), preexec_fn=descriptors, start_new_session=True)
        os.close(commands)
        os.close(answers)
        self.buffer, self.number, self.session, self.complaints, self.loaded = b"", 0, None, [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def read(self, seconds):
        """Returns the next message, or None if there is none in time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                return None
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise RuntimeError("Chromium has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.notice(message)
        return message

    def notice(self, message):
        """Keeps what the console of the page would show: errors, and what the policy of the page forbids."""
        method, about = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(about["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning"):
            self.complaints.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(about["entry"]["text"])

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.read(60)
            if answer is None:
                raise RuntimeError(f"{method}: no answer")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def window(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, url):
        """Opens a page anew, also if it differs from the one that is open in what stands behind "#" alone."""
        for each in ("about:blank", url):
            self.loaded = False
            self.call("Page.navigate", url=each)
            while not self.loaded:
                if self.read(60) is None:
                    raise RuntimeError(f"{each} does not load")

    def run(self, script):
        """Returns the value of an expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **(text if kind == "keyDown" else {}))

    def type(self, text):
        for key in text:
            self.press(key)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
