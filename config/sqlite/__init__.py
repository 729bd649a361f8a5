"""A database backend: Django's for SQLite, with a queue for transactions of one process."""
