"""The store: one schema, one file, the only package with SQL."""

from dowse.store.store import ORDERS, Store, open_existing, open_store

__all__ = ["ORDERS", "Store", "open_existing", "open_store"]
