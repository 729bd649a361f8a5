"""A federation's Saturday: 40 clubs on one site, prepared, driven, measured and modelled."""
