"""The picture files that a text names, found by the renderer itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from urllib.parse import unquote, urlsplit

from digest.model import Newsletter
from digest.render.addresses import content_base, web_url
from digest.render.markdown import markdown_html
from digest.render.pictures import content_path, named_in

__all__ = ["picture_paths"]

# Nobody's (RFC 2606 §2): what comes to stand there was written as a path.
_NOWHERE: Final = "https://content.invalid"


def picture_paths(
    text: str, *, path: str, newsletter: Newsletter, extra: str = ""
) -> tuple[str, ...]:
    """Give the paths in the content folder, in NFC, of the pictures that a file names as paths.

    `text` is its Markdown, `path` its own path there, empty for what belongs to none; `extra` is
    one more address, that of its header. Each path comes once, in order; one that leads out of the
    folder begins with `..`. Addresses with a scheme or a host are no paths.
    """
    near = replace(newsletter, site_url=_NOWHERE + (urlsplit(newsletter.site_url).path or "/"))
    base = content_base(near, path)
    named = [
        web_url(extra, base=base),
        *named_in(markdown_html(text, base=base, dollars=newsletter.dollar_maths)),
    ]
    paths = (_path(url, site=content_base(near)) for url in named if url.startswith(_NOWHERE))
    return tuple(dict.fromkeys(filter(None, paths)))


def _path(url: str, *, site: str) -> str:
    """Give the path that an address below `site` means, or one that leads out of the folder."""
    return content_path(url, site=site) or f"..{unquote(urlsplit(url).path)}"
