"""Sites worth searching: where they come from."""
