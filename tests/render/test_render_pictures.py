"""Pictures: an issue's own are shown with their size, others are led to; and which they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any, Final, Literal
from unicodedata import normalize
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import Edition, Image, Issue, Newsletter, Picture, Summary
from digest.render.letter import Figure
from digest.render.markdown import markdown_html
from digest.render.picture_paths import picture_paths
from digest.render.pictures import Form, Pictures

Build = Callable[..., Edition]
Read = Callable[..., Any]
Way = Literal["link", "cid", "none"]

FORMS: Final[tuple[Form, ...]] = ("mail", "page", "entry")
_SITE: Final = "https://notes.example/"


def picture(path: str, width: int = 1072, height: int = 804, kind: str = "image/png") -> Picture:
    """Give a picture whose octets are its path: they are not looked at here."""
    return Picture(path=path, media_type=kind, width=width, height=height, data=path.encode())


CHART: Final = picture("2026/chart.png")
SMALL: Final = picture("2026/small one.gif", 40, 30, "image/gif")
WEBP: Final = picture("2026/moon.webp", 300, 200, "image/webp")
FILES: Final = {one.path: one for one in (CHART, SMALL, WEBP)}


def _pictures(paper: Newsletter, way: Way = "link", **parts: Any) -> Pictures:  # noqa: ANN401 - any field of it
    given = {"newsletter": replace(paper, images=way), "files": FILES, "word": "Picture"}
    return Pictures(**{**given, **parts})


def _placed(pictures: Pictures, text: str, form: Form) -> str:
    html = markdown_html(text, base=f"{_SITE}2026/")
    return str(pictures.placed(html, form)).removeprefix("<p>").removesuffix("</p>")


def test_the_mail_loads_an_own_picture_from_the_site(paper: Newsletter) -> None:
    """It names the public copy, and width and height of what fits into the mail's column."""
    assert _placed(_pictures(paper), "![A chart](chart.png)", "mail") == (
        f'<img src="{_SITE}pictures/{CHART.name}" alt="A chart" width="536" height="402"'
        ' style="border:0;max-width:100%;height:auto" />'
    )


def test_the_mail_can_bring_an_own_picture_along(paper: Newsletter) -> None:
    """It names the part of the message, by file name and the sender's domain."""
    html = _placed(_pictures(paper, "cid"), "![A chart](chart.png)", "mail")

    assert f'src="cid:{CHART.name}@notes.example"' in html
    assert "http" not in html


def test_the_mail_can_do_without_pictures(paper: Newsletter) -> None:
    """Its words lead to the public copy then."""
    assert _placed(_pictures(paper, "none"), "![A <chart>](chart.png)", "mail") == (
        f'<a href="{_SITE}pictures/{CHART.name}">A &lt;chart&gt;</a>'
    )


@pytest.mark.parametrize("way", ["link", "cid", "none"])
def test_page_and_entry_show_pictures_whatever_the_mail_does(paper: Newsletter, way: Way) -> None:
    """The page names the file beside it and loads it late, the entry its whole address."""
    pictures = _pictures(paper, way)
    name = CHART.name

    assert _placed(pictures, "![A chart](chart.png)", "page") == (
        f'<img src="pictures/{name}" alt="A chart" width="1072" height="804" loading="lazy" />'
    )
    assert _placed(pictures, "![A chart](chart.png)", "entry") == (
        f'<img src="{_SITE}pictures/{name}" alt="A chart" width="1072" height="804" />'
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_without_words_is_only_led_to(paper: Newsletter, form: Form) -> None:
    """Nobody is shown what others cannot hear; the link is called a picture."""
    for text in ("![](chart.png)", "![ ](chart.png)", '<img src="chart.png">'):
        assert _placed(_pictures(paper), text, form) == (
            f'<a href="{_SITE}pictures/{CHART.name}">Picture</a>'
        )


def test_webp_is_a_link_in_the_mail(paper: Newsletter) -> None:
    """Some mail programs cannot show it; browsers and feed readers can."""
    for way in ("link", "cid", "none"):
        pictures = _pictures(paper, way)

        assert _placed(pictures, "![Moon](moon.webp)", "mail") == (
            f'<a href="{_SITE}pictures/{WEBP.name}">Moon</a>'
        )
        assert f'src="pictures/{WEBP.name}"' in _placed(pictures, "![Moon](moon.webp)", "page")
        assert f"{_SITE}pictures/{WEBP.name}" in _placed(pictures, "![M](moon.webp)", "entry")


@pytest.mark.parametrize(
    "address",
    ["https://elsewhere.example/2026/chart.png", "gone.png", "../../notes/chart.png", "chart.pn"],
)
def test_pictures_that_are_not_the_issues_own_are_led_to(paper: Newsletter, address: str) -> None:
    """Others' servers are not asked, and what is not there is not shown; the feed stays as it was.

    The words of the link are the picture's.
    """
    for way in ("link", "cid", "none"):
        pictures = _pictures(paper, way)
        entry = _placed(pictures, f"![A & B]({address})", "entry")
        there = ET.fromstring(entry).get("src")  # noqa: S314 - our own output

        for form in ("mail", "page"):
            assert _placed(pictures, f"![A & B]({address})", form) == (
                f'<a href="{there}">A &amp; B</a>'
            )
        assert "width" not in entry


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_in_a_link_stays_in_it(paper: Newsletter, form: Form) -> None:
    """Own ones are shown there, others give way to their words: a link holds no other link."""
    pictures = _pictures(paper)
    own = _placed(pictures, "[![A](chart.png) b](https://x.example/) ![C](gone.png)", form)
    other = _placed(pictures, "[![A](https://y.example/a.png) b](https://x.example/)", form)

    assert own.startswith('<a href="https://x.example/"><img src=')
    assert own.count("<a ") == (1 if form == "entry" else 2)
    if form != "entry":
        assert other == '<a href="https://x.example/">A b</a>'


def test_an_anchor_is_no_link(paper: Newsletter) -> None:
    """In an element that is only a place, a picture is led to as anywhere."""
    html = '<a id="s_x"><img src="https://y.example/a.png" alt="A" /></a>'

    assert str(_pictures(paper).placed(html, "mail")) == (
        '<a id="s_x"><a href="https://y.example/a.png">A</a></a>'
    )


def test_a_picture_that_leads_nowhere_is_its_words(paper: Newsletter) -> None:
    """Without an address there is nothing to lead to."""
    assert str(_pictures(paper).placed('<img alt="A > B" /><img alt="" />', "mail")) == (
        "A &gt; BPicture"
    )


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ("", ("536", "402")),
        ('width="200"', ("200", "150")),
        ('height="300"', ("400", "300")),
        ('width="200" height="9"', ("200", "150")),
        ('width="0" height="0"', ("536", "402")),
        ('width="9000"', ("536", "402")),
        ('width="50%"', ("536", "402")),
    ],
)
def test_a_size_that_the_author_gives_is_kept_in_proportion(
    paper: Newsletter, asked: str, size: tuple[str, str]
) -> None:
    """The width counts, else the height, and nothing is wider than the mail's column."""
    html = _placed(_pictures(paper), f'<img src="chart.png" alt="A" {asked}>', "mail")
    tag = ET.fromstring(html)  # noqa: S314 - our own output

    assert (tag.get("width"), tag.get("height")) == size


@given(st.integers(1, 10_000), st.integers(1, 10_000))
@settings(deadline=None, max_examples=100)
def test_sizes_keep_their_proportion(paper: Newsletter, width: int, height: int) -> None:
    """No picture is enlarged, none is wider than 536 pixels, none vanishes."""
    one = picture("a.png", width, height)
    figure = _pictures(paper, files={"a.png": one}).figure(Image(url="a.png", alt="A"), base=_SITE)

    assert figure is not None
    assert 1 <= figure.width <= min(width, 536)
    assert abs(figure.height - max(figure.width * height / width, 1)) <= max(height / width, 1)


def test_small_pictures_stay_small_and_keep_what_else_is_said_of_them(paper: Newsletter) -> None:
    """A title, a language and a direction stay; other attributes do not."""
    text = '<img src="small%20one.gif" alt="Eb&quot;b" title="T>" lang="de" dir="ltr" id="s_a">'

    assert _placed(_pictures(paper), text, "page") == (
        f'<img src="pictures/{SMALL.name}" alt="Eb&quot;b" width="40" height="30" title="T&gt;"'
        ' lang="de" dir="ltr" loading="lazy" />'
    )


@pytest.mark.parametrize(
    "address",
    [
        "chart.png",
        "./chart.png",
        "../2026/chart.png",
        "/2026/chart.png",
        "chart.png?v=2",
        "chart.png#top",
        "%63hart.png",
        "https://notes.example/2026/chart.png",
    ],
)
def test_an_own_picture_is_known_however_it_is_written(paper: Newsletter, address: str) -> None:
    """What counts is the file that the address means."""
    assert CHART.name in _placed(_pictures(paper), f"![A]({address})", "mail")


def test_letters_with_accents_are_one_in_both_forms(paper: Newsletter) -> None:
    """An address with separate accents means the file that is known in NFC."""
    one = picture("2026/pr\u00e9s.png")
    pictures = _pictures(paper, files={one.path: one})

    for name in ("pr\u00e9s.png", "pre\u0301s.png", "pre%CC%81s.png"):
        assert one.name in _placed(pictures, f"![A]({name})", "page")


words = st.text(alphabet="a<>&\"'[]()!`\\=\u00e9\u0338 ", max_size=12)


@given(words, st.sampled_from(["chart.png", "gone.png", "moon.webp"]), st.sampled_from(FORMS))
@settings(deadline=None, max_examples=100)
def test_no_words_break_a_tag(paper: Newsletter, alt: str, name: str, form: Form) -> None:
    """Whatever the words of a picture are, what comes out is well formed and holds them."""
    quoted = alt.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    html = _placed(_pictures(paper), f'<b><img src="{name}" alt="{quoted}"></b>', form)
    tree = ET.fromstring(f"<p>{html}</p>")  # noqa: S314 - our own output
    told = " ".join("".join(tree.itertext()).split())
    shown = " ".join(tag.get("alt", "") for tag in tree.iter("img"))

    assert (told or shown) == (
        normalize("NFC", " ".join(alt.split()))
        or "Picture" * (name != "gone.png" or form != "entry")
    )


def test_a_figure_tells_where_each_form_loads_it_from(paper: Newsletter) -> None:
    """Mail, page and feed have their own address; the link leads to the public copy."""
    found = _pictures(paper).figure(Image(url="chart.png", alt=" A  chart "), base=f"{_SITE}2026/")

    assert found == Figure(
        label="A chart",
        url=f"{_SITE}pictures/{CHART.name}",
        src=f"{_SITE}pictures/{CHART.name}",
        page_src=f"pictures/{CHART.name}",
        entry_src=f"{_SITE}pictures/{CHART.name}",
        width=536,
        height=402,
    )


@pytest.mark.parametrize(
    ("way", "name", "src"),
    [
        ("cid", "chart.png", f"cid:{CHART.name}@notes.example"),
        ("none", "chart.png", ""),
        ("link", "moon.webp", ""),
    ],
)
def test_a_figure_is_loaded_as_the_mail_loads_pictures(
    paper: Newsletter, way: Way, name: str, src: str
) -> None:
    """It comes along or is only led to; the page shows it all the same."""
    found = _pictures(paper, way).figure(Image(url=name, alt="A"), base=f"{_SITE}2026/")

    assert found is not None
    assert found.src == src
    assert found.page_src
    assert found.entry_src


def test_a_figure_without_words_or_from_elsewhere_is_led_to(paper: Newsletter) -> None:
    """One from elsewhere is shown in the feed alone; one that leads nowhere is none."""
    pictures, base = _pictures(paper), f"{_SITE}2026/"
    there = "https://x.example/a.png"

    assert pictures.figure(Image(url="chart.png", alt=""), base=base) == Figure(
        label="", url=f"{_SITE}pictures/{CHART.name}"
    )
    assert pictures.figure(Image(url=there, alt="A"), base=base) == Figure(
        label="A", url=there, entry_src=there
    )
    assert pictures.figure(Image(url="javascript:alert(1)", alt="A"), base=base) is None
    assert pictures.figure(None, base=base) is None


# ---- which files a text names ------------------------------------------------------------------


def _paths(paper: Newsletter, text: str, **parts: str) -> tuple[str, ...]:
    return picture_paths(text, newsletter=paper, **{"path": "2026/s1.md", **parts})


def test_paths_are_those_of_the_pictures_of_a_text(paper: Newsletter) -> None:
    """Markdown, references and HTML name files beside the text or anywhere in the folder, once."""
    text = (
        "![A](chart.png) ![B][moon] ![C](<../small one.gif>) ![again](./chart.png)\n\n"
        '<figure><img src="/tides/d.png?v=2" alt="D"></figure>\n\n'
        "[![E](e.png)](full.png)\n\n[moon]: maps/moon.webp#x\n"
    )

    assert _paths(paper, text, extra="head.jpg") == (
        "2026/head.jpg",
        "2026/chart.png",
        "2026/maps/moon.webp",
        "small one.gif",
        "tides/d.png",
        "2026/e.png",
    )


@pytest.mark.parametrize(
    "text",
    [
        "`![A](a.png)`",
        "\\![A](a.png)",
        "    ![A](a.png)",
        "[A](a.png)",
        "![A](https://x.example/a.png)",
        "![A](//x.example/a.png)",
        "![A](https://notes.example/2026/a.png)",
        "![A](data:image/png;base64,AAAA)",
        "<script><img src='a.png'></script>",
        "![A]()",
    ],
)
def test_what_is_no_picture_of_the_folder_has_no_path(paper: Newsletter, text: str) -> None:
    """Code, links, whole addresses and what the sanitiser drops name no file."""
    assert _paths(paper, text) == ()


@pytest.mark.parametrize("site", ["https://notes.example/", "https://notes.example/letter/a%20b/"])
def test_a_path_out_of_the_folder_is_told_as_one(paper: Newsletter, site: str) -> None:
    """It begins with two dots, so that it is refused and its reason told; none is lost."""
    paper = replace(paper, site_url=site)
    found = _paths(paper, "![A](%2e%2e/%2e%2e/a.png) ![B](../../b.png) ![C](c.png)")

    assert found[0] == "../a.png"
    assert found[2] == "2026/c.png"
    # At the top of a host there is no way further up, for a browser as for us.
    assert found[1] == ("b.png" if site.count("/") == 3 else "../letter/b.png")


def test_an_introduction_belongs_to_no_file(paper: Newsletter) -> None:
    """Its paths are those of the content folder itself; a formula in it is no picture."""
    text = "$a![b](b.png)c$ and ![A](2026/chart.png)"

    assert _paths(paper, text, path="") == ("b.png", "2026/chart.png")
    assert _paths(replace(paper, dollar_maths=True), text, path="") == ("2026/chart.png",)


@given(st.text(alphabet="a./%2e?# \u00e9\u0301\\()<>!", max_size=20))
@settings(deadline=None, max_examples=100)
def test_a_path_that_is_found_is_the_one_that_is_shown(paper: Newsletter, address: str) -> None:
    """Each file that a text names is known again when the text is set, whatever its name is."""
    text = f'<img src="{address.replace("<", "&lt;")}" alt="A">'
    for path in _paths(paper, text):
        one = picture(path)
        pictures = _pictures(paper, files={path: one})

        assert path.startswith("..") or one.name in _placed(pictures, text, "page")


# ---- in an edition -----------------------------------------------------------------------------


def _edition(build: Build, issue: Issue, summary: Summary, paper: Newsletter, way: Way) -> Edition:
    return build(
        issue=issue, summaries=[summary], newsletter=replace(paper, images=way), pictures=FILES
    )


@pytest.fixture
def shown(make_summary: Callable[..., Summary]) -> Summary:
    """Give a summary with pictures of its own and of others."""
    return make_summary(
        1,
        body="See ![a chart](chart.png), ![the moon](moon.webp) and ![x](https://x.example/x.png).",
        image=Image(url="small%20one.gif", alt="A small one"),
    )


@pytest.mark.parametrize("way", ["link", "cid", "none"])
def test_each_part_loads_own_pictures_alone(
    build: Build,
    make_issue: Callable[..., Issue],
    read_html: Read,
    paper: Newsletter,
    shown: Summary,
    way: Way,
) -> None:
    """The mail loads what it is told to, the page its own files, and no host but the site's."""
    edition = _edition(build, make_issue("tides"), shown, paper, way)
    own = {"mail": [CHART, SMALL], "page": [CHART, WEBP, SMALL]}
    form = {"link": f"{_SITE}pictures/{{}}", "cid": "cid:{}@notes.example"}

    sources = {
        name: set(_sources(read_html, edition, name)) for name in edition.files if "." in name
    }
    assert sources["page.html"] == {f"pictures/{one.name}" for one in own["page"]}
    wanted = {form[way].format(one.name) for one in own["mail"]} if way != "none" else set()
    assert sources["issue.html"] == wanted
    entry = {f"{_SITE}pictures/{one.name}" for one in own["page"]} | {"https://x.example/x.png"}
    assert sources["entry.html"] == entry


def _sources(read_html: Read, edition: Edition, name: str) -> list[str]:
    return [] if "/" in name else read_html(edition.files[name].decode()).values("src")


@pytest.mark.parametrize("way", ["link", "cid", "none"])
def test_an_edition_brings_the_files_that_it_names(
    build: Build, make_issue: Callable[..., Issue], paper: Newsletter, shown: Summary, way: Way
) -> None:
    """Each comes under its public name, octet for octet; equal inputs give equal files."""
    edition = _edition(build, make_issue("tides"), shown, paper, way)
    again = _edition(build, make_issue("tides"), shown, paper, way)

    brought = {name: data for name, data in edition.files.items() if "/" in name}
    assert brought == {f"pictures/{one.name}": one.data for one in FILES.values()}
    assert again.files == edition.files


def test_pictures_survive_the_engine(
    build: Build,
    make_issue: Callable[..., Issue],
    read_html: Read,
    paper: Newsletter,
    shown: Summary,
) -> None:
    """Words, width and height reach the compiled mail, whose text names the figure's copy."""
    edition = _edition(build, make_issue("tides"), shown, paper, "link")
    tags = {tag["alt"]: tag for tag in read_html(edition.files["issue.html"]).all("img")}

    assert (tags["a chart"]["width"], tags["a chart"]["height"]) == ("536", "402")
    assert "max-width:100%" in unescape(str(tags["a chart"]["style"])).replace(" ", "")
    assert (tags["A small one"]["width"], tags["A small one"]["height"]) == ("40", "30")
    assert f"{_SITE}pictures/{SMALL.name}" in edition.files["issue.txt"].decode()
