"""What is pinned is everything, for each Python that may run this: pip takes nothing that has no hash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.servers import ROOT

PYTHONS = {"3.11.0": "3.11", "3.11.2": "3.11", "3.12.3": "3.12", "3.13.5": "3.13"}
"""The first there is, Debian 12's, Ubuntu 24.04's, Debian 13's."""


def read_pins(name: str) -> dict[str, Requirement]:
    """By name: what is pinned in a file, with its extras and marker."""
    lines = re.findall(r"^(\w[^\\\n]*==[^\\\n]*)", (ROOT / f"requirements/{name}.txt").read_text(), re.MULTILINE)
    return {canonicalize_name(one.name): one for one in map(Requirement, lines)}


def list_needs(pin: Requirement, python: str) -> Iterator[str]:
    """What this package asks for under that Python."""
    markers = {"python_version": PYTHONS[python], "python_full_version": python}
    for need in map(Requirement, metadata.requires(pin.name) or ()):
        extras = ("", *pin.extras)
        if need.marker is None or any(need.marker.evaluate({**markers, "extra": extra}) for extra in extras):
            yield canonicalize_name(need.name)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", ["base", "dev"])
def test_everything_that_packages_ask_for_is_pinned(name: str, python: str) -> None:
    markers = {"python_version": PYTHONS[python], "python_full_version": python}
    pins = {one: pin for one, pin in read_pins(name).items() if pin.marker is None or pin.marker.evaluate(markers)}
    is_here = {one: pin for one, pin in pins.items() if pin.marker is None}
    assert len(is_here) > 40
    assert {need for pin in is_here.values() for need in list_needs(pin, python)} - pins.keys() == set()


def test_what_traces_need_is_hashed_and_fits_what_is_installed_anyway() -> None:
    pins, base = read_pins("tracing"), read_pins("base") | read_pins("dev")
    assert {"opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http", "protobuf"} <= pins.keys()
    assert not {"opentelemetry-exporter-otlp-proto-http", "protobuf"} & read_pins("base").keys()
    assert [name for name, pin in pins.items() if name in base and pin.specifier != base[name].specifier] == []
    text = (ROOT / "requirements/tracing.txt").read_text()
    assert len(re.findall(r"^\w.*==.* \\\n    --hash=sha256:", text, re.MULTILINE)) == len(pins)
    assert "://" not in text


@pytest.mark.parametrize("name", ["base", "dev", "tracing"])
def test_a_lock_file_says_what_and_not_where_from(name: str) -> None:
    lines = (ROOT / f"requirements/{name}.txt").read_text().splitlines()
    options = [line for line in lines if line.startswith("-")]
    assert options == []
    assert [line for line in lines if "://" in line or "/opt/" in line] == []
