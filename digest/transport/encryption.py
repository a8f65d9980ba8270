"""Encryption of a connection, and what is wrong where it cannot begin."""

from __future__ import annotations

import ssl

from digest.errors import TransportError
from digest.transport.account import SmtpAccount
from digest.transport.link import Link

__all__ = ["TLS_AT_ONCE", "encrypt", "unreached"]

TLS_AT_ONCE = 'perhaps this port speaks TLS from the first octet, as 465 does: try security = "tls"'
_TLS_LATER = 'perhaps this port begins in clear, as 587 and 25 do: try security = "starttls"'
_UNKNOWN = "is vouched for by nobody known here", "name their authority's file in SSL_CERT_FILE"
_OTHER_NAME = "is for another name", "set host to the name that the certificate is for"
# By OpenSSL's number of the fault (openssl-verification-options(1), X509_V_ERR_...).
_FAULTS = {
    9: ("is not valid yet", "check this machine's clock"),
    10: ("has expired", "tell who runs the relay, or check this machine's clock"),
    18: ("is self-signed", "where it is your own relay, name its certificate in SSL_CERT_FILE"),
    19: _UNKNOWN,
    20: _UNKNOWN,
    62: _OTHER_NAME,
    64: _OTHER_NAME,
}


def encrypt(link: Link, account: SmtpAccount, *, lost: type[TransportError]) -> None:
    """Begin TLS 1.2 or later, with a certificate that is verified for the relay's name.

    Raise TransportError, or `lost` where the relay is silent or hangs up.
    """
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    hint = _TLS_LATER if account.security == "tls" else ""
    try:
        link.secure(context, account.host, limit=account.reach)
    except ssl.SSLCertVerificationError as error:
        ill, fix = _FAULTS.get(error.verify_code, ("was refused", ""))
        what = f"its certificate {ill}, so nothing was sent ({error.verify_message})"
        raise TransportError(what, where=account.name, fix=fix) from error
    except ssl.SSLEOFError as error:
        what = "hung up when encryption was to begin"
        raise lost(what, where=account.name, fix=hint) from error
    except ssl.SSLError as error:
        what = f"encryption failed, so nothing was sent ({error.reason or error})"
        raise TransportError(what, where=account.name, fix=hint) from error
    except OSError as error:
        what = f"encryption did not begin: {unreached(error, account.reach)}"
        raise lost(what, where=account.name, fix=hint) from error


def unreached(error: Exception, timeout: float) -> str:
    """Say in our words why nobody was reached."""
    if isinstance(error, ConnectionRefusedError):
        return "nobody answers there (connection refused)"
    if isinstance(error, TimeoutError):
        return f"no answer within {timeout:g} seconds"
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return str(error.strerror)
    return "there is no such host, or it could not be looked up"
