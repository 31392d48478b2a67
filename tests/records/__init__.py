"""Tests of what answers hold."""
