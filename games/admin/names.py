"""Translated names of models and columns in the admin.

Django makes these names of the names in the code. They are put in place here, where nothing but the admin asks for
them: in the models they would be part of the migrations.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Model
from django.utils.html import format_html
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

KINDS = (
    (_("player"), _("players")),
    (_("table"), _("tables")),
    (_("report"), _("reports")),
    (_("counted table"), _("counted tables")),
    (_("person result"), _("person results")),
    (_("career entry"), _("career entries")),
    (_("board row"), _("board rows")),
    (_("person total"), _("person totals")),
    (_("membership"), _("memberships")),
    (_("club"), _("clubs")),
    (_("invitation"), _("invitations")),
    (_("tournament"), _("tournaments")),
    (_("entrant"), _("entrants")),
    (_("night duty"), _("night duties")),
    (_("team"), _("teams")),
    (_("team member"), _("team members")),
    (_("round"), _("rounds")),
    (_("result"), _("results")),
    (_("step"), _("steps")),
    (_("season"), _("seasons")),
    (_("webhook"), _("webhooks")),
    (_("delivery"), _("deliveries")),
    (_("API key"), _("API keys")),
    (_("background job"), _("background jobs")),
    (_("club report"), _("club reports")),
    (_("user"), _("users")),
    (_("seat"), _("seats")),
    (_("authenticator"), _("authenticators")),
    (_("reset link"), _("reset links")),
)
"""One of them, and several."""
RENAMED = {
    "pod": (_("table of a round"), _("tables of rounds")),
    "pod seat": (_("seat in a round"), _("seats in rounds")),
    "timed session": (_("evening"), _("evenings")),
}
"""What has another name on screens than in the code."""
COLUMNS = frozenset({
    _("name"), _("avatar"), _("language"), _("is listed"), _("left at"), _("created at"), _("game"), _("rules"),
    _("options"), _("status"), _("is public"), _("talk"), _("seat count"), _("turn seconds"), _("host"), _("rematch"),
    _("started at"), _("ended at"), _("version"), _("ply"), _("wake at"), _("commitment"), _("is rated"),
    _("voided at"), _("void reason"), _("remark"), _("at"), _("number"), _("is void"), _("counted"), _("seat"),
    _("place"), _("of"), _("rank"), _("people"), _("beaten"), _("score"), _("tops"), _("feat"), _("deal"), _("job"),
    _("before"), _("spell"), _("climb"), _("demoted by"), _("board"), _("games"), _("wins"), _("rated"),
    _("by rating"), _("by share"), _("places"), _("met"), _("best"), _("deals"), _("ranks"),
    _("promotions"), _("falls"), _("reign"), _("bottom"), _("jobs"), _("role"), _("since"), _("about"), _("can talk"),
    _("made by"), _("uses left"), _("withdrawn"), _("format"), _("phase"), _("best of"), _("starts at"),
    _("finished at"), _("rounds planned"), _("wanted"), _("least"), _("most"), _("venue"), _("repeat worth"),
    _("advance"), _("cut to"), _("bots fill"), _("bot level"), _("duplicate"), _("points"), _("points table"),
    _("tie breaks"), _("bye points"), _("absent points"), _("no show points"), _("forfeit points"), _("lot seed"),
    _("round minutes"), _("grace minutes"), _("no show"), _("at end"), _("has sound"), _("arriving"), _("bot"),
    _("is away"), _("is filler"), _("joined round"), _("rank hint"), _("is on device"), _("ready at"),
    _("club name"), _("stage"),
    _("solution"), _("trouble"), _("released at"), _("ends at"), _("has rung"), _("paused at"), _("completed at"),
    _("is online"), _("is locked"), _("real table"), _("seated at"), _("reason"), _("record"), _("source"),
    _("scores"), _("entered by"), _("confirmed by"), _("kind"), _("actor"), _("actor name"), _("details"),
    _("changes"), _("reverts"), _("owner"), _("is active"), _("event"), _("body"), _("attempts"), _("due at"),
    _("answer"), _("drawing since"), _("drawing"), _("rivals"), _("seed"), _("id"), _("index"), _("user"), _("type"),
    _("last used at"), _("slug"), _("url"), _("key"), _("expires at"), _("came in"), _("total mu"), _("total sigma"),
    _("climb at"), _("feat at"), _("reign at"), _("bottom at"), _("deal commitment"), _("wave"), _("fate"),
    _("substitute"), _("substitute name"), _("evening"), _("asked at"), _("done"), _("seen at"), _("stamp"),
    _("total"), _("error"), _("duty"), _("capacity"), _("fee"), _("entry closes at"), _("clubs apart"),
    _("fixed table"), _("guest token"), _("team size"), _("team best"), _("has open teams"), _("first round"),
    _("last round"), _("is captain"), _("is substitute"),
})  # fmt: skip


def link(url: str, text: str = "") -> str:
    """A link to a page of the site; without a text it is the URL, which is the same in every language."""
    return format_html('<a href="{}">{}</a>', url, text or url)


def name_in_words(models: Iterable[type[Model]]) -> None:
    """Set the translated names of these models and their columns."""
    kinds = {one: (one, several) for one, several in KINDS} | RENAMED
    for model in models:
        names = model._meta
        one = str(names.verbose_name)
        if one in kinds:
            names.verbose_name, names.verbose_name_plural = map(gettext_lazy, kinds[one])
        for field in names.fields:
            name = str(field.verbose_name)
            if name in COLUMNS or name in kinds:
                field.verbose_name = gettext_lazy(kinds.get(name, (name,))[0])
