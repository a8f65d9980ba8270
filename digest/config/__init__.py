"""The settings of a newsletter: default, then `digest.toml`, then environment, then flag."""

from digest.config.addresses import is_loopback
from digest.config.kept import newsletter_from, settings_slice
from digest.config.password import PasswordSource, read_password
from digest.config.policy_file import load_policy
from digest.config.reading import Effective
from digest.config.secret import Secret
from digest.config.sending import ScheduleSettings, SmtpSettings, TransportSettings
from digest.config.settings import (
    ChecksSettings,
    ContentSettings,
    Settings,
    effective,
    load_settings,
)
from digest.config.signing import DkimKey, DkimSettings, read_dkim_key

__all__ = [
    "ChecksSettings",
    "ContentSettings",
    "DkimKey",
    "DkimSettings",
    "Effective",
    "PasswordSource",
    "ScheduleSettings",
    "Secret",
    "Settings",
    "SmtpSettings",
    "TransportSettings",
    "effective",
    "is_loopback",
    "load_policy",
    "load_settings",
    "newsletter_from",
    "read_dkim_key",
    "read_password",
    "settings_slice",
]
