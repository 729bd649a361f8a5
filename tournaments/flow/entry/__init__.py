"""Who takes part: sign-up, check-in, walk-ins, imported lists, penalties."""
