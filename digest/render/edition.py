"""An edition: each part rendered, proved to hold every item, and its merge fields filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from digest.model import (
    OTHER,
    Edition,
    EditionItem,
    FieldPlace,
    Issue,
    Newsletter,
    Picture,
    Summary,
    Theme,
)
from digest.model.limits import FILLED
from digest.render.addresses import leave_url
from digest.render.compose import compose
from digest.render.fields import Fields, fill, hide_fields
from digest.render.fit import fit
from digest.render.letter import Letter
from digest.render.mail import MAIL, render_mail
from digest.render.presence import prove_html, prove_text
from digest.render.sections import Material
from digest.render.template_set import TemplateSet
from digest.render.templates import environment, render_template
from digest.render.text import TEXT, render_text
from digest.render.untracked import prove_untracked
from digest.render.words import WORDS, Words, read_words

__all__ = ["render"]

_PAGE: Final = "page.html.j2"
_ENTRY: Final = "entry.html.j2"


def render(  # noqa: PLR0913 - what an edition is made of, all by name
    issue: Issue,
    *,
    number: int,
    summaries: Mapping[str, Summary],
    newsletter: Newsletter,
    themes: tuple[Theme, ...],
    templates: TemplateSet,
    pictures: Mapping[str, Picture],
    commits: Mapping[str, str],
) -> Edition:
    """Render an issue, as `digest.render.render_edition` says."""
    picked = {pick.id: summaries.get(pick.id) for pick in issue.items}
    content = repr((issue, picked, newsletter, themes))
    hidden, fields = hide_fields(templates, content=content)
    words = read_words(environment(hidden), place=hidden.place(WORDS), needed=_needed(issue))
    material = Material(
        issue=issue,
        number=number,
        summaries=summaries,
        newsletter=newsletter,
        themes=themes,
        words=words,
        pictures=pictures,
        commits=commits,
    )
    return _Press(templates=hidden, fields=fields, words=words, material=material).edition()


def _needed(issue: Issue) -> frozenset[str]:
    """Name the words that this issue needs, and others seldom do."""
    return frozenset({"repeat"} if any(pick.repeat for pick in issue.items) else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Press:
    """Makes the parts of one edition, one after the other."""

    templates: TemplateSet
    fields: Fields
    words: Words
    material: Material

    def edition(self) -> Edition:
        """Make all parts, prove each, and put them together."""
        budget = self.material.newsletter.budget
        budget = max(budget - FILLED, 1) if budget else 0
        letter, html = fit(compose(self.material), html_of=self._mail, budget=budget)
        self._require_words(letter)
        values = {"letter": letter, "words": self.words}
        text = render_text(environment(self.templates), values)
        prove_html(html, letter, place=self.templates.place(MAIL), rests=True)
        prove_untracked(html, self.fields, place=self.templates.place(MAIL))
        prove_text(text, letter, place=self.templates.place(TEXT))
        own = {
            "issue.html": self._filled("issue.html", html),
            "issue.txt": self._filled("issue.txt", text),
        }
        edition = Edition(
            key=self.material.issue.key,
            number=self.material.number,
            slot=self.material.issue.slot.at,
            subject=letter.subject,
            preheader=letter.preheader,
            title=letter.title,
            summary=letter.summary,
            theme=self.material.issue.theme,
            items=_items(letter),
            tags=_tags(letter),
            files={name: data for name, (data, _) in own.items()},
            fields={name: places for name, (_, places) in own.items()},
        )
        files = {**edition.files, **self._public(letter, imprint=edition.imprint)}
        return replace(edition, files={**files, **self._pictures()})

    def _mail(self, letter: Letter) -> str:
        values = {"letter": letter, "words": self.words}
        return render_mail(self.templates, values, title=letter.subject)

    def _require_words(self, letter: Letter) -> None:
        """Ask for the words that only some issues need."""
        needed = {
            "rest": any(item.rest for item in letter.items),
            "source": any(item.source_url for item in letter.items),
        }
        names = frozenset(name for name, wanted in needed.items() if wanted)
        read_words(environment(self.templates), place=self.templates.place(WORDS), needed=names)

    def _public(self, letter: Letter, *, imprint: str) -> dict[str, bytes]:
        """Make the page, which names the edition, and the body of the feed entry."""
        made = {}
        values = {"letter": letter, "words": self.words, "imprint": imprint}
        for file, name in (("page.html", _PAGE), ("entry.html", _ENTRY)):
            html = render_template(environment(self.templates), name, values)
            prove_html(html, letter, place=self.templates.place(name))
            if name == _ENTRY:
                prove_untracked(html, self.fields, place=self.templates.place(name))
            made[file] = self._filled(file, html)[0]
        return made

    def _pictures(self) -> dict[str, bytes]:
        """Give the files of the pictures: with them the edition can be made again from itself."""
        return {
            f"pictures/{picture.name}": picture.data
            for _, picture in sorted(self.material.pictures.items())
        }

    def _filled(self, name: str, text: str) -> tuple[bytes, tuple[FieldPlace, ...]]:
        values = {"leave_url": leave_url(self.material.newsletter), "name": "", "address": ""}
        as_html = name.endswith(".html")
        return fill(text.strip() + "\n", self.fields, values, as_html=as_html)


def _tags(letter: Letter) -> tuple[str, ...]:
    """Give the labels of the themes; `other` alone says nothing."""
    badges = [section.badge for section in letter.sections]
    return () if [badge.id for badge in badges] == [OTHER.id] else tuple(b.label for b in badges)


def _items(letter: Letter) -> tuple[EditionItem, ...]:
    return tuple(
        EditionItem(
            id=item.id,
            title=item.title,
            url=item.url,
            anchor=item.anchor,
            theme=item.badge.id,
            authors=item.authors,
            path=item.path,
            commit=item.commit,
            shortened=bool(item.rest),
        )
        for item in letter.items
    )
