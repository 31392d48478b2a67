"""The store: one schema, one file, the only package with SQL."""

from dowse.store.store import BY_WORTH, ORDERS, Store, open_existing, open_store

__all__ = ["BY_WORTH", "ORDERS", "Store", "open_existing", "open_store"]
