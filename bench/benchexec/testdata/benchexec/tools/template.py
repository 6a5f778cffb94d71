# What seltl.py needs of BenchExec's module of this name.


class UnsupportedFeatureException(Exception):
    pass


class BaseTool2:
    def _version_from_tool(self, executable, line_prefix):
        import subprocess

        text = subprocess.run([executable, "--version"], capture_output=True, text=True).stdout
        return text.removeprefix(line_prefix).strip()
