"""Runs a command with limits on its resources and measures what it took."""
import os
import resource
import subprocess
import tempfile


def run(command, folder, cpu_seconds, data_bytes):
    """Exit status, CPU seconds, resident megabytes, standard output and error. The kernel ends the process at the limits."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        resource.setrlimit(resource.RLIMIT_DATA, (data_bytes, data_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, out.read(), err.read()
