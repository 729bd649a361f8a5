"""Export, erase and retention by commands: what is asked for happens, and a dry run changes nothing."""

from __future__ import annotations

import json
import stat
import time
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from games.models import Notice, Player, Remark, Table, User
from games.play.seats.player_changes import ANONYMOUS_NAME
from games.play.storage import store
from tests.cast import open_table, person, start_table
from tournaments.flow.archive.person_export import count_rows, export_person
from tournaments.models import Club, Delivery, FormerPicture, ModerationStep, Webhook

pytestmark = pytest.mark.django_db(transaction=True)
DAY = 86_400.0


def run_command(*args: str) -> str:
    """What a command writes."""
    out = StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


@pytest.fixture
def owner(ana: Player) -> Player:
    """Ana has an account and a seat, and has said something."""
    ana.user = User.objects.create_user("ana", email="ana@example.org")
    ana.save()
    table = start_table(ana, now=time.time())
    Remark.objects.create(table_id=table.id, number=1, player=ana, name="Ana", words="Mine!", at=time.time())
    return ana


def test_an_export_is_the_file_that_the_person_could_download(owner: Player, tmp_path: Path) -> None:
    file = tmp_path / "ana.json"
    output = run_command("export_person", "ANA", str(file))
    assert output == f"Everything that is stored about Ana (#{owner.pk}, account ana) is in {file}.\n"
    assert file.read_text() == "".join(export_person(owner))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="cannot be written: File exists"):
        run_command("export_person", "ana", str(file))


def test_a_dry_export_counts_the_rows_of_the_document(owner: Player, tmp_path: Path) -> None:
    output = run_command("export_person", f"#{owner.pk}", str(tmp_path / "none.json"), "--dry-run")
    assert list(tmp_path.iterdir()) == []
    document = json.loads("".join(export_person(owner)))
    rows = {name: len(rows) for name, rows in document.items() if isinstance(rows, list) and rows}
    assert count_rows(owner) == rows
    assert [line.split() for line in output.splitlines()[1:]] == [[str(count), name] for name, count in rows.items()]
    assert {"seats", "remarks"} <= rows.keys()


def test_who_is_meant_must_be_clear(owner: Player) -> None:
    twins = person("Ben"), person("Ben")
    for argument, sentence in {
        "Ben": f"Several people are called Ben: #{twins[0].pk}, #{twins[1].pk}. Look in the admin, and give the id.",
        "nobody": "There is no person called nobody.",
        "#0": "There is no person called #0.",
        "#x": "There is no person called #x.",
    }.items():
        with pytest.raises(CommandError) as error:
            run_command("export_person", argument, "--dry-run")
        assert str(error.value) == sentence
    assert "(#" in run_command("export_person", f"#{twins[1].pk}", "--dry-run")


def test_a_dry_erasure_changes_nothing_and_a_real_one_leaves_no_name(owner: Player) -> None:
    before = "".join(export_person(owner))
    output = run_command("erase_person", "ana@example.org", "--dry-run")
    assert "Nothing was changed." in output
    assert "seats" in output
    owner.refresh_from_db()
    assert "".join(export_person(owner)) == before
    with pytest.raises(CommandError, match="--dry-run --yes"):
        run_command("erase_person", "ana")
    assert run_command("erase_person", "ana", "--yes").startswith(f"Deleted: Ana (#{owner.pk}, account ana).")
    assert not User.objects.filter(username="ana").exists()
    assert Player.objects.get(pk=owner.pk).name == ANONYMOUS_NAME
    assert list(Remark.objects.values_list("name", "words")) == [(ANONYMOUS_NAME, "")]
    table = store.reload(Table.objects.get().pk)
    assert "Ana" not in [place.name for place in table.places]


def test_who_looks_after_the_site_is_not_erased(owner: Player) -> None:
    User.objects.filter(username="ana").update(is_staff=True)
    with pytest.raises(CommandError, match="Remove their staff rights"):
        run_command("erase_person", "ana", "--yes")
    assert Player.objects.get(pk=owner.pk).name == "Ana"


def test_retention_counts_what_it_would_forget_and_then_forgets_it(ana: Player) -> None:
    now = time.time()
    open_table(ana, now=now - 90 * DAY)
    Notice.objects.create(player=ana, kind="your-turn", key="k", tag="t", at=now - 60 * DAY, ends_at=now - 59 * DAY)
    Session.objects.create(session_key="s", session_data="", expire_date=datetime.now(UTC) - timedelta(days=1))
    hook = Webhook.objects.create(club=Club.objects.create(slug="harbour", name="Harbour"), url="https://a.org/")
    Delivery.objects.create(webhook=hook, event="test", key="old", body="{}", at=now - 60 * DAY)
    Delivery.objects.create(webhook=hook, event="test", key="new", body="{}", at=now)
    for days in (20, 40):
        step = ModerationStep.objects.create(club=hook.club, kind="picture", at=now)
        FormerPicture.objects.create(step=step, key="k", body=b"", at=now, kept_since=now - days * DAY)

    def count(*args: str) -> list[int]:
        return [int(line.split()[0]) for line in run_command("apply_retention", *args).splitlines()[:-1]]

    assert count("--dry-run") == [1, 0, 0, 1, 1, 1, 0, 1, 0]
    assert count("--dry-run") == [1, 0, 0, 1, 1, 1, 0, 1, 0], "the first one has changed something"
    assert count() == [1, 0, 0, 1, 1, 1, 0, 1, 0]
    assert count("--dry-run") == [0] * 9
    assert list(Delivery.objects.values_list("key", flat=True)) == ["new"]
    assert Table.objects.get().status == "over"
