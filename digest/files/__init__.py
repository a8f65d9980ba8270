"""Files in and out: shipped and own templates, trees written whole or not at all, the lock."""

from digest.files.lock import project_lock, sending_lock
from digest.files.shipped import read_templates, shipped_content, shipped_settings
from digest.files.tree import (
    on_disk,
    read_bytes,
    read_tree,
    settle_folders,
    sweep,
    tree_changes,
    write_file,
    write_tree,
)

__all__ = [
    "on_disk",
    "project_lock",
    "read_bytes",
    "read_templates",
    "read_tree",
    "sending_lock",
    "settle_folders",
    "shipped_content",
    "shipped_settings",
    "sweep",
    "tree_changes",
    "write_file",
    "write_tree",
]
