"""`loto` for shell scripts of the tests, each command a fork of a process that is loaded already.

A script that calls `loto` ten times loads the same modules ten times, a second each. Here one
process loads them once, and a small client stands in the place of `loto`: it hands over its words,
folder, environment and its three files, passes Ctrl-C on, and ends with the same code. What the
command does, prints and reads is what `loto` itself does.

    python tests/warm.py SOCKET    is that process; it ends with the one that started it
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from pathlib import Path

# Loads next to nothing, for it is started as often as `loto`.
CLIENT = """#!{python} -IS
import json, os, signal, socket, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever has started it ignores
line = socket.socket(socket.AF_UNIX)
line.connect({path!r})
socket.send_fds(line, [b"."], [0, 1, 2])
line.sendall(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode())
line.shutdown(socket.SHUT_WR)
told = line.makefile()
process = int(told.readline() or 0)
while True:
    try:
        sys.exit(int(told.readline() or 70))
    except KeyboardInterrupt:
        os.kill(process, signal.SIGINT)
"""


def client(path: Path) -> str:
    """Return the program that stands for `loto`, for the process that listens on this socket."""
    return CLIENT.format(python=sys.executable, path=str(path))


def attend(line: socket.socket) -> None:
    """Become the command that a client asks for, and send its exit code."""
    from station.commands.app import main

    _, files, _, _ = socket.recv_fds(line, 1, 3)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    with line.makefile() as told:
        words, folder, environ = json.load(told)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ, LOTO_PARENT=str(os.getppid()))
    line.sendall(f"{os.getpid()}\n".encode())
    sys.argv = ["loto", *words]
    code: object = 1
    try:
        main()
    except SystemExit as ended:
        code = ended.code
        raise
    finally:
        sys.stdout.flush()
        line.sendall(str(code or 0).encode())


def serve(path: Path) -> None:
    """Load the station, say so, and fork for each client."""
    import typer.main

    import station.core.daemon  # noqa: F401 - what this process is for
    from station.commands.app import app
    from station.commands.tongue import every
    from station.core.launch import end_with_parent

    list(every(typer.main.get_command(app)))  # loads the module of each command
    end_with_parent()
    with socket.socket(socket.AF_UNIX) as place:
        place.bind(str(path))
        place.listen(64)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored by whatever `&` has started
        os.write(1, b"loaded\n")
        while True:
            line, _ = place.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                place.close()
                attend(line)
                return
            line.close()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
