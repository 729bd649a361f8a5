"""The JSON API of organisers: the steps of the console, once for each key."""
