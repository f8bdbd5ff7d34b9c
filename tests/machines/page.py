"""The commands of receiver/KIOSK.md, "A wall of machines that starts at boot", by the machine that runs them."""

import re

# Who runs the commands of a section; in "Packages", a comment says it.
MACHINES = {"Packages": "comment", "Head": "head", "Node": "node", "Films": "head", "Keys": "head", "Page": "head", "Test": "head",
            "Backup": "head"}
# Emulated machines are too slow for films in 4K, and have smaller displays.
REPLACED = {"3840x2160": "640x360"}
# These tell a state, which may be bad: a node is missing, or the machine is slow.
TELLING = re.compile(r"vitrail (status|why|node check)\b")


class Page:
    """The page's sections with commands."""

    def __init__(self, text):
        self.sections = {}
        for title, body in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL):
            lines = "".join(re.findall(r"^```sh\n(.*?)^```", body, re.MULTILINE | re.DOTALL)).splitlines()
            if lines and title not in MACHINES:
                raise ValueError(f"nobody knows which machine runs the commands of “{title}”")
            self.sections[title] = [line for line in lines if line.strip()]
        for title in MACHINES:
            if not self.sections.get(title):
                raise ValueError(f"section “{title}” has no commands")

    def commands(self, title, machine):
        """The commands of a section that this machine ("head" or "node") runs."""
        commands = []
        for line in self.sections[title]:
            command, _, comment = line.partition("#")
            said = comment.strip() if MACHINES[title] == "comment" else MACHINES[title]
            if said in (machine, ""):
                for old, new in REPLACED.items():
                    command = command.replace(old, new)
                commands.append(command.strip())
        return commands


def good_codes(command):
    """The exit codes with which the command has done its work."""
    return (0, 1, 4) if TELLING.search(command) else (0,)
