"""Cards laid out by hand: a table of a running house gets the hands a test wants to see played."""

from __future__ import annotations

import json
from typing import Any

from tests.servers import Installation

_LAY_OUT = """
import json, sys, time
from games.clock import run_on
from games.play import store
from games.play.errors import Busy
from games.rules.base import Config
from games.rules.chance import Chance

wish = json.loads({wish!r})
for attempt in range(20):
    store.forget_all()
    table = store.fetch(wish["table"])
    start = table.rules.start(Config(table.seat_count, table.options, wish["setup"]), Chance(bytes(32)))
    state = table.rules.settle(start)
    clocks = run_on((), table.rules.deadlines(state), turn_seconds=table.turn_seconds, now=time.time())
    try:
        store.commit(table, table.changed(state=state, desk=table.desk._replace(clocks=clocks)))
        break
    except Exception as error:
        last = error
else:
    sys.exit(repr(last))
"""


def lay_out(house: Installation, table: str, setup: dict[str, Any]) -> None:
    """The game under way at this table begins anew from this set-up. Pages show it once they are loaded again."""
    script = _LAY_OUT.format(wish=json.dumps({"table": table, "setup": setup}))
    done = house.manage("shell", "-c", script)
    assert done.returncode == 0, done.stderr
