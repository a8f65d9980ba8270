"""Messages: their bytes (RFC 5322, RFC 2045 to 2047), their names, and mail addresses."""

from digest.mime.address import parse_address
from digest.mime.fields import header_line, mailbox_text, uri_list
from digest.mime.message import Strip, general_copy, message_id, reader_message
from digest.mime.wire import wire_faults

__all__ = [
    "Strip",
    "general_copy",
    "header_line",
    "mailbox_text",
    "message_id",
    "parse_address",
    "reader_message",
    "uri_list",
    "wire_faults",
]
