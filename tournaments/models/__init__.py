"""What clubs, tournaments and careers keep."""
