"""Load on a running server: its clients, what they read, and what it uses meanwhile."""
