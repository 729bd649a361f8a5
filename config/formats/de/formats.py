"""German formats of dates and times."""

SHORT_DATETIME_FORMAT = "D, d.m.Y, H:i"
