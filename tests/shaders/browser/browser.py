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

SECONDS = 200
SWITCHES = ("--headless", "--no-sandbox", "--no-first-run", "--disable-quic", "--disable-sync", "--disable-background-networking",
            "--disable-component-update", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader")


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments, folders, answer, **more):
        self.folders, self.answer = folders, answer
        super().__init__(*arguments, **more)

    def translate_path(self, path):
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
    answers, done = [], threading.Event()

    def answer(what, body):
        answers.append((what, body))
        done.set()

    folders = {"": pathlib.Path(__file__).parent, "job": pathlib.Path(job), "shaders": pathlib.Path(shaders)}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, folders=folders, answer=answer))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/page.html#{kind}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        with open(pathlib.Path(job, "browser.log"), "wb") as log:
            browser = subprocess.Popen([chromium, *SWITCHES, f"--user-data-dir={profile}", address], stdout=log, stderr=log)
            done.wait(SECONDS)
            browser.terminate()
            browser.wait()
    if not answers:
        print(f"the browser sent nothing within {SECONDS} s")
        return 1
    what, body = answers[0]
    if what == "result":
        pathlib.Path(job, "result.bin").write_bytes(body)
        return 0
    print(body.decode("utf-8", "replace"))
    return 77 if what == "absent" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
