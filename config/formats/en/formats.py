"""English formats of dates and times."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "D j F Y, H:i"
SHORT_DATETIME_FORMAT = "D j M Y, H:i"
TIME_FORMAT = "H:i"
