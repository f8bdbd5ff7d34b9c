#!/bin/sh
# FFmpeg 7.0.2: the channel boxes of JP2 files are not applied, without a warning. Channel definition (cdef): opacity that
# is stored first is shown as red. Component mapping (cmap): palette columns in another order are shown in the stored
# order. OpenJPEG 2.5.0 applies the channel definition, and refuses that mapping as an implementation limit.
set -eu
packages="libopenjp2-7=2.5.0-2+deb12u3 libopenjp2-tools=2.5.0-2+deb12u3"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)
apt-get -qq download $packages 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done

cat > boxes.py <<'P'
import struct
import subprocess
import sys


def codestream(layout, pixel):
    command = [sys.argv[1], "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", layout, "-s", "8x8", "-i", "-"]
    command += ["-frames:v", "1", "-c:v", "jpeg2000", "-pred", "1", "-format", "j2k", "-f", "image2pipe", "-"]
    return subprocess.run(command, input=bytes(pixel) * 64, check=True, stdout=subprocess.PIPE).stdout


def box(kind, *parts):
    return struct.pack(">I4s", 8 + sum(map(len, parts)), kind) + b"".join(parts)


def write(name, components, code, *channel_boxes):
    header = box(b"ihdr", struct.pack(">IIHBBBB", 8, 8, components, 7, 7, 0, 0))
    sRGB = box(b"colr", struct.pack(">BBBI", 1, 0, 0, 16))
    signature = box(b"jP  ", b"\r\n\x87\n") + box(b"ftyp", b"jp2 \0\0\0\0jp2 ")
    with open(name, "wb") as file:
        file.write(signature + box(b"jp2h", header, sRGB, *channel_boxes) + box(b"jp2c", code))


four = codestream("rgba", (128, 200, 10, 30))
opacity_first = (4, 0, 1, 0, 1, 0, 1, 2, 0, 2, 3, 0, 3)  # count; channel, type, association
write("opacity_first.jp2", 4, four, box(b"cdef", struct.pack(">13H", *opacity_first)))
one = codestream("gray", (0,))
palette = box(b"pclr", struct.pack(">HB3B3B", 1, 3, 7, 7, 7, 200, 10, 30))
for name, columns in (("in_order.jp2", (0, 1, 2)), ("turned.jp2", (2, 1, 0))):
    mapping = box(b"cmap", *[struct.pack(">HBB", 0, 1, column) for column in columns])
    write(name, 1, one, palette, mapping)
P
python3 boxes.py "$ffmpeg"

library=root/usr/lib/$(uname -m)-linux-gnu
$ffmpeg -version | head -1
for name in opacity_first in_order turned; do
  echo "$name, FFmpeg:$($ffmpeg -v warning -i $name.jp2 -pix_fmt rgba -f rawvideo - | od -An -tu1 -N4)"
  if LD_LIBRARY_PATH=$library root/usr/bin/opj_decompress -i $name.jp2 -o $name.rawl > /dev/null 2>&1; then
    echo "$name, OpenJPEG: $(for at in 0 64 128 192; do od -An -tu1 -j$at -N1 $name.rawl; done | xargs)"
  else
    echo "$name, OpenJPEG: refused"
  fi
done > seen
cat seen
cat > expected <<'T'
opacity_first, FFmpeg: 128 200  10  30
opacity_first, OpenJPEG: 200 10 30 128
in_order, FFmpeg: 200  10  30 255
in_order, OpenJPEG: 200 10 30
turned, FFmpeg: 200  10  30 255
turned, OpenJPEG: refused
T
diff expected seen
