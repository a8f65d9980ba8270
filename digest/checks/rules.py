"""All rules, each with its reason and its cure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from digest.checks import (
    item_rules,
    language_rules,
    page_rules,
    picture_rules,
    send_rules,
    support,
)
from digest.checks.finding import Rule

__all__ = ["RULES"]

_ALL = (
    Rule(
        id="D101",
        level="error",
        title="no subject",
        why="A mail without a subject is taken for spam, and nobody can find it again.",
        fix="Write `subject` in the issue file, or mend `subject` under [newsletter].",
        find=item_rules.no_subject,
    ),
    Rule(
        id="D102",
        level="warning",
        title="subject over 60 characters (an error over 150)",
        why="A telephone shows about 40 characters of a subject, a wide window about 60.",
        fix="Write a shorter `subject` in the issue file, its weightiest words first.",
        find=item_rules.long_subject,
    ),
    Rule(
        id="D103",
        level="warning",
        title="no preheader, or the same as the subject",
        why="Mail programs show it beside the subject; without one they show what comes first.",
        fix="Write `preheader` in the issue file: what the subject had no room for.",
        find=item_rules.no_preheader,
    ),
    Rule(
        id="D104",
        level="warning",
        title="item without link",
        why="Readers cannot go on to the source; the title links to its place on the issue's page.",
        fix="Give the summary a `url` that starts with https://.",
        find=item_rules.item_without_link,
    ),
    Rule(
        id="D105",
        level="warning",
        title="duplicate link in this issue",
        why="Two links to one page are most often one summary twice, or a wrong address.",
        fix="Take one of them out, or correct its address.",
        find=item_rules.duplicate_link,
    ),
    Rule(
        id="D106",
        level="warning",
        title="link sent in the last 8 issues",
        why="Readers who remember it take the whole issue for old news.",
        fix="Take the item out of the issue file, or say in its text what is new.",
        find=item_rules.link_sent_before,
    ),
    Rule(
        id="D107",
        level="error",
        title="empty or missing summary",
        why="A title alone tells readers nothing, and an empty feed entry looks broken.",
        fix="Write the summary's text, or take the item out of the issue file.",
        find=item_rules.empty_summary,
    ),
    Rule(
        id="D108",
        level="error",
        title="left-over merge field or template mark",
        why="Every reader would see the bare field.",
        fix="Mend the template, the subject or the preheader that holds it.",
        find=page_rules.leftover_field,
    ),
    Rule(
        id="D109",
        level="warning",
        title="picture without alternative text",
        why="Many mail programs show no pictures at first, and some people see none.",
        fix="Say in words what the picture shows.",
        find=picture_rules.picture_without_alt,
    ),
    Rule(
        id="D110",
        level="warning",
        title="picture over 200 kB or without width",
        why="A heavy picture loads late on the road; one without width may burst the column.",
        fix="Save it smaller, at most 1200 pixels wide, as a file whose width can be read.",
        find=picture_rules.heavy_picture,
    ),
    Rule(
        id="D111",
        level="warning",
        title="http: link",
        why="Anybody on the way can read and change what the reader gets.",
        fix="Write https: where the page answers to it.",
        find=page_rules.unsafe_link,
    ),
    Rule(
        id="D112",
        level="warning",
        title='link text "here" or "read more"',
        why="Screen readers list links without the words around them (WCAG 2.4.9).",
        fix="Make the words that name the target the link.",
        find=page_rules.link_text,
    ),
    Rule(
        id="D113",
        level="warning",
        title="HTML over 80 kB (an error over 100 kB)",
        why="Gmail cuts a mail near 102 kB and hides the rest, with the way to leave.",
        fix="Take items out, or shorten their text.",
        find=page_rules.heavy_html,
    ),
    Rule(
        id="D114",
        level="warning",
        title="text part under 30 % of the words of the HTML",
        why="Some people read only the text part, and filters take a stub of one for spam.",
        fix="Mend `templates/letter.txt.j2`, so that it says what the HTML says.",
        find=page_rules.poor_text,
    ),
    Rule(
        id="D115",
        level="error",
        title="no way to leave",
        why="Law and mail providers ask for one in every mail, and readers press spam instead.",
        fix="Put [[leave_url]] into the templates of the mail, HTML and text.",
        find=page_rules.no_way_to_leave,
    ),
    Rule(
        id="D116",
        level="warning",
        title="no postal address",
        why="Several countries ask for the sender's postal address in every such mail.",
        fix="Set `postal_address` under [newsletter], or name D116 in `ignore` under [checks].",
        find=item_rules.no_postal_address,
    ),
    Rule(
        id="D117",
        level="warning",
        title="contrast of text under 4.5, or under 3 where it is large",
        why="In poor light, on poor screens and with poor eyes it cannot be read (WCAG 1.4.3).",
        fix="Change the colour of text or ground in `templates/letter.css.j2`.",
        find=page_rules.faint_text,
    ),
    Rule(
        id="D118",
        level="warning",
        title="feature that a mail program lacks",
        why="Who reads with such a program sees the mail otherwise than it was made, or not at "
        "all.",
        fix="Take it out of the template or the text, or name it under `accepted` in "
        "templates/support.json.",
        find=support.unsupported,
    ),
    Rule(
        id="D119",
        level="note",
        title="zero readers, or over 20 % more or fewer than last time (a warning)",
        why="With none nobody gets it by mail; a jump is most often a wrong import, or a loss.",
        fix="Look at `digest readers list`; add who is missing, or leave it at publishing.",
        find=send_rules.readers_changed,
    ),
    Rule(
        id="D120",
        level="warning",
        title="send time over by a day, or in an hour that the clocks skip or repeat",
        why="The schedule does not send it by itself any more, or at another time than expected.",
        fix="Move the items to a later issue, or set `send` under [schedule] to another hour.",
        find=send_rules.slot_out_of_order,
    ),
    Rule(
        id="D121",
        level="error",
        title="draft, withdrawn or embargoed item",
        why="Its author said that it must not go out, or not at this time.",
        fix="Take the item out of the issue file, or change `draft`, `withdrawn`, `not_before` or "
        "`not_after`.",
        find=item_rules.draft_or_embargoed,
    ),
    Rule(
        id="D122",
        level="warning",
        title="item in another script than its language, or that runs the other way",
        why="Voices read it by the wrong rules, fonts draw it wrong, and its lines start askew.",
        fix="Set `lang` in the summary's header, and `dir` where it does not follow from that.",
        find=language_rules.language_differs,
    ),
    Rule(
        id="D123",
        level="error",
        title="item that was in another issue",
        why="A summary goes out once; readers would get again what they have read.",
        fix="Run `digest drop` or `digest build --refill`, or give the summary a `cooldown`.",
        find=item_rules.already_in_issue,
    ),
    Rule(
        id="D124",
        level="warning",
        title="picture that cannot be shown",
        why="Readers get only a link to it, which may lead nowhere.",
        fix="Mend its address, or save it as PNG, JPEG, GIF or WebP inside the content folder.",
        find=picture_rules.broken_picture,
    ),
    Rule(
        id="D125",
        level="warning",
        title="item that was shortened to fit the mail",
        why="The whole issue is over `mail.budget`; Gmail would cut off its end.",
        fix="Shorten its text or give it a `summary`, take items out, or raise `mail.budget`.",
        find=page_rules.shortened_item,
    ),
    Rule(
        id="D126",
        level="warning",
        title="broken link (a note where it has moved or does not answer)",
        why="Readers who follow it find nothing.",
        fix="Correct the address, or name the new one; look again with `digest check --links`.",
        find=page_rules.broken_link,
    ),
)

RULES: Final[Mapping[str, Rule]] = MappingProxyType({rule.id: rule for rule in _ALL})
