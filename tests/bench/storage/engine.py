"""A storage that scripts/bench storage --engine measures."""

import os
import pathlib
import shutil

from rig import SERVERS


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/bin")


class Engine:
    """Films are stored on three servers so that one may fail, unless the engine has one server only."""

    name = ""
    title = ""
    victim = SERVERS[-1]  # the server that fails while a film is read; "": none
    programs = ()
    package = ""  # what to install for them

    def __init__(self, rig, films):
        """films: a folder."""
        self.rig = rig
        self.films = pathlib.Path(films)
        self.env = {}  # of the reader

    @classmethod
    def why_not(cls):
        """The reason why the engine cannot run here, or ""."""
        missing = [name for name in cls.programs if not program(name)]
        return f"{', '.join(missing)} not found: install {cls.package}" if missing else ""

    def start(self):
        """Starts the servers and stores the films."""

    def begin_reading(self):
        """Called before each measurement: mounts again, so that nothing is in the reader's memory."""

    def end_reading(self):
        self.rig.unmount()

    def url_of(self, film):
        raise NotImplementedError

    def is_whole(self):
        """Whether the servers have found each other again."""
        return True

    def end(self):
        """Removes what is left outside the rig's folder. Called when all processes have ended, also if start() failed."""


class Mounted(Engine):
    """Films are read as files below a mount point."""

    mount_point = None

    def mount_words(self):
        raise NotImplementedError

    def begin_reading(self):
        self.mount_point = self.rig.mount(*self.mount_words())

    def url_of(self, film):
        return self.mount_point / film

    def store(self):
        self.begin_reading()
        for film in sorted(self.films.iterdir()):
            self.rig.run("reader", "cp", film, self.mount_point / film.name)
        self.rig.run("reader", "sync", "-f", self.mount_point)
        self.end_reading()
