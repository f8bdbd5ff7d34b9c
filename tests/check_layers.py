#!/usr/bin/env python3
"""The law of the folders, read from the table of ARCHITECTURE.md ("The parts"), held against the #include lines."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Headers of a C or C++ library → the only places that may include them (a folder or files).
WRAPPERS = {
    r"uv\.h": ["sail/core/"],
    r"avahi-": ["sail/core/discovery/mdns"],
    r"libwebsockets": ["sail/core/web_"],
    r"libav\w+/|libsw\w+/": ["sail/media/ffmpeg/media_source", "receiver/recorder/film_writer"],
    r"SDL": ["receiver/display/presenter_sdl", "receiver/display/sdl_windows", "receiver/display/gl_screen", "receiver/sound/sound_card",
             "sail/apps/play/sound_device", "ui/pointer/sdl_devices"],
    r"wayland-client": ["receiver/display/wayland_seat"],
    r"samplerate\.h": ["receiver/sound/sound_source"],
    r"epoxy/": ["receiver/gl_"],
    r"openssl/": ["sail/core/tls/aes_gcm", "sail/core/auth/password", "sail/core/auth/proof", "sail/core/tls/tls.cpp", "sail/core/http/web_certificate",
                 "sail/media/storage/ibp/md5"],
    r"png\.h": ["ui/"],
    r"jpeglib\.h": ["codecs/picture/jpeg"],
    r"curl/": ["ui/console/http_upload", "sail/media/storage/curl_"],
    r"histedit\.h|editline/": ["ui/console/prompt/prompt"],
    r"qrencode\.h": ["ui/console/qr_code"],
    r"xxhash\.h": ["sail/client/encode/block_changes", "sail/media/vmov/checksum"],
    r"spdlog/": ["sail/core/base/log"],
    r"CLI/": ["sail/core/command_line/command_line.cpp"],
    r"squish\.h": ["codecs/dxt/high_squish"],
    r"lz4\.h": ["codecs/picture/second_stage_lz4"],
    r"zstd\.h": ["codecs/picture/second_stage_zstd"],
    r"openjpeg\.h": ["codecs/j2k/j2k_openjpeg"],
    r"isa-l": ["codecs/fec/reed_solomon"],
    r"xcb/": ["sail/apps/x11_"],
    r"systemd/": ["sail/apps/share/portal/share_portal"],
    r"pipewire/|spa/": ["sail/apps/share/portal/pipewire_pictures"],
    r"rfb/rfbclient\.h": ["sail/apps/vnc/vnc_desktop"],
    r"vips/": ["sail/apps/vips_"],
    r"pango/": ["sail/apps/show/written_text", "receiver/paint/written_line"],
    r"poppler": ["sail/apps/show/pdf_document"],
    r"sqlite3\.h": ["sail/apps/server/catalogue/sqlite."],
    r"libxml/": ["sail/media/storage/ibp/exnode_xml"],
    r"nfsc/": ["sail/media/storage/nfs/nfs_file"],
    r"glusterfs/": ["sail/media/storage/gluster/gluster_file"],
    r"gst/": ["sail/bindings/gstreamer/", "sail/apps/whip/whip_peer"],
    r"seccomp\.h": ["sail/apps/poster/poster_sandbox"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)


def rooms():
    """Room → the rooms whose headers it may include besides its own."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = text.split("| folder |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    cells = [row.strip("|").split("|") for row in rows]
    return {re.findall("`(.+?)`", row[0])[0]: set(re.findall("`(.+?)`", row[-1])) for row in cells}


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "sail" else parts[0]


def main():
    may_include = rooms()
    mistakes = [f"ARCHITECTURE.md: `{name}` is no folder" for name in sorted(set(may_include).union(*may_include.values()))
                if not (ROOT / name).is_dir()]
    for source in sorted(ROOT.rglob("*")):
        path = source.relative_to(ROOT).as_posix()
        room = room_of(path)
        if source.suffix not in {".h", ".hpp", ".c", ".cpp"} or room == "tests" or room.startswith((".", "build")):
            continue
        if room not in may_include:
            mistakes.append(f"{path}: ARCHITECTURE.md has no row for {room}")
            continue
        for header in INCLUDE.findall(source.read_text()):
            if header.startswith("sail/sail."):
                header = "sail/include/" + header
            if (ROOT / header).is_file():
                other = room_of(header)
                if other != room and other not in may_include[room]:
                    mistakes.append(f"{path}: {room} may not include {header}")
            for library, places in WRAPPERS.items():
                if re.match(library, header) and not any(path.startswith(p) for p in places):
                    mistakes.append(f"{path}: {header} belongs into its wrapper ({places})")
    allowed = {"CMakeLists.txt", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "FIGURES.md", "CHANGELOG.md",
               "SECURITY.md", "LICENSE"}
    folders = {"manager", "sail", "receiver", "ui", "codecs", "scripts", "tests"}
    for entry in ROOT.iterdir():
        if entry.name.startswith((".", "build")) or entry.name in ("report", "wall.png"):
            continue
        if entry.name not in (folders if entry.is_dir() else allowed):
            mistakes.append(f"{entry.name}: not a name of the top level")
    for folder in ("docs", "common", "utils", "util"):
        for entry in ROOT.rglob(folder):
            parts = entry.relative_to(ROOT).parts
            if entry.is_dir() and not parts[0].startswith((".", "build")) and "node_modules" not in parts:
                mistakes.append(f"{entry.relative_to(ROOT)}: no folder of that name here")
    print("\n".join(mistakes) or "layers: clean")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
