"""Small learners; what they learn is plain data."""
