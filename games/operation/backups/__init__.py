"""Everything that is stored as one file, back out of it, and from one database to another."""
