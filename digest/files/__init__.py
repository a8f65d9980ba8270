"""Files in and out: shipped and own templates, trees written whole or not at all, the lock."""

from digest.files.lock import project_lock, sending_lock
from digest.files.pictures import read_pictures
from digest.files.shipped import read_templates, shipped_content, shipped_settings
from digest.files.tree import (
    on_disk,
    read_bytes,
    read_tree,
    remove_file,
    settle_folders,
    sweep,
    tree_changes,
    write_file,
    write_pieces,
    write_tree,
)

__all__ = [
    "on_disk",
    "project_lock",
    "read_bytes",
    "read_pictures",
    "read_templates",
    "read_tree",
    "remove_file",
    "sending_lock",
    "settle_folders",
    "shipped_content",
    "shipped_settings",
    "sweep",
    "tree_changes",
    "write_file",
    "write_pieces",
    "write_tree",
]
