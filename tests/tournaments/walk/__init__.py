"""A tournament in which everybody does anything at any time: who is there, what they do, what must hold."""
