"""Clubs: members, invitations, chat, moderation, API keys, webhooks."""
