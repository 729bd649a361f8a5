"""Building static files: names with hashes, and small pictures written into style sheets."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from config.static_files import LONGEST_INLINED, ModuleStorage

SMALL = '<svg xmlns="http://www.w3.org/2000/svg"><path transform="rotate(9)" fill="#fff" d="M1 1h9"/></svg>\n'
LARGE = f"<svg><!-- {'x' * LONGEST_INLINED} --></svg>"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder with a style sheet that shows two pictures, and a script that imports another, after they were built."""
    sources = {
        "art/small.svg": SMALL,
        "art/large.svg": LARGE,
        "css/page.css": ".a { mask: url(../art/small.svg); } .b { background: url('../art/large.svg'); }",
        "js/other.js": "export const picture = 1;",
        "js/page.js": 'import { picture } from "./other.js";\nvoid import("./other.js");',
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    storage = ModuleStorage(location=tmp_path, base_url="/static/")
    names = {name: (storage, name) for name in sources}
    assert [fault for _name, _hashed, fault in storage.post_process(names) if isinstance(fault, Exception)] == []
    return tmp_path


def read_built(folder: Path, pattern: str) -> str:
    """The only file in the folder with a name of this pattern."""
    (file,) = folder.glob(pattern)
    return file.read_text()


def test_a_small_picture_stands_in_the_style_sheet_and_a_large_one_is_asked_for(built: Path) -> None:
    small, large = re.findall(r"url\((.*?)\)", read_built(built, "css/page.?*.css"))
    assert re.fullmatch(r'"\.\./art/large\.[0-9a-f]{12}\.svg"', large)
    kind, _, picture = small.strip('"').partition(",")
    assert kind == "data:image/svg+xml"
    assert unquote(picture) == SMALL.strip().replace('"', "'")


def test_imports_name_the_built_script(built: Path) -> None:
    assert re.fullmatch(
        r'import \{ picture \} from "\./other\.[0-9a-f]{12}\.js";\nvoid import\("\./other\.[0-9a-f]{12}\.js"\);',
        read_built(built, "js/page.?*.js"),
    )
