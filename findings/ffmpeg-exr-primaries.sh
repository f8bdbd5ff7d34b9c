#!/bin/sh
# FFmpeg 7.0.2: the attribute `chromaticities` of an OpenEXR file is not read. A file with the primaries of ACES (AP0) gives
# the same samples as one without, and its primaries are reported as unknown. Shown as BT.709 its colours are pale.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
$ffmpeg -v error -f lavfi -i color=green:s=8x8,format=gbrpf32le -frames:v 1 -c:v exr -compression none plain.exr
python3 - <<'P'
import struct

plain = open("plain.exr", "rb").read()
end = 8  # after magic number and version
while plain[end]:
    kind = plain.index(0, end) + 1
    size = plain.index(0, kind) + 1
    end = size + 4 + struct.unpack_from("<i", plain, size)[0]
ap0 = (0.7347, 0.2653, 0.0, 1.0, 0.0001, -0.077, 0.32168, 0.33767)
attribute = b"chromaticities\0chromaticities\0" + struct.pack("<i8f", 32, *ap0)
lines = struct.unpack_from("<8Q", plain, end + 1)
moved = struct.pack("<8Q", *[line + len(attribute) for line in lines])
open("aces.exr", "wb").write(plain[:end] + attribute + b"\0" + moved + plain[end + 65:])
P
for name in plain aces; do
  $ffmpeg -v warning -i $name.exr -f rawvideo -pix_fmt gbrpf32le $name.raw
  echo "$name: $($ffmpeg -hide_banner -i $name.exr 2>&1 | sed -n 's/.*gbrpf32le(\(.*\)), 8x8.*/\1/p')"
done > seen
cmp plain.raw aces.raw && echo "same samples" >> seen
cat seen
cat > expected <<'T'
plain: unknown/unknown/linear
aces: unknown/unknown/linear
same samples
T
diff expected seen
