"""From one sample page to a crawler for all pages like it (paper 3)."""
