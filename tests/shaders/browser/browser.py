"""browser.py KIND JOB SHADERS: opens page.html in headless Chromium with the back end KIND (webgl, webgpu), serves it the
folders JOB and SHADERS, and writes what it sends back to JOB/result.bin. Exit 77: there is no Chromium, or it lacks the API."""
import functools
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

SECONDS = 200
SWITCHES = ("--headless", "--no-sandbox", "--no-first-run", "--disable-quic", "--disable-sync", "--disable-background-networking",
            "--disable-component-update", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader")


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments, folders, asked, answer, **more):
        self.folders, self.asked, self.answer = folders, asked, answer
        super().__init__(*arguments, **more)

    def translate_path(self, path):
        self.asked.append(path)
        first, _, rest = path.split("?")[0].lstrip("/").partition("/")
        folder = self.folders.get(first)
        name = rest if folder else path.split("?")[0].lstrip("/")
        return str((folder or self.folders[""]) / name) if ".." not in path else os.devnull

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.answer(self.path.lstrip("/"), body)

    def log_message(self, *arguments):
        pass


def main(kind, job, shaders):
    chromium = shutil.which("chromium")
    if not chromium:
        print("chromium is not installed")
        return 77
    answers, asked, done = [], [], threading.Event()

    def answer(what, body):
        answers.append((what, body))
        done.set()

    folders = {"": pathlib.Path(__file__).parent, "job": pathlib.Path(job), "shaders": pathlib.Path(shaders)}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, folders=folders, asked=asked, answer=answer))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/page.html#{kind}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        with open(pathlib.Path(job, "browser.log"), "wb") as log:
            browser = subprocess.Popen([chromium, *SWITCHES, f"--user-data-dir={profile}", address], stdout=log, stderr=log)
            end = time.monotonic() + SECONDS
            while not done.wait(0.2) and browser.poll() is None and time.monotonic() < end:
                pass
            browser.terminate()
            browser.wait()
    if not answers:
        print(f"the browser sent nothing within {SECONDS} s; {'it asked' if asked else 'it never asked'} for the page")
        print(pathlib.Path(job, "browser.log").read_text(encoding="utf-8", errors="replace")[-2000:])
        return 1 if asked else 77  # a browser that does not start here is as good as none
    what, body = answers[0]
    if what == "result":
        pathlib.Path(job, "result.bin").write_bytes(body)
        return 0
    print(body.decode("utf-8", "replace"))
    return 77 if what == "absent" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
