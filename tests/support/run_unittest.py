#!/usr/bin/env python3
"""Runs the unit tests of modules, named as for `python3 -m unittest`, from the directory that they are in.

    run_unittest.py MODULE...
    run_unittest.py --directory DIRECTORY     all *_test.py of a directory

Like `-m unittest -v`, but where tests were skipped it names them and their reasons and ends with 77, and where the
system refuses the backend that EDDY_BACKEND names it runs nothing and says so.
"""

import os
import sys
import unittest

sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import orphans  # noqa: E402
import refused_backend  # noqa: E402


def main():
    refused_backend.skip_if_refused()
    orphans.end_children_with_this()
    names = sys.argv[1:]
    loader = unittest.defaultTestLoader
    if names[0] == "--directory":
        suite = loader.discover(names[1], "*_test.py")
    else:
        sys.path.insert(0, os.getcwd())
        suite = loader.loadTestsFromNames(names)
    ended = unittest.TextTestRunner(verbosity=2).run(suite)
    for test, reason in ended.skipped:
        print(f"skipped: {test.id()}: {reason}")
    if not ended.wasSuccessful() or ended.testsRun == 0:
        sys.exit(1)
    sys.exit(refused_backend.SKIPPED if ended.skipped else 0)


if __name__ == "__main__":
    main()
