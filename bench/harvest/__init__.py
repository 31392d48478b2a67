"""Requests that selectors need to draw real databases."""
