"""How days and times are written."""

SHORT_DATE_FORMAT = "d.m.Y"
SHORT_DATETIME_FORMAT = "D, d.m.Y, H:i"
