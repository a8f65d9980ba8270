"""Mail addresses as people write them: checked once, on the way in."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from email_validator import ValidatedEmail

__all__ = ["parse_address"]

_LOCAL_OCTETS: Final = 64  # RFC 5321 §4.5.3.1.1


def parse_address(text: str) -> str:
    """Check one bare mail address and give it as `local@domain`, the domain in A-labels.

    Blanks and tabs at its ends do not count. The local part keeps its letters, in NFC, beyond
    ASCII too (RFC 6531 §3.3); the domain follows IDNA 2008 (RFC 5891) and has a dot, or is
    `localhost`. Refused are quoted local parts, domain literals, display names, characters
    that do not show, and encoded words, which would show another address than the one mailed to.
    Nothing is looked up. Raise ValueError that says in one sentence what is wrong.
    """
    bare = text.strip(" \t")
    if "=?" in bare:
        raise ValueError("a mail address must not hold an encoded word (=?)")
    try:
        found = _validator()(bare, globally_deliverable=not bare.lower().endswith("@localhost"))
    except ValueError as error:
        told = str(error).rstrip(".")
        raise ValueError(told[:1].lower() + told[1:]) from None
    if len(found.local_part.encode()) > _LOCAL_OCTETS:
        raise ValueError(f"the part before the @-sign is longer than {_LOCAL_OCTETS} octets")
    return f"{found.local_part}@{found.ascii_domain}"


@cache
def _validator() -> Callable[..., ValidatedEmail]:
    import email_validator  # noqa: PLC0415 - 35 ms, for those only who read addresses

    # Names such as `mail.internal` lead somewhere in the networks that have them; the library's
    # manual names this list as the way to allow them.
    email_validator.SPECIAL_USE_DOMAIN_NAMES.clear()

    def validate(text: str, *, globally_deliverable: bool) -> ValidatedEmail:
        return email_validator.validate_email(
            text,
            allow_smtputf8=True,
            check_deliverability=False,
            globally_deliverable=globally_deliverable,
        )

    return validate
