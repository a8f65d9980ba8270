"""What the cases share: an issue built and published by the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import Issue, read_forms

Digest = Callable[..., tuple[int, str, str]]


@pytest.fixture
def publish(digest: Digest) -> Callable[..., Issue]:
    """Give a function that builds and publishes an issue; both must end with 0."""

    def make(root: Path, *arguments: str, now: str = "2027-01-18T10:00:00+01:00") -> Issue:
        code, out, err = digest("-C", root, "build", "--json", "--now", now, *arguments)
        assert code == 0, err
        built = json.loads(out)
        key = built["issue"]
        code, _, later = digest("-C", root, "publish", key, "--now", now)
        assert code == 0, later
        forms = read_forms(root, key)
        return Issue(root=root, key=key, built=built, said=err + later, forms=forms)

    return make
