"""What goes wrong: every exception of this package is an Error."""

from __future__ import annotations


class Error(Exception):
    """A sentence that says what to do, with a code.

    code: of libsail (sail_status, below 0) or of the manager (manager/COMMANDS.md, "Errors"); 0 for mistakes that
    neither of them was asked about.
    name: the same as a word, such as "invalid" or "not_found".
    """

    def __init__(self, message: str, code: int = 0, name: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.name = name


class Invalid(Error, ValueError):
    """An argument is wrong: pixels of another shape, a number out of its range."""

    def __init__(self, message: str, code: int = -1, name: str = "invalid") -> None:
        super().__init__(message, code, name)


class Refused(Error):
    """The manager said no; code and name are its own where it told one."""

    def __init__(self, message: str, code: int = -2, name: str = "refused") -> None:
        super().__init__(message, code, name)


class Unavailable(Error, ConnectionError):
    """There is no manager, no libsail, or no connection any more."""

    def __init__(self, message: str, code: int = -3, name: str = "unavailable") -> None:
        super().__init__(message, code, name)
