# run.py SELTL SECONDS PROPERTY MODEL FILE...: what BenchExec does with one task; OPTIONS has more options.
import os
import subprocess
import sys
from types import SimpleNamespace

import seltl

executable, seconds, prop, model, *files = sys.argv[1:]
tool = seltl.Tool()
task = SimpleNamespace(input_files=files, property_file=prop or None, options={"language": "C", "data_model": model} if model else None)
limits = SimpleNamespace(cputime=None, walltime=float(seconds), memory=2 << 30)
path = tool.executable(SimpleNamespace(find_executable=lambda name, subdir="": executable))
assert tool.name() == "seltl" and tool.version(path), tool.version(path)
try:
    command = tool.cmdline(path, os.environ.get("OPTIONS", "").split(), task, limits)
except Exception as e:
    print(type(e).__name__)
    sys.exit()
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(tool.determine_result(SimpleNamespace(cmdline=command, output=done.stdout.splitlines(), was_timeout=False)))
