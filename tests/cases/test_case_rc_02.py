"""RC-02: one bad address among five neither stops the others nor is tried for ever."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cases.inputs import both
from cases.scripts import relay_of
from cases.sending import by_relay, with_people

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_PEOPLE = "email,name,status\n" + "".join(
    f"reader0{n}@harbour.example,Reader {n},active\n" for n in range(1, 6)
)
_OURS = {
    "people.csv": _PEOPLE,
    "server.txt": "rcpt=reader02@harbour.example RCPT -> 450 4.1.2 no such domain yet\n"
    "rcpt=reader03@harbour.example RCPT -> 550 5.1.1 nobody of this name\n",
}


def _states(digest: Digest, root: Path) -> dict[str, tuple[str, str]]:
    told = json.loads(digest("-C", root, "readers", "list", "--json", *_NOW)[1])["readers"]
    return {one["email"].partition("@")[0]: (one["state"], one["reason"]) for one in told}


@both("RC-02", _OURS, "*.*")
def test_rc_02_others_get_their_mail(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """1, 4 and 5 are served now, 2 waits, 3 is kept with its code and not tried next week."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files["server.txt"].decode(), encrypted=False) as relay:
        code, out, err = digest("-C", root, "send", "--json", "--yes", *by_relay(relay), *_NOW)
        told: dict[str, Any] = json.loads(out)
        assert code == 5
        assert (told["accepted"], told["pending"], told["refused"]) == (3, 1, 1)
        assert "550 5.1.1" in err
        assert sorted(kept.recipients[0].partition("@")[0] for kept in relay.kept) == [
            "reader01",
            "reader04",
            "reader05",
        ]
        # One address for each transaction, and in no mail another's.
        for kept in relay.kept:
            assert len(kept.recipients) == 1
            assert kept.data.count(b"@".join(kept.recipients[0].encode().split(b"@"))) == 1
            assert sum(b"reader0%d" % n in kept.data for n in range(1, 6)) == 1
        states = _states(digest, root)
        assert states["reader02"][0] == "active"
        assert states["reader03"][0] == "suppressed"
        assert states["reader03"][1].startswith("550 5.1.1")

        relay.heal()
        week = ("--now", "2027-01-25T10:00:00+01:00")
        (root / "content/next.md").write_text("---\ntitle: Piers\n---\n\nThey stand in water.\n")
        assert digest("-C", root, "send", "2027-w03", "--yes", *by_relay(relay), *week)[0] == 0
        assert digest("-C", root, "build", *week)[0] == 0
        assert digest("-C", root, "send", "--yes", *by_relay(relay), *week)[0] == 0
        assert len(relay.commands("RCPT TO:<reader03@")) == 1
        assert len(relay.kept) == 4 + 4
