"""Accounts: guests merged, names changed, accounts deleted."""
