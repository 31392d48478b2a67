"""Pages as trees of tags, and how similar two of them are."""

from dowse.tree.node import MAX_DEPTH, MAX_NODES, Node, find_nodes, sign_of, text_of

__all__ = ["MAX_DEPTH", "MAX_NODES", "Node", "find_nodes", "sign_of", "text_of"]
