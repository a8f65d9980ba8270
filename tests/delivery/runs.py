"""Begin a send, and make a run of the engine over it."""

from __future__ import annotations

from collections.abc import Callable

from delivery.doubles import KEY, NOW, World, message_for

from digest.delivery import AtOnce, Halted, Making, Terms, deliver
from digest.model import Consent, Delivery, Holder, Limits, Message, Reader, Send
from digest.store.ledger import Store
from digest.transport import Carrier

__all__ = ["begin", "run_once"]


def begin(store: Store, count: int) -> Send:
    """Enroll so many readers, r001@reader.example and so on."""
    readers = [
        Reader(address=f"r{number:03}@reader.example", since=NOW) for number in range(1, count + 1)
    ]
    store.readers.add(readers, consent=Consent(source="asked at the quay", at=NOW))
    return store.deliveries.enroll(
        Send(issue=KEY, edition="e", began=NOW, via="smtp", by="hand", key_id="k")
    )


def run_once(  # noqa: PLR0913 - what may differ between two runs, all by name
    store: Store,
    send: Send,
    *,
    world: World,
    carrier: Carrier,
    make: Callable[[Delivery], Message] = message_for,
    retry_unknown: bool = True,
    limits: Limits | None = None,
    making: Making | None = None,
    renew: Callable[[], None] = lambda: None,
) -> Halted | None:
    """Make one run, as a sender of its own."""
    holder = Holder(host="quay", boot="b", pid=1, started="s")
    fence = store.leases.acquire(holder, now=world.now, seconds=900, alive=lambda _: False)
    try:
        return deliver(
            store.deliveries,
            send,
            carrier=carrier,
            making=making or AtOnce(make),
            watch=world.watch(),
            terms=Terms(
                fence=fence,
                limits=limits or Limits(),
                retry_unknown=retry_unknown,
                renew=renew,
            ),
        )
    finally:
        store.leases.release(fence)
