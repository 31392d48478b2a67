"""Trees of tags as data: what a page looks like to those who look for what repeats in it."""

from dowse.tree.node import MAX_DEPTH, MAX_NODES, Node, find_nodes, sign_of, text_of

__all__ = ["MAX_DEPTH", "MAX_NODES", "Node", "find_nodes", "sign_of", "text_of"]
