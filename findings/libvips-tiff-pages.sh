#!/bin/sh
# libvips 8.18.7: three traps of TIFF files from geography and microscopy.
# - Transparency masks (NewSubfileType 4) and overviews (1, 5) count as pages: one picture has n-pages 4, and all pages
#   together (n=-1) cannot be loaded.
# - A fourth sample that is declared as unspecified (ExtraSamples 0) becomes opacity, so the picture fades. FFmpeg 7.0.2
#   agrees: it reports rgba.
# - Samples of floating point have the interpretation b-w, whose white is 255. Brightness 0 … 1 becomes black in sRGB.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0 numpy==2.2.6 tifffile==2025.5.10 \
  pyvips==3.2.0
pip install -q --root-user-action=ignore --no-deps --target binary pyvips-binary==8.18.7
export PYTHONPATH=$folder/binary:$folder/tools

cat > pictures.py <<'P'
import struct

import numpy
import pyvips
import tifffile


def set_tag(data, page, tag, layout, value):
    place = struct.unpack_from("<I", data, 4)[0]
    for _ in range(page):
        place = struct.unpack_from("<I", data, place + 2 + 12 * struct.unpack_from("<H", data, place)[0])[0]
    for entry in range(struct.unpack_from("<H", data, place)[0]):
        at = place + 2 + 12 * entry
        if struct.unpack_from("<H", data, at)[0] == tag:
            struct.pack_into(layout, data, at + 8, value)


picture = numpy.full((64, 64, 3), 200, numpy.uint8)
mask = numpy.full((64, 64), 255, numpy.uint8)
with tifffile.TiffWriter("map.tif") as writer:
    writer.write(picture, photometric="rgb")
    writer.write(mask, photometric="minisblack", subfiletype=1)
    writer.write(picture[::2, ::2].copy(), photometric="rgb", subfiletype=1)
    writer.write(mask[::2, ::2].copy(), photometric="minisblack", subfiletype=1)
data = bytearray(open("map.tif", "rb").read())
for page, kind in ((1, 4), (3, 5)):
    set_tag(data, page, 254, "<I", kind)
    set_tag(data, page, 262, "<H", 4)
open("map.tif", "wb").write(data)
print("map: pages", pyvips.Image.new_from_file("map.tif").get("n-pages"))
try:
    pyvips.Image.new_from_file("map.tif", n=-1)
except pyvips.Error as error:
    print("all pages:", error.detail.strip())

four = numpy.dstack([picture, numpy.full((64, 64), 50, numpy.uint8)])
tifffile.imwrite("unspecified.tif", four, photometric="rgb", extrasamples=[0])
unspecified = pyvips.Image.new_from_file("unspecified.tif")
print("unspecified: opacity", bool(unspecified.hasalpha()), "over black", round(unspecified.flatten()(1, 1)[0]))

tifffile.imwrite("float.tif", numpy.full((64, 64), 1, numpy.float32))
bright = pyvips.Image.new_from_file("float.tif")
print("float:", bright.interpretation, "in sRGB", round(bright.colourspace("srgb")(1, 1)[0]))
P
python3 -c 'import pyvips; print("libvips", *(pyvips.version(part) for part in range(3)))'
python3 pictures.py > seen
cat seen
cat > expected <<'T'
map: pages 4
all pages: tiff2vips: page 1 differs from page 0
unspecified: opacity True over black 39
float: b-w in sRGB 1
T
diff expected seen
