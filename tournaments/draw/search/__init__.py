"""A good draw quickly: where to begin, tabu search, windows, ties."""
