#!/bin/sh
# libvips 8.18.7: pictures of high dynamic range load as if they were sRGB. The transfer function PQ of PNG (chunk cICP) and
# of AVIF (nclx) appears neither in the interpretation nor in any field, and conversion to sRGB leaves the samples as they
# are, too dark and pale. FFmpeg 7.0.2 reports the transfer function of both files.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0 pyvips==3.2.0
pip install -q --root-user-action=ignore --no-deps --target binary pyvips-binary==8.18.7
export PYTHONPATH=$folder/binary:$folder/tools
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

tags=setparams=color_primaries=bt2020:color_trc=smpte2084:range=pc
$ffmpeg -v error -f lavfi -i color=gray:s=64x64,format=rgb48be -vf $tags:colorspace=gbr -frames:v 1 hdr.png
$ffmpeg -v error -f lavfi -i color=gray:s=64x64,format=yuv420p10le -vf $tags:colorspace=bt2020nc \
  -c:v libaom-av1 -still-picture 1 -frames:v 1 hdr.avif
cat > fields.py <<'P'
import sys

import pyvips

picture = pyvips.Image.new_from_file(sys.argv[1])
color = [field for field in picture.get_fields() if "icc" in field or "cicp" in field or "nclx" in field]
same = picture.colourspace("srgb")(1, 1) == [value // 256 for value in picture(1, 1)]
print(f"{sys.argv[1]}, libvips: {picture.interpretation}, fields of colour: {color}, unchanged in sRGB: {same}")
P
python3 -c 'import pyvips; print("libvips", *(pyvips.version(part) for part in range(3)))'
for name in hdr.png hdr.avif; do
  echo "$name, FFmpeg: $($ffmpeg -hide_banner -i $name 2>&1 | grep -o smpte2084 | head -1)"
  python3 fields.py $name
done > seen
cat seen
cat > expected <<'T'
hdr.png, FFmpeg: smpte2084
hdr.png, libvips: rgb16, fields of colour: [], unchanged in sRGB: True
hdr.avif, FFmpeg: smpte2084
hdr.avif, libvips: rgb16, fields of colour: [], unchanged in sRGB: True
T
diff expected seen
