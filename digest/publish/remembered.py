"""What is remembered of the summaries of an issue: from the content, or from its edition."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from digest.content import ContentOptions, parse_summary
from digest.errors import ContentError
from digest.model import Issue, PastItem, Summary, canonical_url, sketch

__all__ = ["past_items", "remembered"]

_ERRORS = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, ContentError)


def past_items(issue: Issue, by_id: Mapping[str, Summary]) -> tuple[PastItem, ...]:
    """Give what is remembered of an issue's summaries; one no longer there keeps its id."""
    found = [(pick.id, by_id.get(pick.id)) for pick in issue.items]
    return tuple(
        PastItem(
            id=item_id,
            url=canonical_url(summary.url) if summary and summary.url else "",
            title=summary.title if summary else "",
            sketch=sketch(summary) if summary else b"",
        )
        for item_id, summary in found
    )


def remembered(folder: Path, *, site_url: str, zone: ZoneInfo) -> tuple[PastItem, ...]:
    """Give the items of a published issue as its edition holds them; empty without one.

    Content moves on after an issue is out: files are renamed, mended, removed.
    """
    try:
        manifest = json.loads((folder / "edition.json").read_bytes())
        own = f"{site_url}{manifest['issue']}.html#"
        texts = _sketches(folder / "inputs", zone=zone)
        return tuple(
            PastItem(
                id=item["id"],
                url="" if item["url"].startswith(own) else canonical_url(item["url"]),
                title=item["title"],
                sketch=texts.get(item["id"], b""),
            )
            for item in manifest["items"]
        )
    except _ERRORS:
        return ()


def _sketches(inputs: Path, *, zone: ZoneInfo) -> dict[str, bytes]:
    """Sketch the kept summaries of an edition, by id; those that cannot be read are left out."""
    try:
        context: dict[str, Any] = json.loads((inputs / "context.json").read_bytes())
        options = ContentOptions(aliases=context["aliases"])
        names = dict[str, str](context["summaries"])
    except _ERRORS:
        return {}
    found: dict[str, bytes] = {}
    for name, path in names.items():
        try:
            data = (inputs / name).read_bytes()
            kept, _ = parse_summary(data, path=path, where=path, zone=zone, options=options)
        except _ERRORS:
            continue
        found[kept.id] = sketch(kept)
    return found
