"""Messages: their bytes (RFC 5322, RFC 2045 to 2047), their names, and mail addresses."""

from digest.mime.address import parse_address
from digest.mime.dkim import Signer
from digest.mime.fields import header_line, mailbox_text, uri_list
from digest.mime.message import general_copy, message_id, message_ids, reader_message
from digest.mime.stencil import Draft, Stencil, Strip, cut_stencil
from digest.mime.wire import wire_faults

__all__ = [
    "Draft",
    "Signer",
    "Stencil",
    "Strip",
    "cut_stencil",
    "general_copy",
    "header_line",
    "mailbox_text",
    "message_id",
    "message_ids",
    "parse_address",
    "reader_message",
    "uri_list",
    "wire_faults",
]
