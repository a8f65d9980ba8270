"""The colours and type of the calendar: those of the default look, light and dark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from digest.model import COLOURS

__all__ = ["CALENDAR_STYLE", "DARK", "LIGHT"]

LIGHT: Final[Mapping[str, str]] = {
    "card": "#fff",
    "text": "#1f2328",
    "muted": "#565e68",
    "rule": "#d8dbe0",
    "soft": "#ecebe7",
    "blue": "#0b4a9e",
    "blue-on": "#e3eefc",
    "teal": "#0a5a55",
    "teal-on": "#ddf3f0",
    "green": "#1f5c2b",
    "green-on": "#e2f3e4",
    "amber": "#744600",
    "amber-on": "#fcefd6",
    "rust": "#8a3214",
    "rust-on": "#fbe6de",
    "magenta": "#842667",
    "magenta-on": "#f9e3f1",
    "violet": "#54309b",
    "violet-on": "#ece6fb",
    "slate": "#3d4957",
    "slate-on": "#e8ecf0",
}
DARK: Final[Mapping[str, str]] = {
    "card": "#1c1f24",
    "text": "#e7e9ec",
    "muted": "#a7afb9",
    "rule": "#363b43",
    "soft": "#22262c",
    "blue": "#a9ccff",
    "blue-on": "#16263d",
    "teal": "#8fe0d6",
    "teal-on": "#0f2b29",
    "green": "#a3ddae",
    "green-on": "#14291a",
    "amber": "#f3ce8a",
    "amber-on": "#33260f",
    "rust": "#f6b69e",
    "rust-on": "#381d14",
    "magenta": "#f0aeda",
    "magenta-on": "#351627",
    "violet": "#cbb8fa",
    "violet-on": "#241a3c",
    "slate": "#c3ccd6",
    "slate-on": "#262c33",
}


def _tokens(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in colours.items())


_THEMES: Final = "\n".join(
    f".plan-full-{name} {{ fill: var(--{name}); }}\n"
    f".plan-part-{name} {{ fill: var(--{name}-on); }}\n"
    f".plan-stripes-{name} {{ stroke: var(--{name}); }}"
    for name in COLOURS
)
_FONTS: Final = (
    "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', "
    "'PingFang SC', 'Hiragino Sans', 'Microsoft YaHei', sans-serif"
)

# `.plan` holds its own colours: it stands alone as a file as well as in a page. No rule looks at
# what an element stands in, since a copy by `use` stands in nothing.
CALENDAR_STYLE: Final = f"""
.plan {{ color-scheme: light dark; {_tokens(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ .plan {{ {_tokens(DARK)} }} }}
.plan {{ font: 13px {_FONTS}; fill: var(--muted); }}
.plan-week, .plan-when, .plan-thin, .plan-count {{ text-anchor: middle; }}
.plan-name, .plan-week {{ fill: var(--text); }}
.plan-week, .plan-count {{ font-weight: 600; }}
.plan-count {{ font-size: 15px; font-variant-numeric: tabular-nums; }}
.plan-lead, .plan-ground {{ fill: var(--card); }}
.plan-line {{ stroke: var(--rule); stroke-width: 1; }}
.plan-stripes {{ stroke: var(--rule); stroke-width: 3; }}
.plan-gap {{ fill: var(--soft); }}
.plan-ring {{ fill: none; stroke: var(--muted); stroke-width: 1.5; }}
.plan-dot {{ fill: var(--text); }}
.plan-out {{ fill: var(--green); }}
.plan-tick {{ fill: none; stroke: var(--card); stroke-width: 1.5; }}
.plan-dash {{ stroke: var(--muted); stroke-width: 2; }}
.plan-thin {{ fill: var(--amber); font-weight: 600; }}
{_THEMES}
"""
