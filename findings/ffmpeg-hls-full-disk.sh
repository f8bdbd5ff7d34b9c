#!/bin/sh
# FFmpeg 7.0.2: its HLS muxer does not report errors while it writes pieces. When no more bytes fit into a file, FFmpeg prints
# nothing and exits with 0, and the playlist promises the whole duration of the piece that was cut off. The MPEG-TS muxer,
# which writes the same pieces, reports the error and exits with 229.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
pip install -q --root-user-action=ignore --target tools imageio-ffmpeg==0.6.0
ffmpeg=$(echo tools/imageio_ffmpeg/binaries/ffmpeg-linux-*)

$ffmpeg -version | head -1
mkdir hls ts
# Stands for a full disk: files may have 64 KiB.
write() {
  (
    trap '' XFSZ
    ulimit -f 128
    $ffmpeg -hide_banner -loglevel error -f lavfi -i testsrc2=size=320x180:rate=25 -t 4 -c:v mpeg2video -g 25 -b:v 2M "$@" \
      2> errors && code=0 || code=$?
    echo "exit code $code, $(grep -c 'File too large' errors || true) errors"
  )
}
{
  echo "MPEG-TS: $(write -f mpegts ts/film.ts)" | sed 's/, [1-9][0-9]* errors/, errors/'
  echo "HLS: $(write -f hls -hls_time 4 hls/film.m3u8)"
  echo "size of the piece: $(stat -c %s hls/film0.ts)"
  grep EXTINF hls/film.m3u8
} > seen
cat seen
cat > expected <<'T'
MPEG-TS: exit code 229, errors
HLS: exit code 0, 0 errors
size of the piece: 65536
#EXTINF:4.000000,
T
diff expected seen
