"""Notifications by Web Push (RFC 8030, 8291, 8292) and email, each sent once.

`outbox.tell` writes a row for each message, `delivery` sends them, `outbox.withdraw` takes back what is no longer
true. Callers say what has happened to whom; the wishes of these people decide what becomes of it.
"""
