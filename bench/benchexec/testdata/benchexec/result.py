# What seltl.py needs of BenchExec's module of this name.
RESULT_UNKNOWN, RESULT_TIMEOUT, RESULT_ERROR = "unknown", "TIMEOUT", "ERROR"
RESULT_TRUE_PROP, RESULT_FALSE_PROP, RESULT_FALSE_REACH = "true", "false", "false(unreach-call)"
RESULT_FALSE_OVERFLOW = "false(no-overflow)"
RESULT_FALSE_TERMINATION = "false(termination)"
RESULT_FALSE_DEREF, RESULT_FALSE_FREE, RESULT_FALSE_MEMCLEANUP = "false(valid-deref)", "false(valid-free)", "false(valid-memcleanup)"
