#!/bin/sh
# FFmpeg 7.0.2: a DPX file states its transfer characteristic in byte 801. FFmpeg reports linear (2) and BT.709 (6), but
# nothing for the two that film scans have: printing density (1) and logarithmic (3). A log scan looks like an untagged
# video picture, and is shown milky.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
$ffmpeg -v error -f lavfi -i color=gray:s=8x8,format=gbrp10be -frames:v 1 scan.dpx
for transfer in 1 2 3 6; do
  printf "\\00$transfer" | dd of=scan.dpx bs=1 seek=801 conv=notrunc status=none
  echo "$transfer: $($ffmpeg -hide_banner -i scan.dpx 2>&1 | sed -n 's/.*gbrp10le(\(.*\)), 8x8.*/\1/p')"
done > seen
cat seen
cat > expected <<'T'
1: gbr/unknown/unknown
2: gbr/unknown/linear
3: gbr/unknown/unknown
6: gbr/unknown/bt709
T
diff expected seen
