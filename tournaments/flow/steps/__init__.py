"""Changes of a tournament or an evening: recorded with what they changed, told to pages and webhooks."""
