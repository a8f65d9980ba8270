"""How names of CSS and HTML lead to features, named as caniemail.com does."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = [
    "ATTRIBUTES",
    "BUTTONS",
    "COMBINED",
    "ELEMENTS",
    "FUNCTIONS",
    "INPUTS",
    "MEDIA",
    "PAIRS",
    "SIMPLE",
    "WORDS",
    "picture_features",
    "property_feature",
    "pseudo_feature",
]

_PROPERTIES: Final = {
    **dict.fromkeys(("left", "right", "top", "bottom"), "css-left-right-top-bottom"),
    **dict.fromkeys(("gap", "column-gap", "row-gap"), "css-gap"),
    **dict.fromkeys(("border-block", "border-inline"), "css-border-inline-block"),
    **dict.fromkeys(("margin-block", "margin-inline"), "css-margin-inline-block"),
    **dict.fromkeys(("padding-block", "padding-inline"), "css-padding-inline-block"),
    "block-size": "css-block-inline-size",
    "border-collapse": "css-border-collapse",
    "border-spacing": "css-border-spacing",
    "columns": "css-column-layout-properties",
    "outline-offset": "css-outline-offset",
    "overflow-wrap": "css-overflow-wrap",
}
# Whole names of further properties, and what the first that fits leads to; all others stand for
# themselves.
_FAMILIES: Final = tuple(
    (re.compile(pattern), feature)
    for pattern, feature in (
        (r"column-(?:fill|rule(?:-\w+)?|span|width)", "css-column-layout-properties"),
        (r"border-(?:top|bottom)-(?:left|right)-radius", "css-border-radius"),
        (r"border-(?:start|end)-(?:start|end)-radius", "css-border-radius-logical"),
        (
            r"border-(?:block|inline)-(?:start|end|color|style|width)",
            "css-border-inline-block-individual",
        ),
        (
            r"border-(?:block|inline)-(?:start|end)-(?:color|style|width)",
            "css-border-inline-block-longhand",
        ),
        (r"(margin|padding)-(block|inline)-(?:start|end)", r"css-\1-\2-start-end"),
        (r"(border-image|grid-template|scroll-snap)-[\w-]+", r"css-\1"),
        (r"(border)-(?:top|bottom|left|right|color|style|width)(?:-\w+)?", r"css-\1"),
        (r"(animation|margin|outline|overflow|padding|transform|transition)-[\w-]+", r"css-\1"),
        (r"(.+)", r"css-\1"),
    )
)
PAIRS: Final = {
    ("display", "flex"): "css-display-flex",
    ("display", "inline-flex"): "css-display-flex",
    ("display", "grid"): "css-display-grid",
    ("display", "inline-grid"): "css-display-grid",
    ("display", "none"): "css-display-none",
}
FUNCTIONS: Final = {
    **{name: f"css-function-{name}" for name in ("clamp", "light-dark", "max", "min")},
    **{
        f"{repeat}{kind}-gradient": f"css-{kind}-gradient"
        for repeat in ("", "repeating-")
        for kind in ("conic", "linear", "radial")
    },
    **dict.fromkeys(("lab", "lch", "oklab", "oklch"), "css-modern-color"),
    "calc": "css-unit-calc",
    "rgb": "css-rgb",
    "rgba": "css-rgba",
    "var": "css-variables",
}
WORDS: Final = {
    **dict.fromkeys(("fit-content", "max-content", "min-content"), "css-intrinsic-size"),
    **dict.fromkeys(
        ("system-ui", "ui-monospace", "ui-rounded", "ui-sans-serif", "ui-serif"), "css-sytem-ui"
    ),
    "initial": "css-unit-initial",
}
# Between two selectors, by the mark; white space alone is no mark.
COMBINED: Final = {
    ">": "css-selector-child",
    "+": "css-selector-adjacent-sibling",
    "~": "css-selector-general-sibling",
    "": "css-selector-descendant",
}
SIMPLE: Final = {
    "#": "css-selector-id",
    ".": "css-selector-class",
    "[": "css-selector-attribute",
    "*": "css-selector-universal",
}
MEDIA: Final = {
    **dict.fromkeys(("hover", "any-hover"), "css-at-media-hover"),
    **dict.fromkeys(
        ("device-pixel-ratio", "min-device-pixel-ratio", "max-device-pixel-ratio"),
        "css-at-media-device-pixel-ratio",
    ),
    "orientation": "css-at-media-orientation",
    "prefers-color-scheme": "css-at-media-prefers-color-scheme",
    "prefers-reduced-motion": "css-at-media-prefers-reduced-motion",
}
_PSEUDO_ELEMENTS: Final = frozenset(
    {"after", "before", "first-letter", "first-line", "marker", "placeholder"}
)

ATTRIBUTES: Final = {
    **{
        name: f"html-{name}"
        for name in (
            *("align", "aria-describedby", "aria-hidden", "aria-label", "aria-labelledby"),
            *("aria-live", "background", "cellpadding", "cellspacing", "dir", "height", "hidden"),
            *("lang", "popover", "required", "role", "srcset", "target", "valign", "width"),
        )
    },
    "inert": "css-inert-attribute",
    "loading": "html-loading-attribute",
    "sizes": "html-srcset",
    "usemap": "html-image-maps",
}
# Elements that stand for themselves, then those that share a feature.
ELEMENTS: Final = {
    **{
        name: f"html-{name}"
        for name in (
            *("abbr", "acronym", "address", "audio", "base", "bdi", "blockquote", "body", "code"),
            *("del", "dfn", "dialog", "div", "form", "hr", "img", "link", "marquee", "meter"),
            *("object", "p", "picture", "pre", "progress", "rp", "rt", "ruby", "select", "small"),
            *("span", "strike", "strong", "style", "svg", "table", "textarea", "video", "wbr"),
        )
    },
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "html-h1-h6"),
    **dict.fromkeys(("dd", "dl", "dt", "li", "ol", "ul"), "html-lists"),
    **dict.fromkeys(
        (
            *("article", "aside", "details", "figcaption", "figure", "footer", "header", "main"),
            *("mark", "nav", "section", "summary", "time"),
        ),
        "html-semantics",
    ),
    **dict.fromkeys(("area", "map"), "html-image-maps"),
}
INPUTS: Final = frozenset({"checkbox", "hidden", "radio", "reset", "submit", "text"})
BUTTONS: Final = frozenset({"reset", "submit"})
_ENDINGS: Final = {"heic": "heif", "jpeg": "jpg", "tif": "tiff"}


@lru_cache(maxsize=1024)
def property_feature(name: str) -> str:
    """Give the feature of a property in lower case, without the prefix of a browser's maker."""
    if name in _PROPERTIES:
        return _PROPERTIES[name]
    matches = ((pattern.fullmatch(name), feature) for pattern, feature in _FAMILIES)
    return next((match.expand(feature) for match, feature in matches if match), "")


def pseudo_feature(name: str) -> str:
    """Give the feature of a pseudo-class or pseudo-element, by its name without colons."""
    kind = "element" if name in _PSEUDO_ELEMENTS else "class"
    return f"css-pseudo-{kind}-{name}"


def picture_features(address: str) -> tuple[str, ...]:
    """Give the features of showing a picture: its format, as far as its address tells, and how."""
    if address.strip()[:11].lower() == "data:image/":
        ending = re.split("[;,+]", address.strip()[11:], maxsplit=1)[0]
    else:
        # A `cid:` address has the domain of the sender behind the name.
        name = re.split("[?#@]", address, maxsplit=1)[0].rpartition("/")[2]
        ending = name.rpartition(".")[2]
    ending = ending.strip().lower()
    format_feature = f"image-{_ENDINGS.get(ending, ending)}"
    return (format_feature, "image-base64") if ";base64," in address else (format_feature,)
