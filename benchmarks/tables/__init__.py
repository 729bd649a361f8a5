"""What tables and their screens cost, beyond moves (`benchmarks.live`)."""
