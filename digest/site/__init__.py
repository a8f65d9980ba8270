"""What is looked at in a browser: the public pages, and the calendar of the coming issues."""

from digest.site.calendar import plan_calendar
from digest.site.calendar_style import CALENDAR_STYLE
from digest.site.layout import NAMES_WIDTH, CalendarWeek
from digest.site.pages import Channel, IssueLine, ItemLine, build_site

__all__ = [
    "CALENDAR_STYLE",
    "NAMES_WIDTH",
    "CalendarWeek",
    "Channel",
    "IssueLine",
    "ItemLine",
    "build_site",
    "plan_calendar",
]
