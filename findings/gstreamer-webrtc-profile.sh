#!/bin/sh
# GStreamer 1.22.0: a peer offers H.264 with "level-asymmetry-allowed=1" and a profile-level-id, as browsers do. The
# answer of webrtcbin repeats all parameters but the profile-level-id. A missing one means Baseline, level 1 (RFC 6184,
# section 8.1), so an offer of the High profile is answered by another profile under the same payload type. Without
# "level-asymmetry-allowed=1" the answer is complete. A sender that answers by webrtcbin has to look for a format of the
# Constrained Baseline profile in the offer, and to choose that payload type.
set -eu
core=1.22.0-2+deb12u1 base=1.22.0-3+deb12u7 bad=1.22.0-4+deb12u8 glib=2.74.6-2+deb12u9
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download "libgstreamer1.0-0=$core" "libgstreamer1.0-dev=$core" "libgstreamer-plugins-base1.0-0=$base" \
  "libgstreamer-plugins-base1.0-dev=$base" "gstreamer1.0-plugins-base=$base" "libgstreamer-plugins-bad1.0-0=$bad" \
  "libgstreamer-plugins-bad1.0-dev=$bad" "gstreamer1.0-plugins-bad=$bad" gstreamer1.0-plugins-good=1.22.0-5+deb12u4 \
  gstreamer1.0-nice=0.1.21-1 libnice10=0.1.21-1 libsrtp2-1=2.5.0-3 "libglib2.0-0=$glib" "libglib2.0-dev=$glib" \
  libgudev-1.0-0=237-2 libgupnp-igd-1.0-4=1.2.0-3 liborc-0.4-0=1:0.4.33-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
machine=$(uname -m)-linux-gnu
library=$folder/root/usr/lib/$machine
mkdir plugins
for plugin in app coreelements dtls nice rtp rtpmanager srtp webrtc; do
  cp "$library/gstreamer-1.0/libgst$plugin.so" plugins/
done
export LD_LIBRARY_PATH="$library:$folder/root/lib/$machine" GST_PLUGIN_SYSTEM_PATH="$folder/plugins" GST_PLUGIN_PATH= \
  GST_REGISTRY="$folder/registry" GST_PLUGIN_SCANNER="$library/gstreamer1.0/gstreamer-1.0/gst-plugin-scanner"

cat > answer.c <<'P'
#define GST_USE_UNSTABLE_API
#include <gst/gst.h>
#include <gst/sdp/sdp.h>
#include <gst/webrtc/webrtc.h>
#include <stdio.h>

static const char* const kOffer =
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\n"
    "m=video 9 UDP/TLS/RTP/SAVPF 102\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na=recvonly\r\na=rtcp-mux\r\n"
    "a=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\na=setup:actpass\r\na=fingerprint:sha-256 "
    "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF\r\n"
    "a=rtpmap:102 H264/90000\r\n"
    "a=fmtp:102 level-asymmetry-allowed=%d;packetization-mode=1;profile-level-id=%s\r\n";

static const GstStructure* ask(GstElement* peer, const char* signal, gpointer argument) {
  GstPromise* promise = gst_promise_new();
  g_signal_emit_by_name(peer, signal, argument, promise);
  gst_promise_wait(promise);
  return gst_promise_get_reply(promise);
}

static void answer_to(int asymmetry, const char* profile) {
  GstElement* pipeline = gst_parse_launch(
      "webrtcbin name=peer bundle-policy=max-bundle appsrc caps=\"application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=H264,payload=102\" ! peer.", NULL);
  GstElement* peer = gst_bin_get_by_name(GST_BIN(pipeline), "peer");
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  char text[2000];
  snprintf(text, sizeof text, kOffer, asymmetry, profile);
  GstSDPMessage* message;
  gst_sdp_message_new_from_text(text, &message);
  ask(peer, "set-remote-description", gst_webrtc_session_description_new(GST_WEBRTC_SDP_TYPE_OFFER, message));
  GstWebRTCSessionDescription* answer = NULL;
  gst_structure_get(ask(peer, "create-answer", NULL), "answer", GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &answer, NULL);
  const char* format = gst_sdp_media_get_attribute_val(gst_sdp_message_get_media(answer->sdp, 0), "fmtp");
  printf("offered %s, level-asymmetry-allowed=%d; answered: %s\n", profile, asymmetry, format);
  gst_element_set_state(pipeline, GST_STATE_NULL);
}

int main(int count, char** words) {
  gst_init(&count, &words);
  puts(gst_version_string());
  answer_to(1, "640c1f");
  answer_to(0, "640c1f");
  answer_to(1, "42e01f");
  return 0;
}
P
include=root/usr/include
gcc -w -o answer answer.c -I$include/gstreamer-1.0 -I$include/glib-2.0 -I"$library/glib-2.0/include" -L"$library" \
  -Wl,--allow-shlib-undefined -lgstwebrtc-1.0 -lgstsdp-1.0 -lgstreamer-1.0 -lgobject-2.0 -lglib-2.0
./answer > seen
cat seen
cat > expected <<'T'
GStreamer 1.22.0
offered 640c1f, level-asymmetry-allowed=1; answered: 102 packetization-mode=1;level-asymmetry-allowed=1
offered 640c1f, level-asymmetry-allowed=0; answered: 102 level-asymmetry-allowed=0;packetization-mode=1;profile-level-id=640c1f
offered 42e01f, level-asymmetry-allowed=1; answered: 102 packetization-mode=1;level-asymmetry-allowed=1
T
diff expected seen
