"""All settings, read from the environment; safe as they stand. docs/deployment.md explains each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from kombu import Queue

from config import build, redis_urls
from config import environment as env
from games.rules import registry

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.read_text("DATA_DIR") or BASE_DIR / "var").resolve()

DEBUG = env.read_flag("DEBUG")
SECRET_KEY = env.read_secret(DATA_DIR)
ALLOWED_HOSTS = env.read_hosts("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
SITE_URL = env.read_site("SITE_URL")
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SITE_URL else []
PORT = env.read_count("PORT", 8000, least=0, most=65535)

REDIS_URL = redis_urls.check(env.read_url("REDIS_URL", ("redis", "rediss", "unix")))
DATABASE_URL = env.read_url("DATABASE_URL", ("postgres", "postgresql", "sqlite"))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.humanize",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "csp",
    "django_htmx",
    "games",
    "tournaments",
]

SIGN_IN_PROVIDER = env.read_sign_in_provider(
    env.read_url("OIDC_SERVER_URL", ("https", "http")),
    client=env.read_text("OIDC_CLIENT_ID"),
    secret=env.read_text("OIDC_CLIENT_SECRET"),
    name=env.read_text("OIDC_NAME", "Single sign-on"),
)
"""The club's own sign-in by OpenID Connect, if it has one. docs/deployment.md."""
if SIGN_IN_PROVIDER is not None:
    INSTALLED_APPS += ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]

MIDDLEWARE = [
    "games.operation.middleware.TraceMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "games.operation.middleware.HostMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.accounts.sign_in.known_devices.DeviceMiddleware",
    "games.accounts.sign_in.signed_in_devices.SignedInDeviceMiddleware",
    "games.accounts.middleware.PlayerMiddleware",
    "games.accounts.middleware.ZoneMiddleware",
    "games.views.error_pages.ErrorMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
AUTH_USER_MODEL = "games.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

COMPILED_FRAGMENTS = DATA_DIR / "fragments"
"""Compiled templates of templates/fragments, for the next process; may be deleted at any time."""
_FILES = "django.template.loaders.filesystem.Loader" if DEBUG else "games.serving.preload.PreloadedLoader"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *registry.list_folders("templates")],
        "OPTIONS": {
            "libraries": registry.list_template_tags(),
            "loaders": [
                ("django.template.loaders.cached.Loader", [_FILES, "django.template.loaders.app_directories.Loader"])
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "games.accounts.context.player",
                "tournaments.views.context.add_coming_events",
            ],
        },
    }
]


CONNECT_SECONDS = 3
"""Seconds within which a connection to PostgreSQL must be made."""
GONE_SECONDS = 10
"""After how long a PostgreSQL is given up whose machine is gone without a word; the kernel by itself takes a quarter of
an hour. One that only takes its time says so, packet by packet, and is waited for."""
CONNECT_AGAIN_SECONDS = 1
"""Seconds for which the pool reconnects by itself, ever more slowly; later each request for a connection tries."""
POOL_SECONDS = 3
"""Seconds for which a request waits for one of the process's connections before it is refused."""
POOL_KEPT = 10
"""Connections that are not for pages: eight are the sockets', one says that the process is there, one is for probes."""
DATABASE_POOL = env.read_count("DATABASE_POOL", 20, least=1, most=500)
"""The most connections of a process; they are opened as needed."""
PAGE_THREADS = max(2, DATABASE_POOL - POOL_KEPT)
"""Pages that a process renders at the same time: each has a connection, so none waits for one."""


def _database() -> dict[str, Any]:
    if DATABASE_URL.startswith("postgres"):
        import environ

        try:
            parsed: dict[str, Any] = environ.Env.db_url_config(DATABASE_URL)
        except ValueError as error:
            raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}.") from error
        if not parsed["NAME"]:
            raise ImproperlyConfigured(
                "DATABASE_URL names no database. It looks like postgresql://user:password@host/name."
            )
        options = parsed.setdefault("OPTIONS", {})
        options["connect_timeout"] = CONNECT_SECONDS
        options |= {"tcp_user_timeout": 1000 * GONE_SECONDS, "keepalives_idle": GONE_SECONDS, "keepalives_interval": 2}
        options["pool"] = {
            "min_size": 1,
            "max_size": DATABASE_POOL,
            "timeout": POOL_SECONDS,
            "reconnect_timeout": CONNECT_AGAIN_SECONDS,
        }
        return parsed
    name = DATABASE_URL.removeprefix("sqlite:///") if DATABASE_URL else str(DATA_DIR / "menagerie.sqlite3")
    if not name.startswith("/"):
        raise ImproperlyConfigured("DATABASE_URL for SQLite is sqlite:////absolute/path/to/file.")
    return {
        "ENGINE": "config.sqlite",
        "NAME": name,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            # FULL: what was accepted survives a power cut, for 0.2 ms a move.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
        },
        # Threads (server, worker) share one database file also in tests.
        "TEST": {"NAME": str(DATA_DIR / "test.sqlite3")},
    }


DATABASES = {"default": _database()}

if REDIS_URL:
    CACHES: dict[str, Any] = {"default": {"BACKEND": "games.work.fallback_cache.FallbackCache", "LOCATION": REDIS_URL}}
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    }
    CELERY_BROKER_URL = redis_urls.for_celery(REDIS_URL)
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CELERY_BROKER_URL = "memory://localhost/"

LIMITS_URL = redis_urls.for_limits(REDIS_URL) if REDIS_URL else "memory://"

IS_EMBEDDED = not REDIS_URL
"""Without Redis the worker, the beat and the sockets live in the one server process."""

CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_QUEUES = [Queue("celery", no_ack=True)]
"""Messages lost with a worker are not delivered again: the sweeper finds in the database what is due."""
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {}
    if IS_EMBEDDED
    else {
        "visibility_timeout": 3600,
        "global_keyprefix": "menagerie:",
        "socket_timeout": 3,
        "socket_connect_timeout": 3,
        "socket_keepalive": True,
    }
)
"""A Redis that hangs, or whose machine is gone without a word, is given up after so many seconds, as if it were away.
A message that is not sent waits for the sweeper."""
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = 4
"""One process a worker: what it counts is counted in one place."""
CELERY_TIMEZONE = "UTC"
SWEEP_SECONDS = env.read_number("SWEEP_SECONDS", 0.5, least=0.05, most=5)
CELERY_BEAT_SCHEDULER = "games.serving.beat_scheduler:SteadyScheduler"
CELERY_BEAT_SCHEDULE = {
    "old-games": {"task": "games.tasks.look_after_games", "schedule": 3600.0, "options": {"expires": 3600}},
    "stand-still": {"task": "games.tasks.stand_still", "schedule": 30.0, "options": {"expires": 30}},
    "sweep": {"task": "games.tasks.sweep", "schedule": SWEEP_SECONDS, "options": {"expires": 5}},
    "count": {"task": "tournaments.tasks.sweep_results", "schedule": 30.0, "options": {"expires": 25}},
    "analyses": {"task": "games.tasks.sweep_analyses", "schedule": 30.0, "options": {"expires": 29}},
    "notices": {"task": "games.tasks.send_notices", "schedule": 10.0, "options": {"expires": 9}},
    "notices-cleared": {"task": "games.tasks.clear_notices", "schedule": 3600.0, "options": {"expires": 3600}},
    "turns": {"task": "games.tasks.look_for_turns", "schedule": 5.0, "options": {"expires": 4}},
    "news": {"task": "tournaments.tasks.look_for_news", "schedule": 30.0, "options": {"expires": 29}},
    "webhooks": {"task": "tournaments.tasks.send_webhooks", "schedule": 10.0, "options": {"expires": 9}},
    "jobs": {"task": "tournaments.tasks.sweep_errands", "schedule": 5.0, "options": {"expires": 4}},
    "tournaments": {"task": "tournaments.tasks.look_after", "schedule": 2 * SWEEP_SECONDS, "options": {"expires": 5}},
}

BOT_DELAY = env.read_number("BOT_DELAY", 0.9, least=0, most=30)
"""Seconds of a bot's pause before it moves; varied by up to a half in both directions."""
BOT_PROCESSES = env.read_count("BOT_PROCESSES", 1, least=0, most=64)
"""Processes that compute bots' moves if the server is one process; 0: its threads do. With Celery, workers do."""
INTERLUDE_SECONDS = env.read_number("INTERLUDE_SECONDS", 14 if BOT_DELAY else 0, least=0, most=120)
"""The longest pause of a table after a new deal, in seconds; without a bot's delay there is none unless it is set."""

MOVES_PER_SECOND = env.read_number("MOVES_PER_SECOND", 20, least=1, most=10_000)
"""Moves one person may make at one table in a second, counted in each process."""
SERVER_SHORTCUTS = env.read_choice("SERVER_SHORTCUTS", "ALL", ("ALL", "NONE", "FRAMES", "PAGES"))
"""Which parts of Daphne and Django's ASGI handler are bypassed for speed: `games.serving.shortcuts`."""
WEBHOOKS_MAY_BE_LOCAL = env.read_flag("WEBHOOKS_MAY_BE_LOCAL")
"""Whether webhooks may go to addresses inside private networks, and without TLS."""

VAPID_PRIVATE_KEY = env.read_text("VAPID_PRIVATE_KEY")
"""The key that signs push messages (32 bytes, base64url); empty: one is made in DATA_DIR at the first start."""

REMARKS_PER_MINUTE = env.read_count("REMARKS_PER_MINUTE", 20, least=1, most=100_000)
"""Chat messages of one person in a minute."""
QUESTIONS_PER_MINUTE = env.read_count("QUESTIONS_PER_MINUTE", 600, least=1, most=1_000_000)
"""Requests to the API in a minute, with one key, or from one network address without one."""
GUESTS_PER_MINUTE = env.read_count("GUESTS_PER_MINUTE", 60, least=1, most=100_000)
"""New guests from one network address in a minute (a club often shares one)."""
SOCKETS_PER_ADDRESS = env.read_count("SOCKETS_PER_ADDRESS", 1000, least=1, most=1_000_000)
"""Open sockets (tables, tournaments, evenings) from one network address, in each process: a whole club may share it."""
SOCKETS_PER_PLAYER = env.read_count("SOCKETS_PER_PLAYER", 20, least=1, most=1_000_000)
"""Open sockets of one person, counted in each process."""
TABLES_PER_GUEST = env.read_count("TABLES_PER_GUEST", 5, least=1, most=100_000)
TABLES_PER_ACCOUNT = env.read_count("TABLES_PER_ACCOUNT", 20, least=1, most=100_000)
TABLES_PER_ADDRESS = env.read_count("TABLES_PER_ADDRESS", 50, least=1, most=1_000_000)
"""Tables under way that one guest, one account and one network address (which a club often shares) may have opened."""
GAMES_DIR = Path(env.read_text("GAMES_DIR") or DATA_DIR / "games").resolve()
"""The folder of finished games that are no longer in the database; the same for all processes."""
KEEP_GAMES_DAYS = env.read_count("KEEP_GAMES_DAYS", 0, least=0, most=100_000)
"""Days after which a finished casual game is moved from the database to a record file; 0: never."""
CLOSE_STANDING_DAYS = env.read_count("CLOSE_STANDING_DAYS", 30, least=1, most=100_000)
"""Days after which a table is closed that never began, or that is paused because nobody has come back."""
BACKUP_HOOK = env.read_text("BACKUP_HOOK")
"""A program, with arguments, that copies each new backup to another machine; its path is the last argument."""
TABLES_PER_HOUR = env.read_count("TABLES_PER_HOUR", 60, least=1, most=100_000)
"""Tables one person may open in an hour."""

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "me"
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "games.accounts.sign_in.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
"""Nobody learns from a form whether an address has an account here; only a confirmed one belongs to one account."""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
"""No e-mail is sent to addresses without an account, no matter who enters them."""
ACCOUNT_RATE_LIMITS: dict[str, str | None] = {
    "login": None,
    "login_failed": None,
    "reset_password": "10/m/ip,3/h/key",
    "confirm_email": "1/600s/key",
    "manage_email": "5/m/user,20/h/user",
}
"""Letters to one address, and by one person or network. Passwords and codes are counted in `games/accounts/attempts`;
the framework's other limits stay."""
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Menagerie] "
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_BLACKLIST = ["admin", "administrator", "root", "staff", "bot", "menagerie"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SITE_URL.startswith("https://") else "http"
ACCOUNT_FORMS = {
    "login": "games.accounts.sign_in.forms.EnterForm",
    "signup": "games.accounts.sign_in.forms.AccountForm",
    "reset_password_from_key": "games.accounts.sign_in.forms.NewPasswordForm",
    "change_password": "games.accounts.sign_in.forms.OtherPasswordForm",
    "set_password": "games.accounts.sign_in.forms.FirstPasswordForm",
    "reauthenticate": "games.accounts.sign_in.forms.PasswordAgainForm",
    "add_email": "games.accounts.sign_in.forms.AddressForm",
}
SOCIALACCOUNT_ADAPTER = "games.accounts.sign_in.club_sign_in.ClubSignInAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [SIGN_IN_PROVIDER] if SIGN_IN_PROVIDER else []}
}
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
"""The same address is no proof: an account that is here already is not opened by a sign-in elsewhere."""
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_QUERY_EMAIL = False
SOCIALACCOUNT_STORE_TOKENS = False
MFA_ADAPTER = "games.accounts.sign_in.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "games.accounts.sign_in.forms.CodeForm",
    "reauthenticate": "games.accounts.sign_in.forms.CodeAgainForm",
    "activate_totp": "games.accounts.sign_in.forms.FirstCodeForm",
    "add_webauthn": "games.accounts.sign_in.forms.NewKeyForm",
    "edit_webauthn": "games.accounts.sign_in.forms.RenamedKeyForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
"""Confirming an address is optional; where e-mail goes to the console nobody could confirm theirs."""
MFA_TOTP_ISSUER = "Menagerie"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SITE_URL.startswith("https://")
"""Browsers offer passkeys only over HTTPS and on localhost; on localhost there is no HTTPS."""

DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.read_sender("EMAIL_FROM", "Menagerie <menagerie@localhost>")
EMAIL_TIMEOUT = 10
_mail = env.read_mail("EMAIL_URL")
"""How emails are sent; empty: this site sends none."""
if _mail["host"] and not SITE_URL:
    raise ImproperlyConfigured(
        "EMAIL_URL is set, and SITE_URL is not: links in letters lead to SITE_URL. Set it to the address of this site."
    )
EMAIL_BACKEND = _mail["backend"]
EMAIL_HOST, EMAIL_PORT = _mail["host"], _mail["port"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["user"], _mail["password"]
EMAIL_USE_SSL, EMAIL_USE_TLS = _mail["ssl"], _mail["tls"]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German")), ("pl", _("Polish"))]
LOCALE_PATHS = [BASE_DIR / "locale", *registry.list_folders("locale")]
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = env.read_zone("TIME_ZONE", "UTC")

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.read_text("STATIC_ROOT") or BASE_DIR / "build" / "static").resolve()
STATICFILES_DIRS = [BASE_DIR / "static", *registry.list_folders("static")]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "games.accounts.animal_pictures.AnimalFinder",
    "config.typefaces.TypefaceFinder",
]
STATIC_MANIFEST = STATIC_ROOT / build.MANIFEST
HAS_BUILT_STATIC = not DEBUG and ("collectstatic" in sys.argv or build.is_fresh(STATIC_MANIFEST, STATICFILES_DIRS))
"""Built: compressed, with hashes in the names, cached for ever. Otherwise, and where the build is older than its
sources, straight from the sources: slower, and never wrong."""
_STATIC_STORAGE = (
    "config.static_files.ModuleStorage" if HAS_BUILT_STATIC else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _STATIC_STORAGE},
}
WHITENOISE_USE_FINDERS = not HAS_BUILT_STATIC
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "connect-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF, *([SIGN_IN_PROVIDER["settings"]["origin"]] if SIGN_IN_PROVIDER else [])],
        "frame-ancestors": [NONE],
    }
}
CSRF_COOKIE_HTTPONLY = True
"""Scripts read the token from the page; pages of another port of this host, which share its cookies, cannot."""
CSRF_FAILURE_VIEW = "games.views.error_pages.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
IS_HTTPS = SITE_URL.startswith("https://")
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.read_flag("BEHIND_PROXY") else None
SECURE_SSL_REDIRECT = IS_HTTPS and SECURE_PROXY_SSL_HEADER is not None
PROBES = [r"^health/$", r"^ready/$", r"^metrics$"]
"""Paths that monitoring fetches from a single process, without TLS and by any host name."""
SECURE_REDIRECT_EXEMPT = PROBES
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 30 if IS_HTTPS else 0
DATA_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2100
"""Everybody who is in the largest tournament (2000), ticked, and what else stands in that form."""

LOG_LEVEL = env.read_choice("LOG_LEVEL", "WARNING", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))
LOG_FORMAT = env.read_choice("LOG_FORMAT", "LINE", ("LINE", "JSON"))
_CHATTER = ("celery.app.trace", "celery.beat", "celery.worker.strategy", "daphne.server")
"""These loggers write eight lines a second about sweeps at INFO; set DEBUG to see them."""
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "discretion": {"()": "games.operation.trace.AddressFilter"},
        "context": {"()": "games.operation.trace.ContextFilter"},
        "brevity": {"()": "games.operation.trace.OutageFilter"},
    },
    "formatters": {
        "line": {"()": "games.operation.log_format.LineFormatter"},
        "json": {"()": "games.operation.log_format.LogJsonFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT.lower(),
            "filters": ["discretion", "brevity", "context"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        **{name: {"level": "WARNING" if LOG_LEVEL == "INFO" else LOG_LEVEL} for name in _CHATTER},
        "psycopg.pool": {"level": "ERROR"},  # the code that asks for a connection in vain says so
    },
}

TRACES_URL = env.read_url("TRACES_URL", ("http", "https"))
"""The collector of OpenTelemetry traces (OTLP over HTTP); empty: no traces, and nothing of it is imported."""
METRICS_TOKEN = env.read_text("METRICS_TOKEN")
METRICS_ALLOW = env.read_networks("METRICS_ALLOW", "127.0.0.1,::1")
"""Who may read /metrics: clients with the token; without a token these networks, if there is no proxy in front."""
METRICS_PORT = env.read_count("METRICS_PORT", 0, least=0, most=65535)
"""The port on 127.0.0.1 at which a Celery worker serves its own metrics; 0: none."""

SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
"""HSTS for subdomains and the preload list: the owner of the whole domain decides that in the proxy."""
