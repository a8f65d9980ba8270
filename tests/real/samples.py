"""Issues in three languages and sizes, written for these tests, and a newsletter made of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

__all__ = ["LANGUAGES", "NOW", "build", "content"]

NOW = ("--now", "2026-12-01T10:00:00+01:00")
LANGUAGES = {
    "en": (
        "What the tide gauge said, part {n}",
        (
            "The gauge at the old quay was read each morning for forty years, by three keepers in"
            " turn. Their notebooks show how slowly the harbour fills with silt, and in which years"
            " somebody dredged it. A table of their readings is on the web, and anybody may use it."
        ),
    ),
    "zh": (
        "潮位站的第{n}份记录",
        (
            "老码头的潮位计在四十年间每天早晨都有人读数,先后有三位看守人。他们的笔记本说明港口淤积得"
            "多么缓慢,以及哪些年份有人疏浚过。现在这些读数已经整理成表格放在网上,任何人都可以使用。"
        ),
    ),
    "ar": (
        "ما قاله مقياس المد، الجزء {n}",
        (
            "قرأ ثلاثة حراس مقياس المد عند الرصيف القديم كل صباح على مدى أربعين عاما. "
            "تبين دفاترهم كيف يمتلئ الميناء بالطمي ببطء، وفي أي السنوات جرفه أحد. نشر "
            "جدول قراءاتهم الآن على الشبكة، ويمكن لأي شخص أن يستعمله."
        ),
    ),
}


def content(language: str, count: int) -> dict[str, str | bytes]:
    """Give the files of so many summaries, by path."""
    title, text = LANGUAGES[language]
    return {
        f"content/gauge-{number:02d}.md": (
            f'---\ntitle: "{title.format(n=number)}"\ntheme: tides\nlang: {language}\n'
            f"url: https://gauge.example/{language}/{number}\ndate: 2026-11-{number:02d}\n---\n\n"
            f"{text} ({number})\n"
        )
        for number in range(1, count + 1)
    }


def build(
    digest: Callable[..., tuple[int, str, str]],
    root: Path,
    *settings: str,
    language: str = "en",
    count: int = 6,
) -> Path:
    """Build and publish one issue of a newsletter that holds the summaries; give its outbox."""
    words = (
        f"newsletter.language={language}",
        f"selection.max_items={count}",
        "selection.min_items=1",
        "selection.similarity=0",  # the summaries are alike on purpose
        *settings,
    )
    overrides = [part for word in words for part in ("--set", word)]
    for command in ("build", "publish"):
        code, out, err = digest(command, "-C", root, *overrides, *NOW)
        assert code == 0, out + err
    return root / "outbox"
