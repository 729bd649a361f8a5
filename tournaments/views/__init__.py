"""Thin pages: fetch, delegate, render."""
