#!/bin/sh
# FFmpeg 7.0.2: a Matroska file whose first time stamp is not 0 gets its end time as its duration. Two seconds of video that
# begin at 10 s have a duration of 12 s; the same video in MP4 has 2 s. Players that stop or loop by the duration wait 10 s.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
for container in mkv mp4; do
  $ffmpeg -v error -f lavfi -i testsrc=s=64x64:r=25 -t 2 -output_ts_offset 10 -c:v mpeg4 late.$container
  echo "$container:$($ffmpeg -hide_banner -i late.$container 2>&1 | sed -n 's/.*Duration: \(.*\), bitrate.*/\1/p')"
done > seen
cat seen
cat > expected <<'T'
mkv:00:00:12.00, start: 10.000000
mp4:00:00:02.00, start: 10.000000
T
diff expected seen
