"""Words of natural languages as data, and their look-up."""
