"""Steps taken back and done again."""
