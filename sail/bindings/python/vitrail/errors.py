"""Exceptions. Every exception of this package is an Error."""

from __future__ import annotations


class Error(Exception):
    """A message that says what to do, with a code.

    code: libsail's (sail_status, negative) or the manager's (manager/COMMANDS.md, "Errors"); 0: neither.
    name: the code as a word, such as "invalid" or "not_found".
    """

    def __init__(self, message: str, code: int = 0, name: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.name = name


class Invalid(Error, ValueError):
    """An argument is invalid, such as pixels of the wrong shape or a number out of range."""

    def __init__(self, message: str, code: int = -1, name: str = "invalid") -> None:
        super().__init__(message, code, name)


class Refused(Error):
    """The manager refused the request; code and name are the manager's, if it sent them."""

    def __init__(self, message: str, code: int = -2, name: str = "refused") -> None:
        super().__init__(message, code, name)


class Unavailable(Error, ConnectionError):
    """There is no manager or no libsail, or the connection has ended."""

    def __init__(self, message: str, code: int = -3, name: str = "unavailable") -> None:
        super().__init__(message, code, name)
