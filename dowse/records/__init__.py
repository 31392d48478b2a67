"""What answers hold: how many records there are, which part of a page they are, what two answers have of their own."""
