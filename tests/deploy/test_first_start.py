"""The first start in the order of docs/deployment.md works, before there is a certificate."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest
from psycopg import sql

from tests import programs
from tests.deploy.proxy import HOST, run_nginx, sign, write_first
from tests.deploy.test_files import COMPOSE_SETTINGS
from tests.programs import Program
from tests.servers import ROOT, Installation

DEPLOY = ROOT / "deploy"
DOCUMENT = (ROOT / "docs" / "deployment.md").read_text()


def section(name: str) -> str:
    """A part of the document, by its heading."""
    return DOCUMENT.partition(f"## {name}\n")[2].partition("\n## ")[0]


def commands(name: str) -> list[str]:
    """The lines of its blocks of commands."""
    return [line.strip() for line in section(name).splitlines() if line.startswith("    ")]


def check_nginx(folder: Path) -> subprocess.CompletedProcess[str]:
    """`nginx -t` over what is in this folder."""
    command = [str(programs.find("nginx")), "-t", "-c", str(folder / "main.conf"), "-e", str(folder / "error.log")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.nginx
def test_nginx_starts_without_a_certificate_and_answers_who_gives_one(tmp_path: Path) -> None:
    port = programs.free_port()
    write_first(tmp_path, port)
    challenge = tmp_path / "html" / ".well-known" / "acme-challenge"
    challenge.mkdir(parents=True)
    (challenge / "token").write_text("the answer")
    assert check_nginx(tmp_path).returncode == 0
    command = [str(programs.find("nginx")), "-c", str(tmp_path / "main.conf"), "-e", str(tmp_path / "error.log")]
    nginx = Program(command, tmp_path, port)
    try:
        nginx.start()
        with urlopen(f"http://127.0.0.1:{port}/.well-known/acme-challenge/token", timeout=60) as answer:
            assert answer.read() == b"the answer"
    finally:
        nginx.stop()


@pytest.mark.nginx
def test_nginx_takes_tls_once_the_certificate_is_there_and_not_before(tmp_path: Path) -> None:
    with run_nginx(tmp_path, [programs.free_port()], tmp_path):
        pass
    assert check_nginx(tmp_path).returncode == 0
    (tmp_path / "cert.pem").unlink()
    assert check_nginx(tmp_path).returncode == 1


@pytest.mark.nginx
def test_the_container_of_nginx_takes_tls_once_there_is_a_certificate(tmp_path: Path) -> None:
    """As the image runs the script before it starts, and certbot's hook runs it again."""
    source, target, live = tmp_path / "menagerie", tmp_path / "conf.d", tmp_path / "letsencrypt"
    for folder in (source, target, live / "live" / "cards.example.org"):
        folder.mkdir(parents=True)
    (target / "default.conf").write_text("server {}")
    for name in ("nginx.conf", "nginx-http.conf"):
        text = (DEPLOY / name).read_text().replace("/etc/letsencrypt", str(live)).replace("[::]:", "127.0.0.1:")
        text = text.replace("/etc/nginx/menagerie-upstream.conf;", f"{tmp_path}/upstream.conf;")
        (source / name).write_text(re.sub(r"listen (?=80;|443 )", "listen 127.0.0.2:", text))
    (tmp_path / "upstream.conf").write_text((DEPLOY / "nginx-upstream.conf").read_text())
    script = (DEPLOY / "nginx-certificate.sh").read_text()
    script = script.replace("/etc/nginx/menagerie", str(source)).replace("/etc/nginx/conf.d", str(target))
    (tmp_path / "script").write_text(script)
    (tmp_path / "main.conf").write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}} http {{ include {target}/*.conf; }}"
    )

    def run() -> list[str]:
        once = os.environ | {"WATCH_SECONDS": "0"}
        subprocess.run(["/bin/sh", str(tmp_path / "script")], env=once, check=True, capture_output=True)
        assert check_nginx(tmp_path).returncode == 0, check_nginx(tmp_path).stderr
        return sorted(file.name for file in target.iterdir())

    assert run() == ["menagerie-http.conf"]
    sign(live / "live" / "cards.example.org", "cards.example.org", ("privkey.pem", "fullchain.pem"))
    assert run() == ["menagerie-http.conf", "menagerie.conf"]
    assert os.access(DEPLOY / "nginx-certificate.sh", os.X_OK), "nginx's image passes over what cannot be run"


@pytest.mark.nginx
def test_the_large_form_takes_the_ports_of_its_web_processes(tmp_path: Path) -> None:
    """The command of step 13, over the file as step 5 lays it down."""
    (command,) = (line for line in commands("Several processes, with PostgreSQL and Redis") if line.startswith("sed "))
    file = tmp_path / "menagerie-upstream.conf"
    file.write_text((DEPLOY / "nginx-upstream.conf").read_text())
    subprocess.run(["/bin/sh", "-c", command.replace("/etc/nginx/", f"{tmp_path}/")], check=True)
    servers = re.findall(r"^ *server (\S+)", file.read_text(), re.MULTILINE)
    assert servers == ["127.0.0.1:8001", "127.0.0.1:8002"]
    text = f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}"
    (tmp_path / "main.conf").write_text(
        f"{text} http {{ map $uri $menagerie_place {{ default $uri; }} include {file}; }}"
    )
    assert check_nginx(tmp_path).returncode == 0, check_nginx(tmp_path).stderr


def test_the_steps_are_numbered_from_the_bare_machine_to_the_last_look() -> None:
    numbers = [int(number) for number in re.findall(r"^### (\d+)\. ", DOCUMENT, re.MULTILINE)]
    assert numbers == list(range(1, 15))
    assert DOCUMENT.count("What changes with this version") == 1


@pytest.mark.docker_compose
def test_compose_keeps_what_is_stored_and_has_backups_and_the_webroot() -> None:
    services, volumes = read_compose()
    assert set(re.findall(r"^  (\w+):", volumes, re.MULTILINE)) == {"certificates", "challenges", "data", "database"}
    ours = {name: text for name, text in services.items() if re.search(r"^    image: menagerie$", text, re.MULTILINE)}
    assert sorted(ours) == ["backup", "beat", "doctor", "migrate", "web1", "web2", "worker"]
    assert [list_mounts(text)["/var/lib/menagerie"] for text in ours.values()] == ["data"] * len(ours)
    assert "manage.py\n    - doctor" in ours["doctor"]
    command = re.findall(r"^    - (.*)$", ours["backup"], re.MULTILINE)
    assert (
        " ".join(command).replace("'", "").replace('"', "").startswith("python manage.py backup --keep 14 --every 24")
    )
    mounted, asking = list_mounts(services["nginx"]), list_mounts(services["certbot"])
    for place, volume in {"/var/www/html": "challenges", "/etc/letsencrypt": "certificates"}.items():
        assert mounted[place] == asking[place] == volume
    assert Path(asking["/certificate.sh"]).is_file()
    files = [Path(source) for source in mounted.values() if source.startswith(str(ROOT))]
    assert len(files) == 4
    assert [file for file in files if not file.is_file()] == []


def read_compose() -> tuple[dict[str, str], str]:
    """The text of each service, and that of the volumes, as docker-compose understands the file."""
    command = [str(programs.find("docker_compose")), "-f", str(DEPLOY / "compose.yml"), "config"]
    environment = os.environ | COMPOSE_SETTINGS
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    parts = dict(re.findall(r"^(\w+):.*\n((?:[ \n].*\n?)*)", done.stdout, re.MULTILINE))
    services = dict(re.findall(r"^  (\w+):\n((?:    .*\n?)*)", parts["services"], re.MULTILINE))
    return services, parts["volumes"]


def list_mounts(service: str) -> dict[str, str]:
    """Source by target: as the older docker-compose prints mounts, or the newer one."""
    short = re.findall(r"^    - ([^:\s]+):([^:\s]+)(?::r[ow])?$", service, re.MULTILINE)
    long = re.findall(r"source: (\S+)\n\s+target: (\S+)$", service, re.MULTILINE)
    return {target: source for source, target in (*short, *long)}


def test_the_document_names_files_that_are_there_and_packages() -> None:
    named = set(re.findall(r"\bdeploy/[\w@.-]*\w", DOCUMENT))
    assert len(named) > 8
    assert [name for name in sorted(named) if "*" not in name and not list(ROOT.glob(f"{name}*"))] == []
    packages = next(line for line in commands("On a Debian machine") if line.startswith("apt-get install"))
    assert {"git", "make", "python3-venv", "nginx", "certbot"} <= set(packages.split())


def test_the_certificate_comes_between_the_two_files_of_nginx() -> None:
    lines = commands("On a Debian machine")
    order = [
        next(number for number, line in enumerate(lines) if sign in line)
        for sign in ("deploy/nginx-http.conf", "certbot certonly", "deploy/nginx.conf")
    ]
    assert order == sorted(order)
    assert all("nginx -t" in "\n".join(lines[first:]) for first in order)


@pytest.mark.postgresql
def test_the_statements_of_the_document_make_the_database(postgres: str, tmp_path: Path) -> None:
    """Role and database as the document has them, and the settings beside it reach them."""
    text = section("Several processes, with PostgreSQL and Redis")
    statements = [" ".join(one.split()) for one in re.findall(r"^ *(CREATE [^;]*);", text, re.MULTILINE)]
    assert [one.split()[1] for one in statements] == ["ROLE", "DATABASE"]
    name = f"walk_{programs.free_port()}"
    server = postgres[: postgres.rindex("/") + 1] + "postgres"
    programs.copy_database(postgres, "awake")  # waits until the server lets people in
    with psycopg.connect(server, autocommit=True) as database:
        for statement in statements:
            database.execute(sql.SQL(re.sub(r"\bmenagerie\b", name, statement)))
    (password,) = re.findall(r"PASSWORD '([^']*)'", text)
    (url,) = re.findall(r"^ *DATABASE_URL=(\S+)", text, re.MULTILINE)
    assert password in url
    where = server.split("@")[1].split("/")[0]
    mine = re.sub(r"menagerie", name, url).replace("127.0.0.1", where)
    club = Installation(tmp_path, {"DATABASE_URL": mine})
    club.migrate()
    with psycopg.connect(mine) as database:
        row = database.execute("SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = %s", [name])
        assert row.fetchone() == ("UTF8",)


def test_the_name_of_the_host_is_the_same_in_all_files() -> None:
    files = ("nginx.conf", "nginx-http.conf", "menagerie.env")
    assert all("cards.example.org" in (DEPLOY / name).read_text() for name in files)
    assert HOST not in DOCUMENT.partition("certbot certonly")[2].partition("\n")[0]
