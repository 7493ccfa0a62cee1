"""The studio: from a dropped file to a release with its evidence, in the browser, on one's own
machine.

Pages only show what the library found; whatever reads data runs in a child process, whose results
are files of the project's folder.
"""
