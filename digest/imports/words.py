"""Words in a row, sorted by how a heading would write them, and lists of general English words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

__all__ = [
    "ABBREVIATIONS",
    "ARTICLES",
    "AUXILIARIES",
    "CONJUNCTIONS",
    "DETERMINERS",
    "HEADING_ENDS",
    "HEADLINE_STARTS",
    "INSTITUTIONS",
    "MODIFIERS",
    "MONTHS",
    "NUMBERED",
    "OPENERS",
    "PASTS",
    "PLURAL_VERBS",
    "PREPOSITIONS",
    "PRONOUNS",
    "QUESTION_WORDS",
    "SMALL",
    "TERM_ENDS",
    "UNFINISHED",
    "VERBS",
    "Class",
    "Kind",
    "Word",
    "read_words",
    "word_set",
]


def word_set(words: str) -> frozenset[str]:
    """Give the words of a text, each once."""
    return frozenset(words.split())


Kind = Literal["title", "number", "sign", "small", "lower"]
Class = Literal[
    "adverb",
    "agent",
    "article",
    "clause",
    "command",
    "it",
    "one",
    "phrase",
    "question",
    "set",
    "subject",
]

PREPOSITIONS: Final = word_set(
    "about across after against among around as at before behind below beneath beside between"
    " beyond by despite during for from in inside into like near of off on onto out over per since"
    " than through throughout to toward towards under until up upon versus via with within"
    " without"
)
CONJUNCTIONS: Final = word_set("and but nor or so vs yet")
ARTICLES: Final = word_set("a an the")
AUXILIARIES: Final = word_set(
    "am are be been being can could did do does had has have is may might must shall should was"
    " were will would"
)
QUESTION_WORDS: Final = word_set("how what when where which who whom whose why")
PRONOUNS: Final = word_set("anyone he i it one she someone that there they this we you")
DETERMINERS: Final = ARTICLES | word_set(
    "each every her his many most my our some their these those your"
)
PLURAL_VERBS: Final = word_set("are have were")
# What a heading writes small in the midst of capitals.
SMALL: Final = (
    word_set(
        "about and are as at but by for from if in into is its nor not of off on onto or out over"
        " per so than to up via vs with yet"
    )
    | ARTICLES
)
# What neither a heading nor a name ends with. `Up`, `out`, `over` and the like may end one.
UNFINISHED: Final = (
    CONJUNCTIONS
    | ARTICLES
    | QUESTION_WORDS
    | word_set(
        "about against among as at between by during for from in into its like of on per than to"
        " toward towards upon via with within without"
    )
)
# What a heading begins with more often than a name does.
HEADLINE_STARTS: Final = ARTICLES | QUESTION_WORDS | PREPOSITIONS
# What names of more than four words begin with, after their article.
INSTITUTIONS: Final = word_set(
    "academy association bank board bureau church city club college commission committee"
    " confederation convention council court department duke federation foundation government"
    " house institute international kingdom league ministry museum national office order people"
    " province republic royal school society state states union united university"
)
# What a number or letter after it belongs to.
NUMBERED: Final = word_set(
    "act book chapter class day episode formula grade group level number phase plan season type"
    " part version vitamin volume world"
)
# What headings end with more often than names do.
HEADING_ENDS: Final = word_set(
    "ahead answer answers approach background bottleneck bottlenecks catch challenge challenges"
    " contribution contributions crisis demystified dilemma dilemmas example examples explained"
    " finding findings gap goal goals idea ideas illusion insight insights intuition lesson"
    " lessons limitation limitations line maze method methods motivation mystery myth myths"
    " objective objectives overview paradox picture problem problems promise puzzle question"
    " questions recap result results revisited room setup solution solutions stage stakes"
    " statement story summary takeaway takeaways tax tension trap wall work"
)
# What begins a sentence in front of a noun in small letters: `Deep learning`, `Modern ovens`.
MODIFIERS: Final = word_set(
    "artificial autonomous bayesian better big causal classic classical computer continual"
    " contrastive current data deep diffusion drug early existing federated foundation generative"
    " good graph human image language large last linear long machine modern multi-agent multimodal"
    " natural neural new old other protein quantum rare real recent recommender reinforcement"
    " robust safe self-supervised short small speech statistical stochastic supervised text time"
    " traditional training transfer unsupervised video vision word"
)
# What ends a term of several words with capitals: `Graph Attention Networks`.
TERM_ENDS: Final = word_set(
    "agents algorithms architectures autoencoders embeddings features fields flows forests"
    " functions games graphs languages layers learners machines mechanisms methods models modules"
    " networks operators optimizers policies problems processes products programs representations"
    " researchers scientists services solvers systems tasks tokens transformers trees units values"
)
# Verbs of a text's first sentence, as they are in the plural.
VERBS: Final = word_set(
    "allow appear arise ask assume avoid become begin behave break bring build call carry"
    " change come compare compress compute contain cost create deal decide depend describe"
    " differ do draw dream drive emerge enable exist face fail fall fight find focus follow"
    " forget generalize get give go grow hallucinate happen help hide hold ignore improve keep"
    " know lack learn leave let lie live look lose make matter mean measure move need offer open"
    " paint perform place play power predict produce promise provide reach read rely remain"
    " remember require reveal rise rule run say see seem sell shape share show shrink sit solve"
    " sound speak spend stand start stay struggle suffer suggest surround take teach tell tend"
    " think train travel treat trust try turn understand use vanish vary win work write"
)
PASTS: Final = word_set(
    "became began broke brought built came fell found gave got grew held kept knew led left lost"
    " made met ran rose said saw sold spent stood taught thought told took went won wrote"
)
MONTHS: Final = word_set(
    "january february march april may june july august september october november december"
    " spring summer autumn winter monday tuesday wednesday thursday friday saturday"
    " sunday"
)
ABBREVIATIONS: Final = word_set(
    "al approx cf dept dr e.g eq etc fig i.e inc jr ltd mr mrs ms mt no prof sr st u.k u.s vol vs"
)

_BY_CLASS: Final[dict[Class, str]] = {
    "adverb": "currently finally first generally historically however increasingly lately meanwhile"
    " nowadays now often perhaps recently sometimes suddenly then today tomorrow traditionally"
    " typically usually yesterday yet",
    "agent": "astronomers biologists chemists children doctors economists engineers experts"
    " farmers historians humans people physicists researchers scholars scientists students"
    " teachers",
    "article": "the",
    "clause": "although as because how if once though unless what when whenever where whether"
    " while why",
    "set": "ever last only welcome",
    "command": "ask compare consider imagine let look meet picture recall remember suppose take"
    " think",
    "it": "here it there",
    "one": "a all almost an another any each every everybody everyone few half many modern most"
    " much nearly no nobody one recent several some two three four five ten",
    "phrase": "above across after along amid among around at before behind beneath between"
    " beyond by despite during for from given in inside instead on over since throughout to under"
    " unlike until with within without",
    "question": "are can could did do does has have is should was were will would",
    "subject": "he her his my our she their these they this those we you your",
}
# How sentences begin, and by which rule each beginning is told from a word of a heading.
OPENERS: Final[dict[str, Class]] = {
    word: name for name, words in _BY_CLASS.items() for word in words.split()
}

# Of words that a dash joins, one in small letters decides.
_STRONGEST_FIRST: Final[tuple[Kind, ...]] = ("lower", "title", "number", "small")
_EDGES = re.compile(r"\A[\W_]+|[\W_]+\Z")
_DASHES = re.compile("[\u2013\u2014]|--+")
_FORMULA = re.compile(r"\\[(\[].*\\[)\]]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word as typed, its letters without the signs round it, and how it is written."""

    text: str
    bare: str
    kind: Kind

    @property
    def key(self) -> str:
        """Give the word in small letters, without what an apostrophe adds."""
        return re.split("['\u2019]", self.bare, maxsplit=1)[0].lower()

    @property
    def is_contracted(self) -> bool:
        """Tell whether a verb hangs on it, as in `we've`."""
        return self.key != self.bare.lower()


def read_words(text: str, limit: int) -> tuple[Word, ...]:
    """Read the first words of a text, at most `limit`."""
    return tuple(_word(one) for one in text.split(" ", limit)[:limit] if one)


def _word(text: str) -> Word:
    bare = _EDGES.sub("", text)
    return Word(text=text, bare=bare, kind=_kind(text, bare))


def _kind(text: str, bare: str) -> Kind:
    if not bare or _FORMULA.search(text):
        return "sign"
    kinds = {_kind_of_part(part) for part in _DASHES.split(bare) if part}
    return next(kind for kind in _STRONGEST_FIRST if kind in kinds)


def _kind_of_part(part: str) -> Kind:
    part = _EDGES.sub("", part)
    if part != part.lower():
        return "title"
    if part[:1].isdigit():
        return "number"
    return "small" if part in SMALL else "lower"
