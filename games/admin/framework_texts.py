"""Texts of Django's admin, listed so that our translations are used.

Django's German addresses readers formally and calls everybody "Benutzer"; its Polish has endings in brackets.
Translations are found by their English text, and our catalogues come first. Where the English sounds unlike ours,
`locale/en` rewords it; that file is kept by hand. The scripts of the admin have their own catalogues (`djangojs.po`).
"""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy
from django.views.i18n import JavaScriptCatalog

OVERRIDDEN_TEXTS = (
    _("Delete selected %(verbose_name_plural)s"),
    _("Successfully deleted %(count)d %(items)s."),
    _("Cannot delete %(name)s"),
    _("Delete multiple objects"),
    _("No date"),
    _("Has date"),
    _("Select this object for an action - {}"),
    _("Select all objects on this page for an action"),
    _("Items must be selected in order to perform actions on them. No items have been changed."),
    _("No action selected."),
    _("Click here to select the objects across all pages"),
    _("Select all %(total_count)s %(module_name)s"),
    _("Clear selection"),
    _("Select %s"),
    _("Select %s to change"),
    _("Select %s to view"),
    _("Hide counts"),
    _("Show counts"),
    _("Show all"),
    _("Start typing to filter…"),
    _("Popup closing…"),
    _("Site administration"),
    _("%(app)s administration"),
    _("Authentication and Authorization"),
    _("Models in the %(name)s application"),
    _("Model name"),
    _("Add link"),
    _("Change or view list link"),
    _("You don’t have permission to view or edit anything."),
    _(
        "Something’s wrong with your database installation. Make sure the appropriate database tables have been "
        "created, and make sure the database is readable by the appropriate user."
    ),
    _("Recent actions"),
    _("My actions"),
    _("None available"),
    _("User"),
    _("log entry"),
    _("log entries"),
    _("Add %s"),
    _("Change %s"),
    _("View %s"),
    _("Add %(name)s"),
    _("Add another %(verbose_name)s"),
    _("Add another %(model)s"),
    _("Change selected %(model)s"),
    _("Delete selected %(model)s"),
    _("View selected %(model)s"),
    _("Hold down “Control”, or “Command” on a Mac, to select more than one."),
    _("Save as new"),
    _("Save and add another"),
    _("Save and continue editing"),
    _("Save and view"),
    _("View on site"),
    _("History"),
    _("Change history: %s"),
    _("This object doesn’t have a change history. It probably wasn’t added via this admin site."),
    _("Added “%(object)s”."),
    _("Changed “%(object)s” — %(changes)s"),
    _("The {name} “{obj}” was added successfully."),
    _("You may edit it again below."),
    _("The {name} “{obj}” was added successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully. You may edit it again below."),
    _("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully."),
    _("The %(name)s “%(obj)s” was deleted successfully."),
    _("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    _(
        "Deleting %(class_name)s %(instance)s would require deleting the following protected related objects: "
        "%(related_objects)s"
    ),
    _(
        "Deleting the %(object_name)s '%(escaped_object)s' would result in deleting related objects, but your "
        "account doesn't have permission to delete the following types of objects:"
    ),
    _(
        "Deleting the %(object_name)s '%(escaped_object)s' would require deleting the following protected related "
        "objects:"
    ),
    _(
        'Are you sure you want to delete the %(object_name)s "%(escaped_object)s"? All of the following related '
        "items will be deleted:"
    ),
    _(
        "Deleting the selected %(objects_name)s would result in deleting related objects, but your account "
        "doesn't have permission to delete the following types of objects:"
    ),
    _("Deleting the selected %(objects_name)s would require deleting the following protected related objects:"),
    _(
        "Are you sure you want to delete the selected %(objects_name)s? All of the following objects and their "
        "related items will be deleted:"
    ),
    _("Objects"),
    _("Yes, I’m sure"),
    _("No, take me back"),
    _(
        "Please enter the correct %(username)s and password for a staff account. Note that both fields may be "
        "case-sensitive."
    ),
    _("Please enter a correct %(username)s and password. Note that both fields may be case-sensitive."),
    _(
        "You are authenticated as %(username)s, but are not authorized to access this page. Would you like to "
        "login to a different account?"
    ),
    _("Forgotten your login credentials?"),
    _("Log in"),
    _("Log out"),
    _("Log in again"),
    _("Logged out"),
    _("Thanks for spending some quality time with the web site today."),
    _("Your password was changed."),
    _(
        "Please enter your old password, for security’s sake, and then enter your new password twice so we can "
        "verify you typed it in correctly."
    ),
    _("Change my password"),
    _("Enter a new password for the user <strong>%(username)s</strong>."),
    _("This action will <strong>enable</strong> password-based authentication for this user."),
    _("Disable password-based authentication"),
    _("Enable password-based authentication"),
    _("Enable password-based authentication for this user by setting a password."),
    _("Password-based authentication was disabled."),
    _("Set password"),
    _("Set password: %s"),
    _("Conflicting form data submitted. Please try again."),
    _("The two password fields didn’t match."),
    _("Password confirmation"),
    _("New password confirmation"),
    _("Enter the same password as before, for verification."),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("username"),
    _("first name"),
    _("last name"),
    _("last login"),
    _("date joined"),
    _("active"),
    _("staff status"),
    _("superuser status"),
    _("user permissions"),
    _("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
    _("A user with that username already exists."),
    _("Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."),
    _("Designates that this user has all permissions without explicitly assigning them."),
    _("The groups this user belongs to. A user will get all permissions granted to each of their groups."),
    _("Specific permissions for this user."),
    _("Designates whether the user can log into this admin site."),
    _("Designates whether this user should be treated as active. Unselect this instead of deleting accounts."),
    _("After you’ve created a user, you’ll be able to edit more user options."),
    _("Breadcrumbs"),
    _("Disabled"),
    _("Enabled"),
    _("Password-based authentication"),
    _("Raw passwords are not stored, so there is no way to see the user’s password."),
    _("Reset password"),
    _(
        "Whether the user will be able to authenticate using a password or not. If disabled, they may still be "
        "able to authenticate using other backends, such as Single Sign-On or LDAP."
    ),
)
OVERRIDDEN_PLURALS = (
    ngettext_lazy(
        "%(count)s %(name)s was changed successfully.", "%(count)s %(name)s were changed successfully.", "count"
    ),
    ngettext_lazy("Please correct the error below.", "Please correct the errors below.", "count"),
    ngettext_lazy("%(total_count)s selected", "All %(total_count)s selected", "total_count"),
)


class ScriptTexts(JavaScriptCatalog):
    """The texts of the admin's scripts, those of our catalogues first."""

    def get_paths(self, packages: Any) -> list[str]:
        """The folders of translations; what comes later takes the place of what is before."""
        return [*super().get_paths(packages), *map(str, settings.LOCALE_PATHS)]


def show_script_texts(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
    """The script that holds the texts, for `AdminSite.i18n_javascript`."""
    return cast(HttpResponse, ScriptTexts.as_view(packages=["django.contrib.admin"])(request))
