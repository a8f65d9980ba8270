"""The settings of DKIM: who signs the mail, and with which key (RFC 6376)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from stat import S_IRWXG, S_IRWXO
from typing import Final

from digest.config.addresses import domain
from digest.config.private_file import private_path, read_private
from digest.config.reading import Reading
from digest.config.values import Wrong, line

__all__ = ["DkimKey", "DkimSettings", "dkim", "read_dkim_key"]

_LONGEST: Final = 253
_BETWEEN: Final = "._domainkey."


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimKey:
    """A key that signs: its name in DNS, and the path of its file as the settings have it.

    A relative path counts from the newsletter's folder. `setting` is the key of the setting that
    names the file.
    """

    selector: str
    key_file: str
    setting: str = "dkim.key_file"


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimSettings:
    """Who signs (RFC 6376 §3.5, `d=`), and with which keys.

    The first of `keys` signs what begins now; an issue that began under another one goes on with
    that.
    """

    domain: str
    keys: tuple[DkimKey, ...]


def read_dkim_key(key: DkimKey, *, root: Path) -> bytes:
    """Read the file of a key, which nobody else must be able to. Raise ConfigError.

    `root` is the newsletter's folder, from which a relative path counts.
    """
    return read_private(
        root / key.key_file,
        told=key.key_file,
        setting=key.setting,
        shut=S_IRWXG | S_IRWXO,
        spoilt="make a new key",
    )


def dkim(reading: Reading, sender: str) -> DkimSettings | None:
    """Read the keys, the present one first; None where nothing is signed here.

    `sender` is the domain of `mail.from`: complain of another one that does not vouch for it.
    """
    signer = reading.take("dkim.domain", domain, sender)
    present = _key(reading, "")
    previous = _key(reading, "previous_")
    if not _aligned(signer, sender) and not reading.faulty("dkim.domain", "mail.from"):
        reading.complain(
            "dkim.domain",
            f"must be {sender}, the domain of mail.from, or one above or below it: the signature "
            f"of {signer} says nothing of mail from there (RFC 7489 §3.1.1)",
            fix=f"leave it out, or write {sender}",
        )
    if not present:
        _complain_of_nothing(reading, previous, asked=signer != sender)
        return None
    keys = (present, previous) if previous else (present,)
    _complain_of_twins(reading, keys)
    for key in keys:
        if len(f"{key.selector}{_BETWEEN}{signer}") > _LONGEST:
            reading.complain(
                _selector(key),
                "is too long for a name in DNS, with the domain",
                fix="choose a shorter one",
            )
    return DkimSettings(domain=signer, keys=keys)


def _key(reading: Reading, prefix: str) -> DkimKey | None:
    """Read one of the keys; complain of half a one."""
    selector_key, file_key = f"dkim.{prefix}selector", f"dkim.{prefix}key_file"
    selector = reading.take(selector_key, _optional_selector, "")
    file = reading.take(file_key, private_path, "")
    if selector and file:
        return DkimKey(selector=selector, key_file=file, setting=file_key)
    if not reading.faulty(selector_key, file_key):
        if selector:
            fix = f"set {file_key} to the path of the secret key"
            reading.complain(selector_key, "needs a key", fix=fix)
        elif file:
            fix = f"set {selector_key} to the name that the key has in DNS"
            reading.complain(file_key, "needs a selector", fix=fix)
    return None


def _selector(key: DkimKey) -> str:
    return key.setting.replace("key_file", "selector")


def _complain_of_nothing(reading: Reading, previous: DkimKey | None, *, asked: bool) -> None:
    """Complain where a key of before, or a domain, stands without a key that signs."""
    told = reading.faulty("dkim.selector", "dkim.key_file", "dkim.domain")
    if previous and not told:
        reading.complain(
            previous.setting,
            "needs a present key beside it",
            fix="set dkim.selector and dkim.key_file, or take the previous ones out",
        )
    elif asked and not told:
        fix = "set dkim.selector and dkim.key_file too, or leave it out"
        reading.complain("dkim.domain", "signs nothing without a key", fix=fix)


def _complain_of_twins(reading: Reading, keys: tuple[DkimKey, ...]) -> None:
    """Complain of two keys of one name, and of one key under two names."""
    if len({key.selector for key in keys}) < len(keys):
        reading.complain(
            "dkim.previous_selector",
            "is that of the present key: only one key can be found under it",
            fix="give the new key a selector of its own",
        )
    elif len({key.key_file for key in keys}) < len(keys):
        reading.complain(
            "dkim.previous_key_file",
            "is that of the present key",
            fix="make a new key, or take the previous one out",
        )


def _aligned(signer: str, sender: str) -> bool:
    """Tell whether one domain is the other, or lies in it.

    Relaxed alignment lets sisters pass, too, but where one's own domains begin only a list of the
    public ones could tell. What has no dot is surely nobody's own.
    """
    above = "." in signer and sender.endswith(f".{signer}")
    return signer == sender or above or signer.endswith(f".{sender}")


def _optional_selector(value: object) -> str:
    """Check a selector: labels of DNS with dots between them (RFC 6376 §3.1), or nothing."""
    if value == "":
        return ""
    text = line(value)
    try:
        found = domain(text) if text.isascii() else ""
    except Wrong:
        found = ""
    if not found:
        what = "must be of a-z, 0-9 and hyphens, such as s2026, and dots between"
        raise Wrong(what, value=text)
    return found
