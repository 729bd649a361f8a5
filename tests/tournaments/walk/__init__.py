"""Random walks through tournaments and evenings: people, actions, and invariants."""
