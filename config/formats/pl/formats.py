"""How days and times are written."""

SHORT_DATETIME_FORMAT = "D, d.m.Y, H:i"
