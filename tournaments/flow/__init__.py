"""The use cases of clubs and tournaments: the only code that changes them. docs/architecture.md shows the way."""
