"""What pages, sites and forms are about: topics as files, and probabilities from them."""

from __future__ import annotations

from dowse.topic.model import Topic, list_shipped, load_topic, rank_topics
from dowse.topic.text import form_text

__all__ = ["Topic", "form_text", "list_shipped", "load_topic", "rank_topics"]
