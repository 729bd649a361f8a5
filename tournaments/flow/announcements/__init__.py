"""What happens in clubs, told to the people it concerns through `games.notifications`."""
