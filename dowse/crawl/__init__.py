"""The search inside one site (paper 1, Fig. 7), and what keeps it from being trapped."""
