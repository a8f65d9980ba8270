"""The command that proves a received mail: verify-mail."""

from __future__ import annotations

from typing import Final

import click

from digest.cli.call import Call, Command
from digest.cli.mail_file import read_mail_file
from digest.publish.verify_mail import VerifiedMail, verify_mail

__all__ = ["verify_mail_command"]


@click.command("verify-mail", cls=Command, short_help="Prove that a mail is what was published.")
@click.argument("file", type=click.Path(allow_dash=True))
@click.pass_obj
def verify_mail_command(call: Call, *, file: str) -> int:
    """Prove that a received mail, a FILE.eml or - for stdin, is a published edition.

    Compared are header, text, HTML and enclosed pictures; a reader's name and address are taken
    from To. What mail programs may read in two ways is a difference. It does not tell who sent the
    mail. Exit 1 where it is not what was published, 2 where it is no mail of this newsletter.
    """
    project = call.project()
    verified = verify_mail(project, read_mail_file(file), name=file)
    call.say(_verdict(verified))
    for difference in verified.differences:
        call.say(f"  {difference}")
    call.answer(
        {
            "issue": verified.key,
            "state": verified.state,
            "identical": verified.identical,
            "differences": list(verified.differences),
            "fields": list(verified.fields),
        }
    )
    return 0 if verified.identical and verified.state == "published" else 1


_TOLD: Final = {
    "published": "the published edition",
    "withdrawn": "an edition that was published, and withdrawn since",
    "draft": "a draft that is not published",
    "other": "an edition that is not the one that was published",
}


def _verdict(verified: VerifiedMail) -> str:
    key, state = verified.key, verified.state
    if state in {"test", "notice"}:
        return f"{key}: names itself a {state} for the editors, not what readers got"
    if not verified.identical:
        return f"{key}: differs from {_TOLD[state]}"
    fields = f"; taken from To: {', '.join(verified.fields)}" if verified.fields else ""
    return f"{key}: identical to {_TOLD[state]}{fields}"
