"""A web of real software with real data behind it, started on loopback, and the truth about its forms."""
