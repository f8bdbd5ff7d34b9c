#!/usr/bin/env python3
"""scripts/bench storage: storage_bench, with an NFS server of its own where nfs-ganesha is installed; with --engine: compare_engines."""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "tests/e2e"), str(ROOT / "tests/bench")]

import compare_engines  # noqa: E402
from harness import free_port  # noqa: E402
from ganesha import ganesha_command, why_not  # noqa: E402
from paper_part import BIN, write_film  # noqa: E402

FILM_MB = 64
PATIENCE_S = 30


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def main(words):
    if any(word.startswith("--engine") for word in words):
        return compare_engines.main(words)
    bench = [BIN / "storage_bench", *words]
    if why_not():
        print(f"nfs is left out: {why_not()}", file=sys.stderr)
    if why_not() or {"--help", "-h", "--version", "--nfs"} & set(words):
        return subprocess.run(bench, check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        film = write_film(folder, FILM_MB)
        port = free_port()
        server = subprocess.Popen(ganesha_command(folder, folder, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until_s = time.monotonic() + PATIENCE_S
            while not answers(port):
                if server.poll() is not None or time.monotonic() > until_s:
                    print("nfs-ganesha does not answer: " + (pathlib.Path(folder) / "ganesha.log").read_text()[-300:], file=sys.stderr)
                    return 1
                time.sleep(0.05)
            return subprocess.run([*bench, "--nfs", f"nfs://127.0.0.1:{port}{film}"], check=False).returncode
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
