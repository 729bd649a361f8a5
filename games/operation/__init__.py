"""For whoever runs the club: is it alive, is it ready, what does it do, what is misconfigured, and its backups."""
