"""
How BenchExec runs seltl: constrained Horn clauses (.smt2) by `seltl clp`, C programs by
`seltl reach` with the property of the task (of those about memory, what violates it is told by its part).
A benchmark definition names this module:

    <benchmark tool=".seltl" ...>

with the folder of this file in PYTHONPATH, and seltl in PATH, or in the folder bin of the
one that --tool-directory names. Witnesses are written and validated by options:

    <option name="--write-witness">witness.yml</option>
    <option name="--witness">../witnesses/${taskdef_name}/witness.yml</option>

The result of a validation is that of the program if the witness is confirmed, so
`false(unreach-call)` of one of a violation, and the opposite if it is refuted.
"""

import re

import benchexec.result as result
import benchexec.tools.template

UNSUPPORTED = benchexec.tools.template.UnsupportedFeatureException
DATA_MODELS = {"ILP32": "ilp32", "LP64": "lp64"}


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("seltl", subdir="bin")

    def name(self):
        return "seltl"

    def project_url(self):
        return "https://github.com/seltl/seltl"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="seltl")

    def cmdline(self, executable, options, task, rlimits):
        files = list(task.input_files)
        if all(f.endswith(".smt2") for f in files):
            command = [executable, "clp", "--format=smtlib"]
            if len(files) > 1:
                raise UNSUPPORTED("one file of clauses is decided at a time")
        else:
            command = [executable, "reach", "--quiet"] + self._about_c(task)
        # seltl says `unknown`, and why, before it would be killed.
        seconds = rlimits.walltime or rlimits.cputime
        if seconds:
            command.append("--timeout=%gs" % (0.95 * seconds))
        if rlimits.memory:
            command.append("--max-memory=%dMiB" % (rlimits.memory * 9 // 10 >> 20))
        return command + list(options) + files

    def _about_c(self, task):
        about = []
        if task.property_file:
            about.append("--property=" + task.property_file)
        given = task.options or {}
        model = given.get("data_model") if isinstance(given, dict) else None
        if model is None:
            return about
        if model not in DATA_MODELS:
            raise UNSUPPORTED("data model %s" % model)
        return about + ["--data-model=" + DATA_MODELS[model]]

    def _violated(self, run, line):
        """The result of a program that violates the property of the command line, of which a line says how."""
        for word in run.cmdline:
            if word.startswith("--property="):
                with open(word[len("--property=") :]) as f:
                    text = f.read()
                if re.search(r"!\s*overflow", text):
                    return result.RESULT_FALSE_OVERFLOW
                if re.search(r"LTL\(\s*F\s+end\s*\)", text):
                    return result.RESULT_FALSE_TERMINATION
                if "valid-memcleanup" in text:
                    return result.RESULT_FALSE_MEMCLEANUP
                if "valid-" in text:
                    if ": valid-free: " in line:
                        return result.RESULT_FALSE_FREE
                    return result.RESULT_FALSE_DEREF
        return result.RESULT_FALSE_REACH

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        known = {
            "sat": result.RESULT_TRUE_PROP,
            "unsat": result.RESULT_FALSE_PROP,
            "HOLDS": result.RESULT_TRUE_PROP,
            "FAILS": None,
        }
        validates = any(w.split("=")[0] == "--witness" for w in run.cmdline)
        for line in run.output:  # of which the first line that is an answer is the answer
            word = line.strip().split(" ")[0]
            if validates and word in known and "a failing run passes the waypoints" in line:
                word = {"HOLDS": "FAILS", "FAILS": "HOLDS"}.get(word, word)
            if word == "FAILS":
                return self._violated(run, line)
            if word in known:
                return known[word]
            if word.lower() == "unknown":
                return result.RESULT_UNKNOWN
        return result.RESULT_ERROR
