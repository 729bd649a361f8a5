"""Photos of paper results: added and seen by the table and those who score, gone with the person and with time."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.seats import player_changes
from tests.cast import NOW, browser, person
from tests.tournaments import cast
from tournaments.flow.archive.person_export import export_person
from tournaments.flow.clubs import membership
from tournaments.flow.entry import duties
from tournaments.flow.people import deletion, merging
from tournaments.flow.rounds import result_photos, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Phase, Pod, ResultPhoto, Step, Tournament

DAY = result_photos.UNDO_SECONDS


def draw(width: int = 2400, height: int = 1800) -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height), "white").save(out, "JPEG")
    return out.getvalue()


@pytest.fixture
def night(ana: Player, ben: Player) -> Tournament:
    """A round under way at two real tables, and Ben sits at the first one."""
    tournament = cast.begin(ana, cast.NAMES[:8], venue="real", most=4)
    cast.release(ana, tournament, 1)
    seat = table(tournament).seats.get(index=0)
    Entrant.objects.filter(pk=seat.entrant_id).update(player=ben)
    tournament.refresh_from_db()
    return tournament


def table(tournament: Tournament, number: int = 1) -> Pod:
    return Pod.objects.get(round__tournament=tournament, number=number)


def test_a_photo_is_small_upright_and_says_nothing_of_the_camera(ben: Player, night: Tournament) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Secret Camera"
    out = BytesIO()
    Image.effect_noise((4000, 3000), 200).convert("RGB").save(out, "JPEG", quality=50, exif=exif)
    body = bytes(result_photos.add(night, ben, table(night).pk, out.getvalue(), now=NOW).body)
    shown = Image.open(BytesIO(body))
    assert (shown.format, shown.size) == ("WEBP", (960, 1280))
    assert (len(body) <= result_photos.MAX_STORED, b"Secret" in body) == (True, False)


def test_the_table_and_those_who_score_add_see_and_remove(ana: Player, ben: Player, night: Tournament) -> None:
    scorer, other, link = person("Sue"), person("Eve"), duties.give_duty(night, ana, "scorer", name="Sue", now=NOW)
    duties.take_duty(night, scorer, link.token, now=NOW)
    away = Entrant.objects.get(pk=table(night, 2).seats.get(index=0).entrant_id)
    Entrant.objects.filter(pk=away.pk).update(player=other)  # plays, but at the other table
    membership.found_club(other, name="Another Club")
    photo = result_photos.add(night, ben, table(night).pk, draw(), now=NOW)
    for player in (ana, ben, scorer):
        assert result_photos.find(night, player, photo.key) == photo
    with pytest.raises(NotFound):
        result_photos.find(night, other, photo.key)
    with pytest.raises(NotAllowed):
        result_photos.add(night, other, table(night).pk, draw(), now=NOW)
    with pytest.raises(NotAllowed):
        result_photos.remove(night, other, table(night).pk, photo.pk, now=NOW)
    assert ResultPhoto.objects.count() == 1
    result_photos.remove(night, scorer, table(night).pk, photo.pk, now=NOW)
    result_photos.remove(night, scorer, table(night).pk, photo.pk, now=NOW)  # idempotent
    listed = Entrant.objects.get(tournament=night, player=ben).name
    logged = night.steps.filter(kind__endswith="photo").order_by("number")
    assert list(logged.values_list("kind", "actor_name")) == [("photo", listed), ("remove-photo", "Sue")]
    assert result_photos.list_photos(table(night).pk) == []


def test_a_removed_photo_is_put_back_within_a_day(ana: Player, ben: Player, night: Tournament) -> None:
    here, other = table(night), person("Eve")
    photo = result_photos.add(night, ben, here.pk, draw(), now=NOW)
    result_photos.remove(night, ben, here.pk, photo.pk, now=NOW)
    with pytest.raises(NotFound):
        result_photos.find(night, ana, photo.key)  # nobody sees it meanwhile
    with pytest.raises(NotAllowed):
        result_photos.restore(night, other, here.pk, photo.pk, now=NOW)
    assert [one.pk for one in result_photos.list_removed(here.pk, now=NOW + DAY)] == [photo.pk]
    assert result_photos.list_removed(here.pk, now=NOW + DAY + 1) == []
    for _ in range(2):  # twice is once
        result_photos.restore(night, ana, here.pk, photo.pk, now=NOW)
    assert result_photos.find(night, ben, photo.key) == photo
    kinds = night.steps.filter(kind__endswith="photo").order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["photo", "remove-photo", "restore-photo"]
    result_photos.remove(night, ben, here.pk, photo.pk, now=NOW)
    result_photos.clear_old(now=NOW + DAY)
    assert ResultPhoto.objects.count() == 1
    result_photos.clear_old(now=NOW + DAY + 1)
    with pytest.raises(Stale, match="no longer kept"):
        result_photos.restore(night, ben, here.pk, photo.pk, now=NOW + DAY + 1)


def test_removed_photos_take_no_place_and_few_are_kept(ben: Player, night: Tournament) -> None:
    here, most = table(night).pk, result_photos.MAX_PER_TABLE
    added = [result_photos.add(night, ben, here, draw(30 + one, 20), now=NOW) for one in range(most)]
    for photo in added:
        result_photos.remove(night, ben, here, photo.pk, now=NOW)
    again = [result_photos.add(night, ben, here, draw(30 + one, 20), now=NOW) for one in range(most)]
    with pytest.raises(Stale, match="Remove one first"):
        result_photos.restore(night, ben, here, added[0].pk, now=NOW)
    result_photos.remove(night, ben, here, again[0].pk, now=NOW + 1)
    kept = result_photos.list_removed(here, now=NOW + 1)
    assert (len(kept), again[0] in kept, added[0] in kept) == (most, True, False)


def test_a_table_has_four_and_only_while_the_tournament_runs(ana: Player, ben: Player, night: Tournament) -> None:
    here = table(night).pk
    with pytest.raises(BadInput):
        result_photos.add(night, ben, here, b"no picture", now=NOW)
    for number in range(result_photos.MAX_PER_TABLE):
        result_photos.add(night, ben, here, draw(31 + number, 20), now=NOW)
    with pytest.raises(Stale, match="Remove one first"):
        result_photos.add(night, ben, here, draw(30, 20), now=NOW)
    cast.decide_all(ana, night, 1)
    Tournament.objects.update(phase=Phase.FINISHED)
    night.refresh_from_db()
    with pytest.raises(Stale, match="while the tournament runs"):
        result_photos.add(night, ben, table(night).pk, draw(30, 20), now=NOW)


def test_a_photo_that_is_sent_twice_is_kept_once(ben: Player, night: Tournament) -> None:
    here, data = table(night), draw()
    first, second = (result_photos.add(night, ben, here.pk, data, now=NOW) for _ in range(2))
    assert (first.pk, here.photos.count(), night.steps.filter(kind="photo").count()) == (second.pk, 1, 1)


def test_an_undo_of_the_result_leaves_the_photo(ana: Player, ben: Player, night: Tournament) -> None:
    here = table(night)
    results.decide(night, ana, here.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    result_photos.add(night, ben, here.pk, draw(), now=NOW)
    decided = night.steps.get(kind="decide")
    step_undo.revert(night, ana, decided.number, now=NOW)
    assert (here.results.count(), here.photos.count()) == (0, 1)
    with pytest.raises(Stale):
        step_undo.revert(night, ana, night.steps.get(kind="photo").number, now=NOW)


def test_pages_show_it_to_some_and_to_nobody_else(ana: Player, ben: Player, night: Tournament) -> None:
    send = reverse("tournaments:change_photos", args=[night.pk, 1, 1])
    page = reverse("tournaments:pod", args=[night.pk, 1, 1])
    phone = browser(ben)
    shown = phone.get(page).content.decode()
    assert ('enctype="multipart/form-data"' in shown, 'capture="environment"' in shown) == (True, True)
    answer = phone.post(send, {"picture": SimpleUploadedFile("a.jpg", draw(), "image/jpeg")})
    assert (answer.status_code, answer["Location"]) == (302, f"{page}#photos")
    photo = ResultPhoto.objects.get()
    address = reverse("tournaments:result_photo", args=[night.pk, photo.key])
    console = reverse("tournaments:settle", args=[night.pk, 1])
    assert address in phone.get(page).content.decode()
    assert address in browser(ana).get(console).content.decode()
    got = phone.get(address)
    assert (got["Content-Type"], got["Cache-Control"]) == ("image/webp", "no-store")
    eve = browser(person("Eve"))
    for stranger in (eve, Client()):
        assert (stranger.get(address).status_code, photo.key in stranger.get(page).content.decode()) == (404, False)
    assert eve.post(send, {"remove": photo.pk}).status_code == 403
    results.enter(night, ben, table(night).pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    results.reject(night, ana, table(night).results.get().pk, now=NOW)
    assert address in phone.get(page).content.decode()  # where it is disputed
    phone.post(send, {"remove": photo.pk})
    assert phone.get(address).status_code == 404
    for reader, where in ((phone, page), (browser(ana), console)):
        assert f'name="restore" value="{photo.pk}"' in reader.get(where).content.decode()
    assert 'name="restore"' not in eve.get(page).content.decode()
    assert eve.post(send, {"restore": photo.pk}).status_code == 403
    phone.post(send, {"restore": photo.pk})
    assert (phone.get(address).status_code, 'name="restore"' in phone.get(page).content.decode()) == (200, False)


def test_an_upload_that_is_none_says_so(ben: Player, night: Tournament) -> None:
    send = reverse("tournaments:change_photos", args=[night.pk, 1, 1])
    shown = browser(ben).post(send, {}, follow=True).content.decode()
    assert "Choose a picture." in shown


def test_it_is_the_persons_own_data(ana: Player, ben: Player, night: Tournament) -> None:
    guest = person("Ben again")
    result_photos.add(night, ben, table(night).pk, draw(30, 20), now=NOW)
    Entrant.objects.filter(pk=table(night, 2).seats.get(index=0).entrant_id).update(player=guest)
    result_photos.add(night, guest, table(night, 2).pk, draw(30, 20), now=NOW)
    merging.merge(guest.pk, ben.pk)
    document = json.loads("".join(export_person(ben)))
    assert [(row["round"], row["table"], row["picture"][:5]) for row in document["result_photos"]] == [
        (1, 1, "UklGR"), (1, 2, "UklGR"),
    ]  # fmt: skip
    player_changes.delete_player(ben.pk, now=NOW)
    deletion.forget(ben.pk)
    assert ResultPhoto.objects.count() == 0
    assert set(Step.objects.filter(kind="photo").values_list("actor_name", flat=True)) == {"Anonymous"}


def test_after_two_months_it_is_deleted(ben: Player, night: Tournament) -> None:
    result_photos.add(night, ben, table(night).pk, draw(30, 20), now=NOW)
    result_photos.clear_old(now=NOW + result_photos.KEPT_SECONDS - 1)
    assert ResultPhoto.objects.count() == 1
    result_photos.clear_old(now=NOW + result_photos.KEPT_SECONDS + 1)
    assert ResultPhoto.objects.count() == 0
