#!/bin/sh
# FFmpeg 7.0.2: raw video in a NUT file silently changes its pixel format if the format has no NUT code. P010 and P016 (what
# hardware decoders deliver) are written with the code of RGB with 15 bits, and read back as rgb555le. The
# writer warns for AVI and MOV ("output file will be unreadable"), but not for NUT, which is the usual pipe between programs.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
for format in nv12 yuv420p10le p010le p016le; do
  $ffmpeg -v warning -y -f lavfi -i color=gray:s=64x64 -frames:v 1 -c:v rawvideo -pix_fmt $format film.nut
  echo "$format: $($ffmpeg -hide_banner -i film.nut 2>&1 | sed -n 's/.*Video: rawvideo ([^)]*), \([a-z0-9]*\).*/\1/p')"
done > seen 2>&1
cat seen
cat > expected <<'T'
nv12: nv12
yuv420p10le: yuv420p10le
p010le: rgb555le
p016le: rgb555le
T
diff expected seen
