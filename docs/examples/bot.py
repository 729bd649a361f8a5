"""A bot that plays every game: `python bot.py SITE TOKEN [GAME SEATS]`. docs/write-a-bot.md explains it.

It accepts every challenge. With GAME and SEATS it also opens a table against the bots of the site.
"""

import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.request

SITE, TOKEN = sys.argv[1].rstrip("/"), sys.argv[2]


def ask(path, body=None):
    """Send a request; returns the open answer."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(f"{SITE}/api/v1{path}", data, headers), timeout=30)


def post(path, body):
    """Send something until it is decided; the keys in it make sure that it counts once."""
    try:
        ask(path, body).close()
    except urllib.error.HTTPError as error:  # 409 is usual: the table has moved on meanwhile
        print(path, error.code, json.load(error).get("sentence"), file=sys.stderr)
        if error.code in (429, 503):  # too fast, or busy
            time.sleep(2)
            post(path, body)


def choose(table):
    """The move to make: think here. `table["view"]` is all that your seat may know."""
    return random.choice(table["legal"])


def hear(message):
    """Do what a message asks for."""
    if message["type"] == "challenge":
        post(f"/challenges/{message['id']}/accept", {})
    elif message["type"] == "table":
        path, ply = f"/tables/{message['table']}", message["ply"]
        if message["status"] == "waiting" and message["contributions"][message["seat"]] is None:
            sent = {"commitment": message["commitment"], "entropy": secrets.token_hex(16)}
            post(f"{path}/contribute", sent)
        elif message["asks_ready"]:
            post(f"{path}/commands", {"name": "ready"})
        elif message["legal"]:
            post(f"{path}/moves", {"move": choose(message), "ply": ply, "key": f"ply {ply}"})


if sys.argv[3:]:
    game, seats = sys.argv[3], int(sys.argv[4])
    post("/tables", {"game": game, "seats": seats, "bots": seats - 1, "key": secrets.token_hex(16)})
for line in ask("/stream"):
    hear(json.loads(line))
