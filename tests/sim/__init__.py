"""Tests of the simulated web; a package, so that its file names may be the same as others."""
