"""Clubs, members, invitations, talk, API keys, webhooks."""
