#!/bin/sh
# FFmpeg 7.0.2: the rotation (irot) and the mirroring (imir) of an AVIF picture are dropped. The picture is reported without
# a display matrix and shown as stored. libvips (libheif) turns the same file upright: 64×32 becomes 32×64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0 pillow==11.3.0 pillow-avif-plugin==1.5.2 \
  pyvips==3.2.0
pip install -q --root-user-action=ignore --no-deps --target binary pyvips-binary==8.18.7
export PYTHONPATH=$folder/binary:$folder/tools
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
python3 - <<'P'
import pillow_avif
from PIL import Image
import pyvips

orientation = Image.Exif()
orientation[0x112] = 6
Image.new("RGB", (64, 32), (10, 200, 30)).save("turned.avif", exif=orientation)
assert b"irot" in open("turned.avif", "rb").read()
print(f"libvips {pyvips.version(0)}.{pyvips.version(1)}.{pyvips.version(2)}")
picture = pyvips.Image.new_from_file("turned.avif")
with open("seen", "w") as seen:
    print(f"libvips: {picture.width}x{picture.height}", file=seen)
P
$ffmpeg -hide_banner -i turned.avif > report 2>&1 || true
echo "FFmpeg: $(sed -n 's/.*Video: av1.* \([0-9]*x[0-9]*\) .*/\1/p' report), display matrices: $(grep -c displaymatrix report || true)" >> seen
cat seen
cat > expected <<'T'
libvips: 32x64
FFmpeg: 64x32, display matrices: 0
T
diff expected seen
