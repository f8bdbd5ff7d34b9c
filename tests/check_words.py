#!/usr/bin/env python3
"""Comments and documents are written in plain English: finds the typical patterns of sentences that leave out their noun or
use words of their own instead of the field's. Reads comments of C++, JavaScript and Python, docstrings, prose of *.md, and
the texts that the product shows: literals of several words in its C++ and JavaScript, and in the lab's Python.

With --texts [FOLDER …]: prints these texts, for reviewers and translators."""

import bisect
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Regular expression of lower-case words, what to write instead. "^": at the beginning of a sentence only. The expression
# begins with a letter, which is the beginning of a word, and spaces stand for line ends, too.
ADVICE = [
    (r"anew\b(?!:)", "again, from the start"),
    (r"(?<!soon )as (it|this|they|that) (has|have) it\b", "as defined in, as in"),
    (r"as ever\b", "as before"),
    (r"be it\b", "either … or"),
    (r"but for\b", "except for"),
    (r"by (itself|themselves)\b", "automatically, alone, without X"),
    (r"for good\b", "permanently"),
    (r"for so long\b", "for this time, this long"),
    (r"for want of\b", "because there is no"),
    (r"(go|goes|went|gone) on\b", "continue"),
    (r"has to be\b", "must be"),
    (r"(have|has|had) told\b", "reported, informed, announced"),
    (r"(is|are|was|were|be|been) told\b(?! apart)", "received, sent, reported"),
    (r"hears? of\b", "receives, learns, is notified"),
    (r"heard of\b", "received, learned, was notified"),
    (r"in words\b(?! of)", "as text, with a message"),
    (r"(?<!there )(?<!that )(is|are|was) no (?!longer|more|such|need|matter|room|way|point|use|other|better|older|newer)[a-z]+",
     "is not a"),
    (r"is none? of\b", "is not a"),
    (r"it is with\b", "the state of"),
    (r"likewise\b", "also; or repeat noun and verb"),
    (r"look(s|ed|ing)? (at|into)\b", "check, read, examine"),
    (r"nobody's business\b", "private"),
    (r"of itself\b", "automatically, without a request"),
    (r"of late\b", "recently"),
    (r"on (its|their) way\b", "in transit, in flight, being sent"),
    (r"once more\b", "again"),
    (r"one who\b", "the client, peer or person that"),
    (r"one's own\b", "the client's, the user's"),
    (r"(?<!, )(?<!not )(?<!now )so (many|much)\b(?! that)", "this many; or name the number"),
    (r"stands? still\b", "is stopped, hangs, is stalled"),
    (r"(stood|standing) still\b", "stopped, stalled"),
    (r"(says?|tells?) of\b", "reports about, describes"),
    (r"the like\b", "similar"),
    (r"the same of\b", "repeat noun and verb"),
    (r"there are such\b", "if any exist"),
    (r"(thereof|therein|whence|wherein|lest)\b", "a common word"),
    (r"those who\b", "clients, peers or people that"),
    (r"to be had\b", "available"),
    (r"under way\b", "in progress, in flight"),
    (r"what (becomes|became) of\b", "the result, state or fate of"),
    (r"what of (it|them|the|a|its|their)\b", "which part of"),
    (r"who(ever|mever)\b", "name the client, peer, caller or sender"),
    (r"without a word\b", "silently, without a message"),
    (r"^(nothing|nobody): ", "empty, null or 0, with what it means"),
    (r"^of (it|them|these|those|which)\b", "repeat the noun: “number of frames”"),
    (r"^(at|by|for|from|in|on|to|with) (which|whom)\b", "repeat the noun"),
    (r"^that (which|it [a-z]+ to)\b", "repeat the noun"),
    (r"^what (is|are|was|were|has|comes|came|goes|belongs|becomes)\b(?![^.¶:;?]*\?)", "name the thing"),
    (r"^who (is|was|has|had|asks|waits|comes|starts|streams|can|may|does|sends|shows)\b(?![^.¶:;?]*\?)",
     "name the client, peer or person"),
]

CPP = re.compile(r'R"([^()\\ ]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?<!\w\')(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)
JS = re.compile(r'`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)
PYTHON = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*', re.S)
COMMENTS = {".h": CPP, ".c": CPP, ".cpp": CPP, ".hpp": CPP, ".js": JS, ".css": JS, ".py": PYTHON}
MARKS = re.compile(r"(?m)^[ \t]*(?://+|/\*+|\*(?!\*)|#+)|\*/|\"\"\"")
QUOTED = re.compile(r"``.*?``|`[^`]*`|“[^”]*”|\"[^\"\n]*\"|https?:\S+|\]\([^)]*\)")
FENCED = re.compile(r"^ *```.*?^ *```|^\|?[-| :]+\|?$", re.S | re.M)


RAW = re.compile(r'R"([^()\\ ]{0,16})\((.*)\)\1"', re.S)
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:]? [^ ]+ [^ ]*[a-z]{2}")


def blank(match):
    """Removes the text but not its lines."""
    return " code " + "\n" * match[0].count("\n")


def prose_of(path, text):
    """(line, text) of each comment or, in a document, of all prose. Adjacent comment lines are one text."""
    if path.suffix == ".md":
        text = FENCED.sub(blank, text).replace("|", "¦")
        return [(1, re.sub(r"(?m)^ {0,3}(?:[#>*-]|\d+\.)|^[ \t]*$", ". ", text))]
    found, line, end = [], 1, 0
    for match in COMMENTS[path.suffix].finditer(text):
        comment, start = match[0], match.start()
        first = not text[text.rfind("\n", 0, start) + 1:start].strip()  # on its line
        is_docstring = first and comment.startswith('"""') and text[max(0, start - 99):start].rstrip()[-1:] not in "=(,[\\"
        if comment[0] not in "/#" and not is_docstring:
            continue
        between = text[end:start]
        line += between.count("\n")
        if found and first and comment[0] in "/#" and between.strip(" ") == "\n":
            found[-1] = (found[-1][0], found[-1][1] + "\n" + MARKS.sub(" ", comment))
        else:
            found.append((line, MARKS.sub(" ", comment)))
        line += comment.count("\n")
        end = match.end()
    return found


def texts_of(path, text):
    """(line, text) of each literal of several words. Adjacent literals are one text."""
    found, line, end, joined = [], 1, 0, False
    for match in COMMENTS[path.suffix].finditer(text):
        between, literal = text[end:match.start()], match[0]
        line += between.count("\n")
        if literal[0] in "\"'`R":
            content = RAW.sub(r"\2", literal) if literal[0] == "R" else re.sub(r"\\(.)", lambda m: " " if m[1] in "nt" else m[1], literal[1:-1])
            joined = joined and re.fullmatch(r"[\s+]*", between) is not None and bool(found)
            if joined:
                found[-1] = (found[-1][0], found[-1][1] + content)
            else:
                found.append((line, content))
            joined = True
        else:
            joined = joined and not between.strip()
        line += literal.count("\n")
        end = match.end()
    return [(line, content) for line, content in found if SENTENCE.search(content) and content[0] != "\n"]  # a shader


def sources():
    """Paths of all files to read."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith((".", "build")) and name != "node_modules"]
        for path in (pathlib.Path(folder, name) for name in files):
            if path.suffix in (*COMMENTS, ".md"):
                yield path


def is_product(name):
    return not name.startswith("tests/") and (pathlib.Path(name).suffix in (".h", ".c", ".cpp", ".js") or
                                              name.startswith("ui/lab/") and name.endswith(".py"))


def read():
    """All prose in one text with single spaces, and where each line of it begins: offsets, (file, line)."""
    pieces, offsets, places, offset = [], [], [], 0
    for path in sources():
        name = path.relative_to(ROOT).as_posix()
        content = path.read_text(encoding="utf-8")
        texts = texts_of(path, content) if is_product(name) else []
        for first, text in prose_of(path, content) + texts:
            text = QUOTED.sub(blank, text)
            for number, line in enumerate(text.split("\n"), first):
                piece = (" ¶ " if number == first else " ") + " ".join(line.lower().split())
                offsets.append(offset)
                places.append((name, number))
                pieces.append(piece)
                offset += len(piece)
    return "".join(pieces), offsets, places


def main():
    if sys.argv[1:2] == ["--texts"]:
        for path in sources():
            name = path.relative_to(ROOT).as_posix()
            if is_product(name) and name.startswith(tuple(sys.argv[2:]) or ""):
                for line, text in texts_of(path, path.read_text(encoding="utf-8")):
                    print(f"{name}:{line}: {text!r}")
        return 0
    text, offsets, places = read()
    found = set()
    for begin, anchored in (("[ (]", False), ("[¶.?] ", True)):
        groups = (f"(?P<n{i}>{expression.lstrip('^')})" for i, (expression, _) in enumerate(ADVICE)
                  if (expression[0] == "^") == anchored)
        for match in re.finditer(f"{begin}(?:{'|'.join(groups)})", text):
            name, line = places[bisect.bisect_right(offsets, match.start() + 1) - 1]
            found.add((name, line, match[match.lastgroup], ADVICE[int(match.lastgroup[1:])][1]))
    for name, line, words, advice in sorted(found):
        print(f"{name}:{line}: {words} → {advice}")
    if not found:
        print("words: clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
