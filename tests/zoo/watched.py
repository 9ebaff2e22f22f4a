"""Runs a process and measures its time and memory."""
import dataclasses, os, subprocess, threading, time


@dataclasses.dataclass
class Run:
    status: int
    wall: float  # seconds
    cpu: float  # seconds, of user and system
    anonymous: float  # MB, peak of RssAnon, sampled every millisecond; 0 if not measured
    output: str  # its standard output


def anonymous_memory(pid):
    try:
        with open(f"/proc/{pid}/status") as f:
            return next((int(line.split()[1]) * 1024 / 1e6 for line in f if line.startswith("RssAnon")), 0.0)
    except OSError:
        return 0.0


def run(command, watch_memory=False):
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    peak, ended = [0.0], threading.Event()

    def watch():
        while not ended.wait(0.001):
            peak[0] = max(peak[0], anonymous_memory(child.pid))

    watcher = threading.Thread(target=watch)
    if watch_memory:
        watcher.start()
    output = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    if watch_memory:
        ended.set()
        watcher.join()
    child.returncode = os.waitstatus_to_exitcode(status)
    return Run(child.returncode, wall, used.ru_utime + used.ru_stime, peak[0], output)
