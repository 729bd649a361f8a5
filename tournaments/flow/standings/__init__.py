"""A tournament read once, and its standings after each round."""
