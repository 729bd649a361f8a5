"""The use cases of clubs and tournaments; the only code that changes them."""
