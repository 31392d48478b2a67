"""Form -> judgement: no HTML and no network."""
