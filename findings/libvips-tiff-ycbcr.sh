#!/bin/sh
# libvips 8.18.7: a TIFF file of YCbCr (PhotometricInterpretation 6) without JPEG is read as if its samples were red, green
# and blue. There is no warning, and the interpretation is srgb. A red picture becomes blue. Pillow, which uses libtiff's
# RGBA interface, shows the same file correctly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0 pillow==11.3.0 pyvips==3.2.0
pip install -q --root-user-action=ignore --no-deps --target binary pyvips-binary==8.18.7
export PYTHONPATH=$folder/binary:$folder/tools
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -v error -f lavfi -i color=c=0xC82828:s=64x64 -frames:v 1 -pix_fmt yuv444p -compression_algo packbits red.tif
python3 - > seen <<'P'
from PIL import Image, TiffTags
import pyvips

with Image.open("red.tif") as picture:
    print("photometric", picture.tag_v2[262], "compression", picture.tag_v2[259])
    print("Pillow:", *picture.convert("RGB").getpixel((8, 8)))
picture = pyvips.Image.new_from_file("red.tif")
print("libvips:", picture.interpretation, *(round(value) for value in picture(8, 8)))
P
python3 -c 'import pyvips; print("libvips", *(pyvips.version(part) for part in range(3)))'
cat seen
cat > expected <<'T'
photometric 6 compression 32773
Pillow: 199 41 40
libvips: srgb 91 104 198
T
diff expected seen
