"""The settings of a newsletter: default, then `digest.toml`, then environment, then flag."""

from digest.config.kept import newsletter_from, settings_slice
from digest.config.reading import Effective
from digest.config.secret import Secret
from digest.config.settings import (
    ChecksSettings,
    ContentSettings,
    Settings,
    effective,
    load_settings,
)

__all__ = [
    "ChecksSettings",
    "ContentSettings",
    "Effective",
    "Secret",
    "Settings",
    "effective",
    "load_settings",
    "newsletter_from",
    "settings_slice",
]
