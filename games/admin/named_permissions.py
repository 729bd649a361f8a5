"""Permissions of the admin, named in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = object

ACTS = {
    "add": _("%(what)s: add"),
    "change": _("%(what)s: change"),
    "delete": _("%(what)s: delete"),
    "view": _("%(what)s: view"),
}
"""Verbs of permissions, by the prefix of a permission's code name."""


class NamedPermissions(_ModelAdmin):
    """A page with a choice of permissions: those for pages of the admin, each by its page and act."""

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Django's own field names tables of the database, in English."""
        field = super().formfield_for_manytomany(db_field, request, **kwargs)
        if isinstance(field, ModelMultipleChoiceField) and db_field.related_model is Permission:
            shown = ContentType.objects.get_for_models(*admin.site._registry).values()
            field.queryset = Permission.objects.filter(content_type__in=shown).select_related("content_type")
            field.label_from_instance = name_permission  # type: ignore[assignment, method-assign]
        return field


def name_permission(permission: Permission) -> str:
    """Such as “Table: view”."""
    model = permission.content_type.model_class()
    act = ACTS.get(permission.codename.partition("_")[0])
    if model is None or act is None:
        return str(permission)
    what = str(model._meta.verbose_name)
    return str(act) % {"what": what[:1].upper() + what[1:]}
