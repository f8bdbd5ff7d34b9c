"""Sends a moving test picture by WHIP (RFC 9725) until it is killed: whip_sender.py URL TOKEN CERTIFICATE.

Needs GStreamer's webrtcbin, and PyGObject for Debian's Python.
"""

import ssl
import sys
import urllib.request

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

PIPELINE = ("videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=180,framerate=15/1 ! "
            "vp8enc deadline=1 keyframe-max-dist=15 ! rtpvp8pay pt=96 ! "
            "application/x-rtp,media=video,encoding-name=VP8,payload=96 ! webrtcbin name=peer bundle-policy=max-bundle")


class Sender:
    def __init__(self, url, token, certificate):
        self.url, self.token, self.certificate = url, token, certificate
        self.loop = GLib.MainLoop()
        self.pipeline = Gst.parse_launch(PIPELINE)
        self.peer = self.pipeline.get_by_name("peer")
        self.peer.connect("on-negotiation-needed", self.offer)
        self.peer.connect("notify::ice-gathering-state", self.gathered)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", lambda _, message: self.fail(message.parse_error()))

    def run(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        self.loop.run()

    def fail(self, why):
        print(why, file=sys.stderr)
        self.loop.quit()

    def offer(self, peer):
        peer.emit("create-offer", None, Gst.Promise.new_with_change_func(self.offered, None))

    def offered(self, promise, _):
        reply = promise.get_reply()  # kept in a variable, because it owns the offer
        offer = reply.get_value("offer")
        self.peer.emit("set-local-description", offer, None)

    def gathered(self, *_):
        if self.peer.get_property("ice-gathering-state") == GstWebRTC.WebRTCICEGatheringState.COMPLETE:
            GLib.idle_add(self.send)

    def send(self):
        sdp = self.peer.get_property("local-description").sdp.as_text()
        of_v6 = "[" in self.url  # offer only addresses of the IP version that the URL uses
        lines = [line for line in sdp.splitlines()
                 if not line.startswith("a=candidate:") or (":" in line.split()[4]) == of_v6]
        request = urllib.request.Request(self.url, ("\r\n".join(lines) + "\r\n").encode(), {"Content-Type": "application/sdp",
                                                                  "Authorization": f"Bearer {self.token}"})
        trusted = ssl.create_default_context(cafile=self.certificate)
        trusted.check_hostname = False
        with urllib.request.urlopen(request, context=trusted) as answer:
            text = answer.read().decode()
        print(text, flush=True)
        _, message = GstSdp.SDPMessage.new_from_text(text)
        reported = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, message)
        self.peer.emit("set-remote-description", reported, None)
        return GLib.SOURCE_REMOVE


if __name__ == "__main__":
    Gst.init(None)
    Sender(*sys.argv[1:]).run()
