"""How much a relay gets, and how fast: rates, domains, and the first days of a relay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import Settings, effective
from digest.config.rates import limits
from digest.config.reading import Reading
from digest.config.sources import Raw
from digest.model import Limits, Rate

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]

_RELAY = "transport.smtp.host=relay.example"
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}


def _limits(load: Load, least: str, text: str) -> Limits:
    found = load(f'{least}[transport.smtp]\nhost = "relay.example"\n{text}')
    assert found.transport.smtp is not None
    return found.transport.smtp.limits


def test_without_rates_there_is_no_limit(load: Load, least: str) -> None:
    """The defaults hold nothing back."""
    assert not _limits(load, least, "")


def test_limits_come_from_the_file(load: Load, least: str) -> None:
    """Rates for all, for a domain, for any other domain, and for the first days are told apart."""
    text = (
        'rate = ["2/second", "500/day"]\nwarm_up = [50, 100]\n'
        '[transport.smtp.domain_rate]\n"GMail.com" = ["100/hour"]\n"*" = ["5/minute", "9/hour"]\n'
    )
    assert _limits(load, least, text) == Limits(
        total=(Rate(count=2, seconds=1), Rate(count=500, seconds=86_400)),
        domains={
            "gmail.com": (Rate(count=100, seconds=3600),),
            "*": (Rate(count=5, seconds=60), Rate(count=9, seconds=3600)),
        },
        warm_up=(50, 100),
    )


def test_limits_come_from_environment_and_command_line(load: Load, least: str) -> None:
    """A table of domains can be set as a whole, and is shown so that it can be set again."""
    table = '{ "gmail.com" = ["1/hour"], "*" = ["2/hour"] }'
    found = load(
        least,
        _RELAY,
        f"transport.smtp.domain_rate={table}",
        environ={"DIGEST_TRANSPORT__SMTP__RATE": '["7/day"]'},
    )
    assert found.transport.smtp is not None
    assert found.transport.smtp.limits == Limits(
        total=(Rate(count=7, seconds=86_400),),
        domains={"gmail.com": (Rate(count=1, seconds=3600),), "*": (Rate(count=2, seconds=3600),)},
    )
    shown = {value.key: value.value for value in effective(found)}
    assert shown["transport.smtp.domain_rate"] == ('{ "gmail.com" = ["1/hour"], "*" = ["2/hour"] }')
    assert shown["transport.smtp.rate"] == '["7/day"]'


@pytest.mark.parametrize(
    ("rate", "words", "fix"),
    [
        ("10", 'must be a number, a slash and a unit, such as 10/second; it is "10"', ""),
        ("1.5/day", 'must be a number, a slash and a unit, such as 10/second; it is "1.5/day"', ""),
        ("-1/day", "must be a number, a slash and a unit, such as 10/second", ""),
        ("٣/day", "must be a number, a slash and a unit, such as 10/second", ""),
        ("10/fortnight", "must be a rate by second, minute, hour, day; it is", ""),
        ("10/days", "must be a rate by second, minute, hour, day; it is", "did you mean 10/day?"),
        ("9/seconds", "must be a rate by second, minute, hour, day", "did you mean 9/second?"),
        ("0/hour", 'must let at least 1 through; it is "0/hour"', ""),
        ("9999999999/day", "must be a number, a slash and a unit", ""),
        ("", "must not be empty", ""),
    ],
)
def test_a_text_that_is_no_rate_is_told(
    faults: Faults, least: str, *, rate: str, words: str, fix: str
) -> None:
    """What a rate must be is said, with the known units, and the one that was meant."""
    text = f'{least}[transport.smtp]\nhost = "relay.example"\nrate = ["{rate}"]\n'
    (fault,) = faults(text)
    assert fault.startswith("digest.toml:12: transport.smtp.rate has a member that ")
    assert words in fault
    assert fault.endswith(f"\n  {fix}") is bool(fix)


def test_all_wrong_rates_are_told_at_once(faults: Faults, least: str) -> None:
    """Each wrong rate is a fault of its own, those of a domain on the line of the domain."""
    text = (
        f'{least}[transport.smtp]\nhost = "relay.example"\nrate = ["1/week", "2/day", "x"]\n'
        "warm_up = [50, 0, -1]\n"
        "[transport.smtp.domain_rate]\n"
        '"gmail.com" = "100/hour"\n'
        '"ok.example" = ["1/hour"]\n'
        '"*" = ["1/h", "0/day"]\n'
    )
    rate, domain = "transport.smtp.rate has a member that", "transport.smtp.domain_rate has"
    first, units = "transport.smtp.warm_up has a member that", "must be a rate by second, minute"
    assert [fault.partition(";")[0].partition(", hour")[0] for fault in faults(text)] == [
        f"digest.toml:12: {rate} {units}",
        f"digest.toml:12: {rate} must be a number, a slash and a unit, such as 10/second",
        f"digest.toml:13: {first} must be a whole number from 1 to 999999999",
        f"digest.toml:13: {first} must be a whole number from 1 to 999999999",
        (
            f'digest.toml:15: {domain} "gmail.com", which must be a list, such as '
            '["10/second", "500/day"], and is a text'
        ),
        f'digest.toml:17: {domain} "*", which has a member that {units}',
        f'digest.toml:17: {domain} "*", which has a member that must let at least 1 through',
    ]


@pytest.mark.parametrize(
    ("line", "words", "fix"),
    [
        ('gmail.com = ["1/day"]', '"gmail", which is half a domain', '"gmail.com"'),
        ('"a@gmail.com" = ["1/day"]', "which is an address", 'write "gmail.com" alone'),
        ('"gmail com" = ["1/day"]', 'which holds no valid domain; it is "gmail com"', ""),
        ('"" = ["1/day"]', 'has "", which must not be empty', ""),
        ("gmail = {}", '"gmail", which is half a domain', '"gmail.example"'),
        (
            '"A.example" = ["1/day"]\n"a.example" = ["2/day"]',
            '"a.example", which is there twice',
            "keep one of the two",
        ),
        ('"*" = ["1/day", "2/Day"]', "which has more than one rate by the day", "the smallest"),
    ],
)
def test_a_wrong_domain_is_told_on_its_line(
    faults: Faults, least: str, *, line: str, words: str, fix: str
) -> None:
    """A domain must be one, whole, and there once; the fault names it and what to do."""
    (fault,) = faults(f"{least}[transport.smtp.domain_rate]\n{line}\n")
    where = 11 + line.count("\n")
    assert fault.startswith(f"digest.toml:{where}: transport.smtp.domain_rate has ")
    assert words in fault
    assert fix in fault


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("rate=10/second", 'must be a list, such as ["10/second", "500/day"], and is a text'),
        ("warm_up=50", "must be a list, such as [50, 100, 200], and is a whole number"),
        ("domain_rate=['1/day']", "must be a table of rates by domain, and is a list"),
        ("connections=0", "must be a whole number from 1 to 50"),
        ("connections=51", "must be a whole number from 1 to 50"),
        ("messages_per_connection=-1", "must be a whole number from 0 to 1000000"),
        ("patience=90m", "must be from 1s to 1h"),
        ("patience=10", "must be a length of time"),
        ("timeout=0s", "must be from 1s to 1h"),
    ],
)
def test_a_wrong_kind_is_told(faults: Faults, least: str, override: str, words: str) -> None:
    """Each setting of the relay says what it must be."""
    (fault,) = faults(least, _RELAY, f"transport.smtp.{override}")
    assert fault.startswith(f"--set: transport.smtp.{override.partition('=')[0]} ")
    assert words in fault


def test_a_table_that_was_set_whole_has_one_place(faults: Faults, least: str) -> None:
    """Where the table comes from the command line, so do all faults of its members."""
    found = faults(least, 'transport.smtp.domain_rate={"a b" = ["1/day"], "c.example" = 1}')
    assert [fault.partition(" has ")[0] for fault in found] == [
        "--set: transport.smtp.domain_rate"
    ] * 2


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(1, 999_999_999), st.sampled_from(sorted(_SECONDS))),
        unique_by=lambda rate: rate[1],
    )
)
def test_a_rate_is_what_it_says(rates: list[tuple[int, str]]) -> None:
    """Any number by any unit is that many messages in that many seconds."""
    texts = [f"{count}/{unit}" for count, unit in rates]
    reading = Reading({"a.rate": Raw(value=texts, origin="x")}, file="x")
    found = limits(reading, "a")
    assert found.total == tuple(Rate(count=n, seconds=_SECONDS[unit]) for n, unit in rates)
    assert reading.problems() == ()
