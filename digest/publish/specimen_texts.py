"""What the specimen issues say: summaries as files, written for this purpose alone.

Each shows something that a look must bear: a table, code, formulas, footnotes, a word without end,
a text from right to left.
"""

# ruff: noqa: RUF001 - people write the signs of their own scripts

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["ARABIC", "CHINESE", "ENGLISH", "INTRODUCTIONS", "LONG"]

INTRODUCTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": (
            "This issue goes to nobody. It shows *everything* that a look must bear, from a "
            "[plain link](https://harbour.example/begin) to `code`, so that nothing of it is a "
            "surprise on the day it matters.\n\n"
            "- Open it on a wide screen and on a narrow one.\n"
            "- Then switch the pictures off."
        ),
        "ar": "هذا عدد للتجربة فقط، ولا يصل إلى أحد. يبيّن كيف تبدو **الرسالة** من اليمين.",
        "zh": "这一期只用来试排，不会寄给任何人。它让人看到**中文**、数字和标点怎样排在一起。",
    }
)

_TIDES: Final = """\
---
title: Tide tables drawn up from the notebooks of four harbour pilots
date: 2026-11-24
url: https://harbour.example/tides?from=1911&to=1938
source: Harbour Quarterly
authors: [Ada Quill, Björn Ek, Chiara Rossi, Dembe Okello, Ewa Żak]
image: {url: figures/tides.png, alt: "Two lines rise and fall; the newer one leads by an hour"}
links:
  - {label: The notebooks as pictures, url: "https://harbour.example/notebooks"}
  - {label: Write to the pilots, url: "mailto:pilots@harbour.example"}
tags: [water]
lang: en
---

Four pilots wrote down every high water for "twenty-seven years"; nobody had added the figures up
until now. The new table is *within nine minutes* of the gauge on all but **three** days, and the
[method](https://harbour.example/method) fits on a page.

What made the difference was patience: each entry was read twice, by two people who did not know
of each other, and wherever they disagreed a third one looked -- with the sea before them.
"""
_RAIN: Final = """\
---
title: Rain in a valley, and how much of it four gauges miss
date: 2026-11-23
url: https://weather.example/rain
source: Weather Notes
authors: [Fatima Noor, Goran Hill]
tags: [water]
lang: en
---

Four kinds of gauge stood side by side for a year. Wind was what they differed by.

| Gauge | Height | Rain in a year | Missed |
|:--|--:|--:|:-:|
| Plain funnel | 1.0 m | 812 mm | 9 % |
| Funnel with a ring of slats | 1.0 m | 871 mm | 2 % |
| Tipping bucket | 1.5 m | 779 mm | 13 % |
| Pit in the ground | 0.0 m | 892 mm | none |

The pit wins, and it costs $5 and $10 of gravel.
"""
_CODE: Final = """\
---
title: "A script of nine lines that sorts letters & bills <by sender>"
date: 2026-11-22
url: https://tools.example/sort
source: Tools at Home
authors: [Hana Mori]
tags: [tools]
lang: en
---

It reads a folder, asks `file --brief` what each thing is, and moves it. A run changes nothing
until you say `--move`.

```sh
for letter in inbox/*; do
    if [[ -n $letter ]]; then
        sender=$(head -n 1 "$letter" | cut -d '<' -f 2 | tr -d '>' | tr '[:upper:]' '[:lower:]')
        mkdir -p "sorted/$sender" && echo "$letter -> sorted/$sender"
    fi
done
```

What it cannot place stays where it is; see [[Left over]] in the notes.
"""
_FORMULA: Final = r"""---
title: How far a pendulum can swing before its clock goes wrong
date: 2026-11-21
url: https://clocks.example/swing
source: Clock Room
authors: [Ines Vale, Jun Park]
tags: [tools]
lang: en
---

For a small angle \(\theta_0\) the period is \(T = 2\pi\sqrt{L/g}\), whatever the weight. The first
correction grows with the square of the angle:

\[ T \approx 2\pi\sqrt{\frac{L}{g}} \left( 1 + \frac{\theta_0^2}{16} \right) \]

At \(\theta_0 = 0.2\) that is \(\sum_{i=1}^{n} x_i^2 \le 4\) minutes a day.
"""
_NOTES: Final = """\
---
title: Names of winds, and where they stop
date: 2026-11-20
url: https://winds.example/names
source: Weather Notes
authors: [Kofi Mensah]
tags: [water]
lang: en
---

On this coast a wind has a name only as far as its bell is heard.[^bell] Beyond that it is weather.

Landward breeze
: What fills in before noon and dies at dusk.

Old wife
: A gust round a corner; said to be late for market.

#### What the names have in common

1. They are short.
2. They are about people:
   - relatives,
   - neighbours,
     and now and then a priest.
3. No two harbours share one.

> We never named the calm. You do not call what you are waiting for.

[^bell]: The bell of the lighthouse, about four miles on a still day.
"""
_PICTURES: Final = """\
---
title: Three ways to draw one harbour
date: 2026-11-19
url: https://maps.example/harbour
source: Map Sheet
authors: [Lea Brandt, Mo Adeyemi]
tags: [maps]
lang: en
---

The first map has every stone and no depth.

![A map in two colours: the quay is dark, the water light](figures/harbour.png)

The second is [![A small seal with a star on it](figures/seal.png)](https://maps.example/seal) a
seal that fits on a thumb. The third one hangs [elsewhere](https://maps.example/third):
![The town from above](https://maps.example/third.png)
"""
_MARKUP: Final = """\
---
title: What remains of a page that was written by hand
date: 2026-11-18
tags: [maps]
lang: en
---

A <abbr title="Hypertext Markup Language">HTML</abbr> fragment may hold <kbd>Ctrl</kbd>,
H<sub>2</sub>O, x<sup>2</sup>, <mark>a mark</mark>, <ins>what came in</ins> and ~~what went out~~.

<details><summary>A word on method</summary>Nothing here needs a script.</details>

---

It has no address of its own, so its title leads to its place on the page. 🙂 It counts 1–3,
“quotes” and an ellipsis … as one character each.
"""
_REPEAT: Final = """\
---
title: A lighthouse keeper’s year
date: 2026-05-04
url: https://harbour.example/keeper
source: Harbour Quarterly
tags: [people]
lang: en
---

It was sent in spring and comes again, since the lamp is lit anew.
"""
_WORDS: Final = f"""\
---
title: "Pneumonoultramicroscopicsilicovolcanoconiosis{"ness" * 24}, and other words without a gap"
date: 2026-11-17
url: https://words.example/{"a-path-that-does-not-end/" * 9}
source: {"Longjournaltitle" * 6}
authors: [Nils {"Oberst" * 12}]
tags: [words]
lang: en
---

A line must break somewhere: {"donaudampfschifffahrt" * 9} and
<https://words.example/{"segment/" * 24}> and `{"identifier_" * 16}end`.

| {"Headingwithoutgap" * 4} | Second | Third | Fourth | Fifth | Sixth |
|---|---|---|---|---|---|
| one | {"cell" * 20} | three | four | five | six |
"""

ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tides": _TIDES,
        "rain": _RAIN,
        "sort": _CODE,
        "pendulum": _FORMULA,
        "winds": _NOTES,
        "maps": _PICTURES,
        "by-hand": _MARKUP,
        "keeper": _REPEAT,
        "words": _WORDS,
    }
)

_PARAGRAPH: Final = (
    "The survey went on, station by station, and at each of them the same three things were "
    "written down: the hour, the depth, and who had held the line. "
)


def _long(place: int) -> str:
    body = "\n\n".join(
        f"Station {place}.{part}. {_PARAGRAPH * (2 + (place + part) % 3)}".rstrip()
        for part in range(1, 4 + place)
    )
    return f"""\
---
title: The long survey, part {place}
date: 2026-11-1{place}
url: https://survey.example/{place}
source: Survey Papers
authors: [Olu Bright]
tags: [maps]
lang: en
---

{body}
"""


LONG: Final[Mapping[str, str]] = MappingProxyType(
    {f"survey-{place}": _long(place) for place in range(1, 7)}
)

ARABIC: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sea": """\
---
title: كيف يقيس أهل الساحل ارتفاع البحر منذ 1911
date: 2026-11-24
url: https://harbour.example/ar/sea
source: مجلة المرفأ
authors: [سلمى ناصر, كريم عادل]
tags: [water]
lang: ar
---

يكتب البحّارة كل صباح رقماً واحداً في دفتر قديم، ثم يقارنونه بما كتبه **آباؤهم**. الفرق اليوم
14 سنتيمتراً، وهو [أكبر مما ظنّوا](https://harbour.example/ar/more).

1. اقرأ العلامة على الحجر.
2. اكتب الساعة، مثل 09:30.

> لا يكذب الحجر.
""",
        "code": """\
---
title: أمر واحد يرتّب الرسائل
date: 2026-11-23
url: https://tools.example/ar/sort
source: أدوات البيت
authors: [هدى منير]
tags: [tools]
lang: ar
---

يكفي أن تكتب `sort --by sender` في السطر الأول، ثم تنظر في الجدول:

| الاسم | العدد |
|---|---|
| رسائل | 12 |
| فواتير | 7 |

```sh
sort --by sender inbox/ > sorted.txt
```
""",
        "hebrew": """\
---
title: מגדלור קטן ליד הנמל הישן
date: 2026-11-22
url: https://harbour.example/he/light
source: עיתון הנמל
tags: [water]
lang: he
---

כל ערב נדלקת אותה המנורה, ובכל בוקר מישהו מכבה אותה ביד.
""",
        "latin": """\
---
title: One item in English within an issue from right to left
date: 2026-11-21
url: https://harbour.example/mixed
source: Harbour Quarterly
authors: [Ada Quill]
tags: [water]
lang: en
---

It runs the other way, and its full stop stands at the right end.
""",
    }
)

CHINESE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "river": """\
---
title: 一条小河二十年的水位记录说明了什么
date: 2026-11-24
url: https://harbour.example/zh/river
source: 港口季刊
authors: [林小雨, 陈大海]
tags: [water]
lang: zh
---

每天早上八点，管桥的人在本子上写下一个数字。二十年过去，这些数字连成了一条线：春天升，秋天降，
而**最低的一点**每年都比前一年高 3 毫米。[全部记录](https://harbour.example/zh/data)已经公开。

- 写下时间；
- 写下水位；
- 写下自己的名字。
""",
        "emoji": """\
---
title: 把天气画成表情 ☔️🌤️👩‍🔬 的一次试验
date: 2026-11-23
url: https://weather.example/zh/emoji
source: 天气笔记
tags: [tools]
lang: zh
---

孩子们用 🌧️、⛅ 和 ☀️ 记录天气，结果与仪器相差不大。代码只有一行：`count("☔")`。
""",
        "japanese": """\
---
title: 灯台のあかりを守る人
date: 2026-11-22
url: https://harbour.example/ja/light
source: 港の便り
tags: [water]
lang: ja
---

毎晩、同じ時刻に灯をともす。それだけの仕事が、四十年続いた。
""",
    }
)
