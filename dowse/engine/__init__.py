"""Where the loops run: lease sites, search them, commit."""
