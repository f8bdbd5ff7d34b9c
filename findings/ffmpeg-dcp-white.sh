#!/bin/sh
# FFmpeg 7.0.2, libswscale: pictures of cinema packages (xyz12, SMPTE 428-1) become grey. SMPTE 428-1 encodes the white of
# 48 cd/m² below full scale, because 52.37 cd/m² is full scale. The conversion to RGB leaves out the factor 52.37 / 48, so
# a D65 white of 48 cd/m² becomes 245 of 255.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
python3 - > white.raw <<'P'
import struct
import sys

d65 = (0.95047, 1.0, 1.08883)  # X, Y, Z
codes = [round(4095 * (value * 48 / 52.37) ** (1 / 2.6)) for value in d65]
sys.stdout.buffer.write(struct.pack("<3H", *[code << 4 for code in codes]) * 64)
P
echo "48 cd/m²:$($ffmpeg -v error -f rawvideo -pix_fmt xyz12le -s 8x8 -i white.raw -vf format=rgb48le \
  -f rawvideo - | od -An -tu2 -N6 | awk '{print " green", int($2 / 257 + 0.5)}')" > seen
cat seen
cat > expected <<'T'
48 cd/m²: green 245
T
diff expected seen
