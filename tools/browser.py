"""A headless Chromium, spoken to over a pipe: no port, no library.

`find()` says where it is, or nothing. A `Browser` shows one page and is asked about it by methods
of the DevTools protocol."""

import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4, whatever they are here.
        shell = 'exec "$@" 3<&{} 4>&{}'.format(to_browser, from_browser)
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "browser", program, "--headless=new", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update",
             f"--user-data-dir={self.folder.name}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.received = b""
        self.number = 0
        self.events = []
        self.session = None
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"],
                                flatten=True)["sessionId"]

    def close(self):
        self.session = None
        try:
            self.ask("Browser.close")
        except (EOFError, BrokenPipeError):
            pass
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.folder.cleanup()

    def hear(self):
        while b"\0" not in self.received:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise EOFError("the browser has left")
            self.received += more
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        """The answer to a call; what happens meanwhile is added to `events`."""
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.commands, json.dumps(call).encode() + b"\0")
        while True:
            message = self.hear()
            if message.get("id") != self.number:
                self.events.append(message)
            elif "error" in message:
                raise RuntimeError(f"{method}: {message['error']['message']}")
            else:
                return message["result"]

    def show(self, url, width, scheme):
        """Loads the page anew; what it does from then on is in `events`."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=800,
                 deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.ask("Page.navigate", url=url)
        while not self.of("Page.loadEventFired"):
            self.events.append(self.hear())

    def of(self, *methods):
        return [event["params"] for event in self.events if event.get("method") in methods]

    def requests(self):
        return [request["request"]["url"] for request in self.of("Network.requestWillBeSent")]

    def complaints(self):
        return self.of("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")

    def evaluate(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def screenshot(self):
        """The whole page, as base64 of a PNG."""
        width, height = self.evaluate("[innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 16000), "scale": 1}
        return self.ask("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
