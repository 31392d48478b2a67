"""The links that wait, and the traps among them: for every search that follows links within a site."""
