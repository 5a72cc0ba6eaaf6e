"""Try to read other processes, as any program of the same user can: print what could be read.

python spying.py PID…      prints a line of JSON: {"PID": ["mem", "fd 3 memfd:luck-…", …]}
python spying.py --child PID     waits for PID's next children, and reads each until it is hidden
"""

import ctypes
import json
import os
import sys
from contextlib import suppress

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
PIDFD_OPEN, PIDFD_GETFD = 434, 438


def tell(line):
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def spied(pid):
    """Return all that can be read of a process."""
    found = []
    for name in ("mem", "environ", "maps", "auxv", "pagemap", "stack", "io"):
        try:
            with open(f"/proc/{pid}/{name}", "rb") as file:
                if name != "mem":
                    file.read(1)
            found.append(name)
        except OSError:
            pass
    for folder in ("fd", "map_files"):
        try:
            numbers = os.listdir(f"/proc/{pid}/{folder}")
        except OSError:
            continue
        found.append(folder)
        for number in numbers:
            with suppress(OSError):
                found.append(f"{folder} {number} {os.readlink(f'/proc/{pid}/{folder}/{number}')}")
    if LIBC.ptrace(PTRACE_SEIZE, pid, 0, 0) == 0:
        found.append("ptrace")
        LIBC.ptrace(PTRACE_DETACH, pid, 0, 0)
    opened = LIBC.syscall(PIDFD_OPEN, pid, 0)
    if opened >= 0:
        found += [f"pidfd {n}" for n in range(64) if LIBC.syscall(PIDFD_GETFD, opened, n, 0) >= 0]
        os.close(opened)
    return found


def children(pid):
    """Return the processes that one has started."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                if file.read().rpartition(")")[2].split()[1] == str(pid):
                    found.append(int(name))
        except OSError:
            pass
    return found


def command_line(pid):
    """Return how a process was started; of one that is gone, nothing."""
    with suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read()
    return b""


def watch(parent):
    """Read each new child from its first moment until its memory is hidden; print every link.

    Until a child runs its own program it is a copy of its parent, whose memory is hidden already;
    that says nothing about the child.
    """
    known, seen, hidden = set(children(parent)), set(), set()
    same = command_line(parent)
    tell("watching")
    while not hidden:
        for pid in set(children(parent)) - known - hidden:
            if command_line(pid) in {same, b""}:
                continue
            try:
                for number in os.listdir(f"/proc/{pid}/fd"):
                    seen.add(os.readlink(f"/proc/{pid}/fd/{number}"))
            except PermissionError:
                hidden.add(pid)
            except OSError:
                pass
    tell(json.dumps(sorted(seen)))


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        watch(int(sys.argv[2]))
    else:
        tell(json.dumps({pid: spied(int(pid)) for pid in sys.argv[1:]}))
