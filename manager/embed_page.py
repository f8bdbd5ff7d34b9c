#!/usr/bin/env python3
"""Writes a C++ file with the page's files and the API's description, both plain and compressed.

esbuild minifies scripts and style sheets one by one, so that errors in the browser name the file and the method.
The remote is one script without the languages, and its document contains its style sheet and its theme: a phone needs
one request until the first paint. The content security policy allows these two by their hashes.

Names become paths from "/"; the API's description is "/api". Names that begin with a dot are left out.
"""

import argparse
import base64
import gzip
import hashlib
import pathlib
import posixpath
import re
import shutil
import subprocess
import tempfile

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
REMOTE = "remote/"  # of its scripts and style sheets, only the bundled script is served
BUNDLED_SCRIPT = "remote/remote.js"
BUNDLES = (BUNDLED_SCRIPT, "remote/remote.css")  # with all that they import
INLINED = re.compile(r'<link rel="stylesheet" href="([^"]+)" />|<script src="([^"]+)"></script>')

CODE = """// Generated from the page's folder.
#include "manager/web.h"

namespace manager {{
namespace {{

{arrays}
// Without the zero at the end, which makes empty files arrays, too.
template <size_t kSize>
std::string_view text(const unsigned char (&bytes)[kSize]) {{
  return {{reinterpret_cast<const char*>(bytes), kSize - 1}};
}}

}}  // namespace

std::span<const sail::WebAsset> page_assets() {{
  static const sail::WebAsset assets[] = {{
{entries}  }};
  return assets;
}}

}}  // namespace manager
"""


def minified(esbuild, folder, names):
    """The page's scripts and style sheets, and the remote's bundles, by name."""
    files = {}
    with tempfile.TemporaryDirectory() as made:
        # esbuild writes the addresses of modules that it leaves out relative to the written file, and compares their
        # paths after it followed links. It names modules by their paths from the working directory.
        page = pathlib.Path(made).resolve() / "page"
        shutil.copytree(folder, page)
        command = [esbuild, "--charset=utf8", "--log-level=warning"]
        for name in BUNDLES:
            subprocess.run([*command, "--minify-whitespace", "--minify-syntax", "--bundle", "--format=esm",
                            f"--external:{page}/texts/*", f"--outfile={page / name}", "--allow-overwrite", page / name],
                           check=True, cwd=page)
            files[name] = (page / name).read_bytes()
        single = [name for name in names if name.endswith((".js", ".css")) and not name.startswith(REMOTE)]
        subprocess.run([*command, "--minify", "--outbase=.", f"--outdir={made}/single", *single], check=True, cwd=folder)
        files |= {name: (pathlib.Path(made) / "single" / name).read_bytes() for name in single}
    return files


def inlined(document, files):
    """The remote's document with its style sheet and its classic script, and the policy that allows them."""
    policy = []

    def content(found):
        kind = "style" if found[1] else "script"
        text = files[posixpath.normpath(REMOTE + (found[1] or found[2]))].strip()
        policy.append(f"{kind}-src 'self' 'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'")
        return f"<{kind}>{text.decode()}</{kind}>"

    return INLINED.sub(content, document.decode()).encode(), "; ".join(policy)


def assets(esbuild, folder, api):
    """The served files: path, content type, content, and additions to the content security policy."""
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.suffix in TYPES)
    names = [name for name in names if not re.search(r"(^|/)\.", name)]
    files = minified(esbuild, folder, names)
    for name in names:
        kind = pathlib.Path(name).suffix
        if name.startswith(REMOTE) and kind in (".js", ".css") and name != BUNDLED_SCRIPT:
            continue
        content, policy = files.get(name) or (folder / name).read_bytes(), ""
        if name == f"{REMOTE}index.html":
            content, policy = inlined(content, files)
        yield f"/{name}", TYPES[kind], content, policy
    yield "/api", "application/json", api.read_bytes(), ""


def array(name, data):
    return f"constexpr unsigned char {name}[] = {{{''.join(f'{byte},' for byte in data)}0}};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="the page")
    parser.add_argument("--api", type=pathlib.Path, required=True, help="the API's description")
    parser.add_argument("--esbuild", default="esbuild", help="the program")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the C++ file")
    options = parser.parse_args()
    arrays, entries = "", ""
    for number, (path, kind, content, policy) in enumerate(assets(options.esbuild, options.folder, options.api)):
        arrays += array(f"kPlain{number}", content) + array(f"kGzip{number}", gzip.compress(content, mtime=0))
        tag = hashlib.sha256(content).hexdigest()[:16]
        entries += (f'      {{"{path}", "{kind}", "{tag}", text(kPlain{number}), text(kGzip{number}),\n'
                    f'       "{policy}"}},\n')
    options.out.write_text(CODE.format(arrays=arrays, entries=entries), encoding="utf-8")


main()
