"""One unit of work: no store, so it runs on any worker."""
