"""Scheduled runs in a conversation: what a message wants of them, held against what there is, and the replies."""

from .read_run_request import read_run_request

__all__ = ["read_run_request"]
