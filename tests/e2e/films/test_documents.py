"""Office documents: LibreOffice converts them once, in a sandbox, and the wall shows their pages."""

import base64
import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import unittest
import zipfile

from harness import EXIT_DONE, EXIT_FAILED, PATIENCE_S, Control, WallTest, eventually, key_named, run
from test_content import pixels_of
from test_previews import pdf

RED, BLUE = (224, 0, 0), (0, 0, 224)
# vitrail-show gives LibreOffice two minutes, and LibreOffice starts slowly on a busy machine.
CONVERTED_S = max(PATIENCE_S, 140)
# By the ending of a document: which library of LibreOffice writes it, and from which flat file.
WRITERS = {"odp": ("libsdlo.so", "flat.fodp"), "pptx": ("libsdlo.so", "flat.fodp"),
           "docx": ("libswlo.so", "flat.fodt"), "xlsx": ("libsclo.so", "flat.fods")}

NAMESPACES = " ".join(f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for short, name in (
    ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
    ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"), ("presentation", "presentation")))


def flat_document(kind, styles, body):
    """An ODF document in one XML file. Without its first line LibreOffice takes it for plain text."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<office:document {NAMESPACES} office:version="1.2" '
            f'office:mimetype="application/vnd.oasis.opendocument.{kind}"><office:automatic-styles>{styles}'
            f'</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>')


def colored(name, family, properties):
    return f'<style:style style:name="{name}" style:family="{family}"><style:{properties}/></style:style>'


def slides():
    """Two pages, one red and one blue."""
    colors = {"red": RED, "blue": BLUE}
    styles = [colored(name, "graphic", 'graphic-properties draw:stroke="none" draw:fill="solid" '
                      f'draw:fill-color="#{bytes(color).hex()}"') for name, color in colors.items()]
    pages = [f'<draw:page draw:name="{name}" draw:master-page-name=""><draw:rect draw:style-name="{name}" svg:x="1cm" '
             'svg:y="1cm" svg:width="26cm" svg:height="13cm"/></draw:page>' for name in colors]
    return flat_document("presentation", "".join(styles), "".join(pages))


def talk(*notes, hidden=""):
    """Pages with these notes (paragraphs), and, if not empty, a hidden page with the notes `hidden`, which is the second."""
    def page(style, paragraphs):
        return (f'<draw:page draw:style-name="{style}" draw:master-page-name=""><presentation:notes><draw:frame svg:x="2cm" svg:y="14cm" '
                f'svg:width="16cm" svg:height="10cm"><draw:text-box>{paragraphs}</draw:text-box></draw:frame></presentation:notes></draw:page>')
    pages = [page("plain", one) for one in notes]
    if hidden:
        pages.insert(1, page("hidden", hidden))
    styles = (colored("plain", "drawing-page", "drawing-page-properties")
              + colored("hidden", "drawing-page", 'drawing-page-properties presentation:visibility="hidden"'))
    return flat_document("presentation", styles, "".join(pages))


def text():
    red = colored("red", "paragraph", f'paragraph-properties fo:background-color="#{bytes(RED).hex()}"')
    return flat_document("text", red, '<text:p text:style-name="red">text</text:p>' * 60)


def table():
    red = colored("red", "table-cell", f'table-cell-properties fo:background-color="#{bytes(RED).hex()}"')
    cell = '<table:table-cell table:style-name="red" office:value-type="string"><text:p>cell</text:p></table:table-cell>'
    row = f"<table:table-row>{cell * 6}</table:table-row>"
    return flat_document("spreadsheet", red, f'<table:table table:name="t">{row * 40}</table:table>')


def has_landlock():
    create_ruleset, version = 444, 1  # of all processors; LANDLOCK_CREATE_RULESET_VERSION
    return ctypes.CDLL(None).syscall(create_ruleset, None, 0, version) >= 1


@unittest.skipUnless(has_landlock(), "this kernel has no Landlock")
class DocumentTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [640, 360]}
    path = os.environ["PATH"]  # of all programs that start later

    def env(self, **more):
        temporary = self.folder / "tmp"
        temporary.mkdir(exist_ok=True)
        return super().env(PATH=self.path, TMPDIR=str(temporary), XDG_CACHE_HOME=str(self.folder / "cache"), **more)

    def without_libreoffice(self):
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        self.path = str(empty)

    def converters(self):
        """The processes of conversions of this test: they work in its temporary folder."""
        return [number for number in map(int, filter(str.isdigit, os.listdir("/proc"))) if self.converts(number)]

    def converts(self, number):
        inside = str(self.folder / "tmp" / "vitrail-document-")
        try:
            at = os.readlink(f"/proc/{number}/cwd")
            words = pathlib.Path(f"/proc/{number}/cmdline").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False  # it has ended, or belongs to somebody else
        return at.startswith(inside) or f"UserInstallation=file://{inside}" in words

    def wait_until_nothing_converts(self):
        eventually(lambda: not self.converters(), "all processes of the conversion have ended")

    def show(self, *arguments):
        return self.start("vitrail-show", "--place", "0,0,640x360", *arguments)

    def wait_for_pages(self, pages):
        """Waits until the only window shows a document; returns the window's number."""
        def number():
            return [w["window"] for w in self.state()["windows"] if w.get("playback", {}).get("pages") == pages]
        return eventually(number, f"a window of {pages} pages", CONVERTED_S)[0]

    def wall_pixels(self):
        self.vitrail("snapshot", self.folder / "wall.png")
        plain = pixels_of((self.folder / "wall.png").read_bytes())
        return list(zip(plain[0::3], plain[1::3], plain[2::3]))

    def wait_for_color(self, color):
        """A tenth of the wall has this colour."""
        def there():
            pixels = self.wall_pixels()
            same = sum(max(abs(a - b) for a, b in zip(pixel, color)) < 32 for pixel in pixels)
            return same > len(pixels) / 10
        eventually(there, f"the wall shows {color}")

    def refused(self, *documents):
        """What `vitrail show` writes about documents of which nothing can be shown."""
        result = run("vitrail", "show", *documents, env=self.env(), cwd=self.folder, timeout=2 * CONVERTED_S)
        self.assertEqual(result.returncode, EXIT_FAILED, result.stdout + result.stderr)
        self.wait_until_nothing_converts()
        self.assertEqual(list((self.folder / "tmp").glob("vitrail-document-*")), [])
        return result.stderr


class RealDocumentTest(DocumentTest):
    """With LibreOffice."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which("soffice"):
            raise unittest.SkipTest("LibreOffice is not installed")

    def document(self, ending, source):
        """Has LibreOffice write a document of this kind."""
        program = pathlib.Path(shutil.which("soffice")).resolve()
        library, name = WRITERS[ending]
        if not (program.parent / library).exists():
            self.skipTest(f"this LibreOffice cannot write .{ending}: it has no {library}")
        flat = self.folder / name
        flat.write_text(source, encoding="utf-8")
        made = subprocess.run([program, f"-env:UserInstallation=file://{self.folder}/profile", "--headless", "--convert-to",
                               ending, "--outdir", self.folder, flat], env=self.env(), cwd=self.folder,
                              capture_output=True, text=True, timeout=CONVERTED_S, check=True)
        document = self.folder / f"flat.{ending}"
        self.assertTrue(document.exists(), made.stdout + made.stderr)
        return document


class Presentations(RealDocumentTest):
    def test_pages_are_shown_and_the_conversion_is_kept(self):
        document = self.document("odp", slides())
        first = self.show(document)
        number = self.wait_for_pages(2)
        self.assertEqual(self.window(number)["media"], [str(document)])
        self.wait_for_color(RED)
        self.vitrail("page", number, 2)
        self.wait_for_color(BLUE)
        self.wait_until_nothing_converts()
        self.assertEqual(list((self.folder / "tmp").glob("vitrail-document-*")), [])
        self.vitrail("close", number)
        self.assertEqual(first.wait(PATIENCE_S), EXIT_DONE, self.output(first))

        self.without_libreoffice()
        self.show("--page", 2, document)
        self.wait_for_pages(2)
        self.wait_for_color(BLUE)

    def test_a_document_is_prepared_for_the_talk(self):
        document = self.document("pptx", slides())
        facts = run("vitrail-poster", "--facts", document, env=self.env())
        self.assertEqual(json.loads(facts.stdout), {})
        prepared = run("vitrail", "show", "--prepare", document, env=self.env(), timeout=CONVERTED_S)
        self.assertEqual(prepared.returncode, EXIT_DONE, prepared.stderr)
        self.wait_until_nothing_converts()
        pdf = pathlib.Path(prepared.stdout.strip())
        self.assertEqual(pdf.read_bytes()[:5], b"%PDF-")
        self.assertEqual(pdf.stat().st_mode & 0o077, 0)
        self.assertEqual(self.state()["windows"], [])
        facts = run("vitrail-poster", "--facts", document, env=self.env())
        self.assertEqual(json.loads(facts.stdout)["pages"], 2)

        written = pdf.stat().st_ino
        self.vitrail("play", document)
        self.wait_for_pages(2)
        self.wait_for_color(RED)
        self.assertEqual(pdf.stat().st_ino, written, "it was converted once")


class SpeakerNotes(RealDocumentTest):
    def test_those_of_the_pages_that_are_shown_are_read(self):
        source = talk('<text:p>Hello <text:span>big</text:span> world &amp; Grüße<text:line-break/>again</text:p><text:p>second</text:p>',
                      "<text:p>last</text:p>", hidden="<text:p>hidden</text:p>")
        for ending in ("odp", "pptx"):
            with self.subTest(ending=ending):
                document = self.document(ending, source)
                self.vitrail("play", document)
                number = self.wait_for_pages(2)
                told = json.loads(self.vitrail("speaker-notes", number, "--json").stdout)
                self.assertEqual(told, {"window": number, "pages": [{"notes": "Hello big world & Grüße\nagain\nsecond"}, {"notes": "last"}]})
                self.vitrail("close", number)


class Notes(DocumentTest):
    """Without LibreOffice: the PDF is in the cache."""

    def presentation(self, notes, pages, name="talk.odp"):
        """An ODP with these notes, whose PDF has this number of pages."""
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as container:
            container.writestr("content.xml", talk(*(f"<text:p>{one}</text:p>" for one in notes)))
        cache = self.folder / "cache" / "vitrail" / "documents"
        cache.mkdir(parents=True, exist_ok=True)
        (cache / f"{hashlib.sha256(path.read_bytes()).hexdigest()}.pdf").write_bytes(pdf(640, 360, ((0, 0, 1),) * pages))
        return path

    def played(self, *arguments):
        return json.loads(self.vitrail("play", *arguments, "--json").stdout)["window"]

    def ask(self, number, key=""):
        with Control(self.port, key) as control:
            return control.call("speaker_notes", window=number)


class NotesOfWindows(Notes):
    def test_they_are_told(self):
        self.played(self.presentation(["one &lt;b&gt;", ""], 2))
        number = self.wait_for_pages(2)
        self.assertEqual(self.ask(number)["result"], {"window": number, "pages": [{"notes": "one <b>"}, {}]})
        self.assertEqual(self.vitrail("speaker-notes", number).stdout, "page 1: \none <b>\n")

    def test_files_that_changed_damaged_files_and_other_windows_are_told_apart(self):
        path = self.presentation(["one", "two"], 2)
        self.played(path)
        number = self.wait_for_pages(2)
        self.presentation(["one", "new", "two"], 3)
        self.assertEqual(self.ask(number)["error"]["data"]["name"], "conflict")
        path.write_bytes(path.read_bytes()[:-30])
        refused = self.ask(number)["error"]
        self.assertEqual(refused["data"]["name"], "bad_data")
        self.assertNotIn(str(path), refused["message"])
        self.assertEqual(self.ask(self.played("test:64x64@5"))["error"]["data"]["name"], "conflict")
        self.assertEqual(self.ask(number + 9)["error"]["data"]["name"], "not_found")
        self.vitrail("close", number)
        (self.folder / "plain.pdf").write_bytes(pdf(640, 360, ((0, 0, 1),) * 3))
        self.played(self.folder / "plain.pdf")
        number = self.wait_for_pages(3)
        self.assertEqual(self.ask(number)["result"]["pages"], [])

    def test_an_xml_bomb_is_refused(self):
        path = self.presentation(["one"], 2)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as container:
            container.writestr("content.xml", b" " * (65 << 20))
        told = run("vitrail-poster", "--notes", path, env=self.env())
        self.assertEqual(told.returncode, EXIT_DONE, told.stderr)
        self.assertIn("64 MiB", json.loads(told.stdout)["unreadable"])


class NotesAndKeys(Notes):
    SECRET = "a secret of sixteen"

    def env(self, **more):
        return super().env(VITRAIL_KEY=self.SECRET, **more)

    def test_only_those_who_control_the_window_may_read_them(self):
        self.played(self.presentation(["secret", "two"], 2))
        number = self.wait_for_pages(2)
        for name in ("viewer", "presenter/other"):
            self.assertEqual(self.ask(number, key_named(self.SECRET, name))["error"]["data"]["name"], "unauthorized", name)
        self.assertEqual(len(self.ask(number, key_named(self.SECRET, "operator"))["result"]["pages"]), 2)


class Texts(RealDocumentTest):
    def test_a_text_is_played(self):
        self.vitrail("play", self.document("docx", text()))
        self.wait_for_pages(2)
        self.wait_for_color(RED)

    def test_a_table_is_played(self):
        self.vitrail("play", self.document("xlsx", table()))
        self.wait_for_pages(1)
        self.wait_for_color(RED)


class Unreadable(RealDocumentTest):
    def test_damaged_and_protected_documents_are_refused(self):
        damaged = self.folder / "damaged.odp"
        damaged.write_bytes(b"PK\x03\x04" + bytes(range(256)) * 4)
        written = self.refused(damaged, self.protected("protected.odt"))
        self.assertIn("damaged.odp", written)
        self.assertIn("libreoffice-impress", written)
        self.assertIn("protected.odt", written)
        self.assertIn("libreoffice-writer", written)
        self.assertIn("password", written)
        self.assertEqual(self.state()["windows"], [])

    def protected(self, name):
        """An encrypted text. Nobody knows the password, so that any bytes are its content."""
        def some(count):
            return base64.b64encode(bytes(range(count))).decode()
        manifest = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
        kind = "application/vnd.oasis.opendocument.text"
        lines = [
            f'<m:manifest xmlns:m="{manifest}" m:version="1.2">',
            f'<m:file-entry m:full-path="/" m:version="1.2" m:media-type="{kind}"/>',
            '<m:file-entry m:full-path="content.xml" m:media-type="text/xml" m:size="4096">',
            f'<m:encryption-data m:checksum-type="{manifest}#sha256-1k" m:checksum="{some(32)}">',
            '<m:algorithm m:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" '
            f'm:initialisation-vector="{some(16)}"/>',
            f'<m:key-derivation m:key-derivation-name="PBKDF2" m:key-size="32" m:iteration-count="1000" m:salt="{some(16)}"/>',
            '<m:start-key-generation m:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" m:key-size="32"/>',
            "</m:encryption-data></m:file-entry></m:manifest>"]
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as container:
            container.writestr("mimetype", kind)
            container.writestr("META-INF/manifest.xml", "".join(lines))
            container.writestr("content.xml", bytes(range(256)) * 8)
        return path


class Linked(RealDocumentTest):
    def container(self, content, parts=()):
        """A text document."""
        kind = "application/vnd.oasis.opendocument.text"
        path = self.folder / "text.odt"
        files = {"content.xml": content, **dict(parts)}
        entries = "".join(f'<m:file-entry m:full-path="{name}" m:media-type="text/xml"/>' for name in files)
        with zipfile.ZipFile(path, "w") as container:
            container.writestr("mimetype", kind)
            container.writestr("META-INF/manifest.xml", '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" m:version="1.2">'
                               f'<m:file-entry m:full-path="/" m:version="1.2" m:media-type="{kind}"/>{entries}</m:manifest>')
            for name, text_of_it in files.items():
                container.writestr(name, text_of_it)
        return path

    red_lines = '<text:p text:style-name="red">text</text:p>' * 30

    @classmethod
    def content(cls, body, scripts=""):
        red = colored("red", "paragraph", f'paragraph-properties fo:background-color="#{bytes(RED).hex()}"')
        return (f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {NAMESPACES} '
                'xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2">'
                f"{scripts}<office:automatic-styles>{red}</office:automatic-styles><office:body><office:text>{body}{cls.red_lines}</office:text>"
                "</office:body></office:document-content>")

    def test_links_are_not_followed(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0)
            here = f"http://127.0.0.1:{server.getsockname()[1]}"
            pictures = "".join(f'<draw:frame svg:width="4cm" svg:height="4cm" text:anchor-type="as-char"><draw:image xlink:href="{here}/{name}.png" '
                               'xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>' for name in "ab")
            section = (f'<text:section text:name="far"><text:section-source xlink:href="{here}/far.odt" xlink:type="simple"/>'
                       "<text:p>far</text:p></text:section>")
            self.vitrail("play", self.container(self.content(f"<text:p>{pictures}</text:p>{section}")))
            self.wait_for_pages(1)
            self.wait_for_color(RED)
            with self.assertRaises(BlockingIOError):
                server.accept()


    def test_macros_do_not_run(self):
        """A macro that runs when the document is opened, and would leave nothing of the text."""
        library = 'xmlns:library="http://openoffice.org/2000/library"'
        parts = {
            "Basic/script-lc.xml": f'<library:libraries {library}><library:library library:name="Standard" library:link="false"/>'
                                   "</library:libraries>",
            "Basic/Standard/script-lb.xml": f'<library:library {library} library:name="Standard" library:readonly="false" library:passwordprotected="false">'
                                            '<library:element library:name="Module1"/></library:library>',
            "Basic/Standard/Module1.xml": '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" '
                                          'script:language="StarBasic">Sub Main\nThisComponent.Text.setString("")\nEnd Sub\n</script:module>'}
        scripts = ('<office:scripts xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0"><office:event-listeners>'
                   '<script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:type="simple" '
                   'xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document"/>'
                   "</office:event-listeners></office:scripts>")
        self.vitrail("play", self.container(self.content("", scripts), parts))
        self.wait_for_pages(1)
        self.wait_for_color(RED)


class Long(DocumentTest):
    PAGES = 10_000

    def test_ten_thousand_pages(self):
        """A PDF whose last page is blue."""
        objects = ["<</Type/Catalog/Pages 2 0 R>>",
                   f"<</Type/Pages/Count {self.PAGES}/MediaBox[0 0 640 360]/Kids[{' '.join(f'{4 + i} 0 R' for i in range(self.PAGES))}]>>",
                   "<</Length 28>>stream\n0 0 0.88 rg 0 0 640 360 re f\nendstream",
                   *["<</Type/Page/Parent 2 0 R>>"] * (self.PAGES - 1), "<</Type/Page/Parent 2 0 R/Contents 3 0 R>>"]
        pdf, places = b"%PDF-1.4\n", []
        for number, body in enumerate(objects, 1):
            places.append(len(pdf))
            pdf += f"{number} 0 obj{body}endobj\n".encode()
        table = "".join(f"{place:010} 00000 n \n" for place in places)
        pdf += (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(objects) + 1}/Root 1 0 R>>\n"
                f"startxref\n{len(pdf)}\n%%EOF\n").encode()
        path = self.folder / "long.pdf"
        path.write_bytes(pdf)
        self.vitrail("play", path)
        number = self.wait_for_pages(self.PAGES)
        self.vitrail("page", number, self.PAGES)
        self.wait_for_color(BLUE)


class Converters(DocumentTest):
    """With stand-ins for LibreOffice."""

    HANGS = "sleep 600 & wait"

    def stand_in(self, script):
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "soffice"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        self.path = f"{folder}:/usr/bin:/bin"

    def document(self, name):
        path = self.folder / name
        path.write_bytes(b"PK\x03\x04" + name.encode())
        return path

    def wait_for_conversion(self):
        """The stand-in and its own child run."""
        eventually(lambda: len(self.converters()) == 2, "a conversion runs")

    def test_the_window_shows_what_it_waits_for(self):
        self.stand_in(self.HANGS)
        show = self.show(self.document("talk.odp"))
        self.wait_for_conversion()
        number = eventually(lambda: [w["window"] for w in self.state()["windows"]], "a window")[0]
        eventually(lambda: len(set(self.wall_pixels())) > 10, "the wall shows a sentence")
        before = self.wall_pixels()
        eventually(lambda: self.wall_pixels() != before, "the seconds count")
        self.vitrail("close", number)
        self.assertEqual(show.wait(PATIENCE_S), EXIT_FAILED, self.output(show))
        self.wait_until_nothing_converts()

    def test_a_show_that_ends_ends_its_conversion(self):
        self.stand_in(self.HANGS)
        for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            with self.subTest(ending=ending):
                show = self.show(self.document("talk.odp"))
                self.wait_for_conversion()
                show.send_signal(ending)
                show.wait(PATIENCE_S)
                self.wait_until_nothing_converts()

    def test_documents_wait_for_each_other(self):
        self.stand_in(self.HANGS)
        first = self.show(self.document("first.odp"))
        self.wait_for_conversion()
        running = self.converters()
        self.show(self.document("second.odp"))
        waiting = self.show(self.document("third.odp"))
        eventually(lambda: len(self.state()["windows"]) == 3, "three windows")
        waiting.terminate()
        waiting.wait(PATIENCE_S)
        self.assertEqual(self.converters(), running)
        first.terminate()
        eventually(lambda: len(set(self.converters()) - set(running)) == 2, "the second is converted now")

    def test_a_document_that_fails_leaves_the_others(self):
        self.stand_in("echo 'it cannot be read' >&2; exit 1")
        picture = self.clip("picture.png", seconds=1, rate=1)
        show = self.show(self.document("talk.odp"), picture)
        self.wait_for_pages(1)
        self.assertIsNone(show.poll(), self.output(show))
        self.assertIn("it cannot be read", self.output(show))
        self.wait_until_nothing_converts()

    def test_missing_libreoffice_is_told(self):
        self.without_libreoffice()
        for name, package in (("a.odp", "impress"), ("a.pptx", "impress"), ("a.docx", "writer"), ("a.xlsx", "calc")):
            with self.subTest(name=name):
                self.assertIn(f"libreoffice-{package}", self.refused(self.document(name)))

    def test_what_is_no_document_is_refused_before_a_conversion(self):
        self.stand_in("echo started > started")
        wrong = self.folder / "notes.docx"
        wrong.write_text("no container", encoding="utf-8")
        protected = self.folder / "protected.docx"
        protected.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le"))
        self.assertIn("notes.docx", self.refused(wrong))
        self.assertIn("password", self.refused(protected))
        self.assertFalse((self.folder / "cache").exists())


if __name__ == "__main__":
    unittest.main()
