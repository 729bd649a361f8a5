"""The online tables of rounds and evenings: opened, seated, paused, closed."""
