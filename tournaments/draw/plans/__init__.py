"""Round robins: all rounds planned at once."""
