"""Making the models that come with Dowse, from examples people have labelled. Needs `dowse[train]`."""
