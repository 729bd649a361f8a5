"""Polish formats of dates and times."""

SHORT_DATE_FORMAT = "d.m.Y"
SHORT_DATETIME_FORMAT = "D, d.m.Y, H:i"
