#!/bin/sh
# FFmpeg 7.0.2, filter lut3d: the lower end of DOMAIN_MIN … DOMAIN_MAX in a .cube file is not subtracted. Only the width of
# the domain is used. A table that maps each input to itself changes the picture if its domain does not begin at 0:
# 191 becomes 223 with the domain 0.5 … 1, and 63 with -0.5 … 1. There is no warning.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
for domain in '0 1' '0 2' '0.5 1' '-0.5 1'; do
  set -- $domain
  {
    echo "LUT_3D_SIZE 2"
    echo "DOMAIN_MIN $1 $1 $1"
    echo "DOMAIN_MAX $2 $2 $2"
    for blue in $1 $2; do for green in $1 $2; do for red in $1 $2; do echo "$red $green $blue"; done; done; done
  } > identity.cube
  value=$($ffmpeg -v warning -f lavfi -i color=c=0xbfbfbf:s=8x8,format=gbrp -frames:v 1 \
    -vf lut3d=identity.cube:interp=tetrahedral,format=gray -f rawvideo - | od -An -tu1 -N1)
  echo "identity over $1 … $2: 191 becomes$value"
done > seen
cat seen
cat > expected <<'T'
identity over 0 … 1: 191 becomes 191
identity over 0 … 2: 191 becomes 191
identity over 0.5 … 1: 191 becomes 223
identity over -0.5 … 1: 191 becomes  63
T
diff expected seen
