"""Runs a command with limits on its resources and measures what it took."""
import functools
import mmap
import os
import resource
import subprocess
import tempfile


@functools.cache
def slowdown(program):
    """How many times longer the program may take than a release build: 1 if it is not built with a sanitizer."""
    with open(program, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as content:
        return 15 if content.find(b"__tsan_init") >= 0 else 6 if content.find(b"__asan_init") >= 0 else 1


def has_memory_limit(program):
    """Not with a sanitizer: it maps terabytes for its shadow memory, so that it does not start under any limit, and keeps
    what the program has freed."""
    return slowdown(program) == 1


def run(command, folder, cpu_seconds, data_bytes):
    """Exit status, CPU seconds, resident megabytes, standard output and error. The kernel ends the process at the limits."""
    cpu_seconds *= slowdown(command[0])
    is_limited = has_memory_limit(command[0])

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        if is_limited:
            resource.setrlimit(resource.RLIMIT_DATA, (data_bytes, data_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    # A report of a sanitizer otherwise ends the program with 1, which is a status of the contract.
    reports = {name: os.environ.get(name, "") + ":exitcode=99" for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS")}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit,
                                   env=os.environ | reports)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, out.read(), err.read()
