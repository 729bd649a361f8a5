"""Games over days: who is awaited, and holidays."""
