"""Streams for programs: views and events of tables as JSON, one message a line or frame, without any HTML."""
