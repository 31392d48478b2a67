"""Answers to learn from and to read, with the truth about their records."""
