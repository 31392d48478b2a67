"""What goes out: rows for other programs, reasons for people."""
