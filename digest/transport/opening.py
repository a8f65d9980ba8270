"""Open a connection: reach the relay, encrypt, say who we are, log in; or say what is wrong."""

from __future__ import annotations

import socket
from base64 import b64encode
from ipaddress import ip_address

from digest.errors import TransportBusyError, TransportError
from digest.transport.account import SmtpAccount
from digest.transport.encryption import TLS_AT_ONCE, encrypt, unreached
from digest.transport.link import Link
from digest.transport.reply import GO_ON, NEVER, NOT_NOW, TAKEN, LostError, Reply

__all__ = ["open_link"]

_WHERE = "check host and port under [transport.smtp], and that this machine may reach them"
_AGAIN = "nothing was sent; try again in a while"
_SEND_BUFFER = 200_000  # octets; Linux takes twice as many: some messages leave in one call


def open_link(account: SmtpAccount, *, known: bool) -> Link:
    """Open a connection that is ready for MAIL.

    `known` tells that this relay was reached before, so that not reaching it is passing trouble.
    Raise TransportError, or TransportBusyError where a later try may go better.
    """
    password = _password(account)
    opening = _Opening(account, known=known)
    link = opening.reach()
    try:
        opening.greet(link)
        opening.introduce(link)
        opening.log_in(link, password)
        opening.end(link)
    except LostError as error:
        link.close()
        raise TransportBusyError(str(error), where=account.name, fix=_AGAIN) from None
    except TransportError:
        link.part()
        raise
    except BaseException:
        link.close()
        raise
    return link


def _password(account: SmtpAccount) -> str:
    """Get the password before connecting, since a program may be run that takes its time."""
    if not account.username:
        return ""
    if account.password is None:
        fix = "set password_env, password_file or password_command under [transport.smtp]"
        raise TransportError("there is a username without a password", where=account.name, fix=fix)
    return account.password()


class _Opening:
    """The steps, each of which raises what stops it."""

    def __init__(self, account: SmtpAccount, *, known: bool) -> None:
        self._account = account
        self._unreached = TransportBusyError if known else TransportError

    def reach(self) -> Link:
        """Connect."""
        account = self._account
        try:
            sock = socket.create_connection((account.host, account.port), account.reach)
        except (OSError, ValueError) as error:  # ValueError: a host that is no name
            raise self._unreached(
                unreached(error, account.reach), where=account.name, fix=_WHERE
            ) from error
        # Else the end of each message waits for an acknowledgement, up to 40 ms.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        return Link(sock, name=account.ehlo_name, timeout=account.timeout)

    def greet(self, link: Link) -> None:
        """Hear the greeting, in TLS where it is spoken from the first octet."""
        if self._account.security == "tls":
            encrypt(link, self._account, lost=self._unreached)
        hint = "" if link.is_secure else TLS_AT_ONCE
        try:
            reply = link.answer(self._account.timeout)
        except LostError as error:
            link.close()
            what = f"no greeting: it {error}"
            raise self._unreached(what, where=self._account.name, fix=hint or _WHERE) from None
        if reply.kind not in {TAKEN, NOT_NOW, NEVER}:
            link.close()
            what = f"what answers is no mail server: {str(reply)[:60]!r}"
            raise TransportError(what, where=self._account.name, fix=hint or _WHERE)
        self._need(reply, "turned us away at the door")

    def introduce(self, link: Link) -> None:
        """Say EHLO, in TLS where it is begun by STARTTLS."""
        self._hello(link)
        if self._account.security != "starttls":
            return
        if not link.has_extn("starttls"):
            what = "encryption was not offered (no STARTTLS), so nothing was sent"
            fix = 'try security = "tls" with port 465, or another relay'
            raise TransportError(what, where=self._account.name, fix=fix)
        self._need(link.say("STARTTLS"), "did not begin encryption")
        if link.has_more:
            # Somebody between us may have put it there, to be taken for said in TLS.
            what = "said more in clear after STARTTLS, so nothing was sent"
            raise TransportError(what, where=self._account.name, fix="ask who runs the relay")
        encrypt(link, self._account, lost=self._unreached)
        self._hello(link)

    def log_in(self, link: Link, password: str) -> None:
        """Try to log in once, by one mechanism (RFC 4954), where there is a username."""
        account = self._account
        if not account.username:
            return
        if not (link.is_secure or _peer_is_loopback(link.sock)):
            what = "a login would go in clear, so it was not tried"
            raise TransportError(
                what, where=account.name, fix='set security to "starttls" or "tls"'
            )
        offered = link.esmtp_features.get("auth", "").upper().split()
        # Some offer none and take one all the same; nothing secret goes out before they ask for it.
        usable = offered or ["PLAIN"]
        mechanism = next((name for name in ("PLAIN", "LOGIN") if name in usable), "")
        if not mechanism:
            what = f"offers no login that we know, PLAIN or LOGIN, but {' '.join(offered)}"
            fix = "leave username out, or take the relay's port for senders, often 587 or 465"
            raise TransportError(what, where=account.name, fix=fix)
        reply = _authenticate(link, mechanism, user=account.username, password=password)
        otherwise = "refused the login" if offered else "offered no login and refused one"
        fix = "check username and password, and the port: for senders it is often 587 or 465"
        self._need(reply, otherwise, fix)

    @staticmethod
    def end(link: Link) -> None:
        """See that nothing more was said than was asked for."""
        if link.has_more:
            raise LostError("answered what was not yet asked")

    def _hello(self, link: Link) -> None:
        reply = link.hello("EHLO")
        needs_ehlo = self._account.security == "starttls" or self._account.username
        if reply.kind == NEVER and not needs_ehlo:
            reply = link.hello("HELO")
        self._need(reply, "did not accept our greeting")

    def _need(self, reply: Reply, otherwise: str, fix: str = "") -> None:
        """Go on after 2yz alone; 4yz is passing trouble."""
        if reply.kind == TAKEN:
            return
        what = f"{otherwise}: {reply}"
        if reply.kind == NOT_NOW:
            raise TransportBusyError(what, where=self._account.name, fix=_AGAIN)
        raise TransportError(what, where=self._account.name, fix=fix)


def _authenticate(link: Link, mechanism: str, *, user: str, password: str) -> Reply:
    """Send the words of PLAIN (RFC 4616) or LOGIN, each when it is asked for."""
    name, word = (text.encode("utf-8", "surrogateescape") for text in (user, password))
    plain = b64encode(b"\0" + name + b"\0" + word)
    words = [plain] if mechanism == "PLAIN" else [b64encode(name), b64encode(word)]
    secrets = (word, b64encode(word), plain)
    link.secrets = tuple(secret.decode("utf-8", "replace") for secret in secrets if secret)
    reply = link.say(f"AUTH {mechanism}")
    for answer in words:
        if reply.kind != GO_ON:
            break
        reply = link.say(answer.decode("ascii"))
    return reply


def _peer_is_loopback(sock: socket.socket) -> bool:
    return ip_address(sock.getpeername()[0]).is_loopback
