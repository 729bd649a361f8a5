"""What clubs, their tournaments and their pages cost."""
