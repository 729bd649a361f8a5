"""The one foreground command: the server, and inside it whatever else is needed."""
