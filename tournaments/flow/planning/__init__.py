"""The plan of a tournament and its phases."""
