"""Finds the key of a wall, in the same places as all programs, and makes proofs, which replace sending the key
(sail/PROTOCOL.md)."""

from __future__ import annotations

import hashlib
import hmac
import os
import pathlib
import stat
from typing import NamedTuple

from .errors import Invalid, Refused

MOST_SECRET = 256


class Key(NamedTuple):
    """A key. name: states the right; empty: the wall's own key. secret: empty without a key."""

    name: str = ""
    secret: str = ""


def proof(secret: str, *words: str) -> str:
    return hmac.new(secret.encode(), "\n".join(words).encode(), hashlib.sha256).hexdigest()


def read_key(text: str) -> Key:
    name, _, secret = text.strip().rpartition(":")
    if len(secret) > MOST_SECRET or (not secret and not name):
        raise Invalid("not a valid key: `vitrail key show` prints one")
    return Key(name, secret)


def find_key(host: str, port: int) -> Key:
    """Return the key in $VITRAIL_KEY, else in the file $VITRAIL_KEY_FILE, else, for managers on this host, in the
    user's folder; else an empty key."""
    text = os.environ.get("VITRAIL_KEY")
    if text:
        return read_key(text)
    file = os.environ.get("VITRAIL_KEY_FILE")
    if file:
        return _read_file(pathlib.Path(file))
    kept = _kept(host, port)
    return _read_file(kept) if kept is not None and kept.exists() else Key()


def _kept(host: str, port: int) -> pathlib.Path | None:
    state = os.environ.get("XDG_STATE_HOME", "")
    folder = pathlib.Path(state) if os.path.isabs(state) else pathlib.Path.home() / ".local/state"
    if not host.startswith("127.") and host != "::1":
        return None
    return folder / "vitrail/keys" / (f"[{host}]:{port}" if ":" in host else f"{host}:{port}")


def _read_file(file: pathlib.Path) -> Key:
    try:
        mode = file.stat().st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise Refused(f"other users can access the key {file}: run `chmod 600 {file}`", name="unauthorized")
        return read_key(file.read_text(encoding="utf-8").partition("\n")[0])
    except OSError as error:
        raise Refused(f"cannot read the key {file}: {error.strerror}", name="unauthorized") from error
