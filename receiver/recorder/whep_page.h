// The page on which browsers watch a recording by WHEP. Its key is in the address, behind "#key=".
#pragma once

#include <array>
#include <string_view>

#include "sail/core/http/web_server.h"

namespace receiver {

constexpr std::string_view kWhepHtml = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Vitrail</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="watch.css">
<video id="wall" autoplay muted playsinline></video>
<p id="state" role="status">Connecting …</p>
<button id="sound" hidden>Sound on</button>
<script type="module" src="watch.js"></script>
</html>
)";

constexpr std::string_view kWhepStyle =
    R"(body { margin: 0; background: #000; color: #fff; font: 1rem sans-serif; }
video { position: fixed; width: 100%; height: 100%; object-fit: contain; }
p, button { position: fixed; left: 1rem; bottom: 1rem; margin: 0; font: inherit; }
p { bottom: 4rem; }
)";

constexpr std::string_view kWhepScript =
    R"(const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? '';
const video = document.querySelector('#wall');
const state = document.querySelector('#state');
const sound = document.querySelector('#sound');
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/sdp' };
let session = '';

function again(why) {
  state.textContent = `${why} Trying again …`;
  setTimeout(watch, 2000);
}

async function offer(peer) {
  peer.addTransceiver('video', { direction: 'recvonly' });
  peer.addTransceiver('audio', { direction: 'recvonly' });
  const { sdp } = await peer.createOffer();
  await peer.setLocalDescription({ type: 'offer', sdp: sdp.replaceAll('useinbandfec=1', 'useinbandfec=1;stereo=1') });
  if (peer.iceGatheringState !== 'complete') {
    await new Promise((done) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done(); });
  }
  return peer.localDescription.sdp;
}

async function watch() {
  const peer = new RTCPeerConnection();
  const media = new MediaStream();
  peer.ontrack = ({ track }) => {
    media.addTrack(track);
    if (track.kind === 'audio') sound.hidden = !video.muted;
    video.srcObject = media;
  };
  try {
    const answer = await fetch('whep', { method: 'POST', headers, body: await offer(peer) });
    const text = await answer.text();
    if (answer.status === 401) {
      state.textContent = 'This link is not valid any more.';
      return peer.close();
    }
    if (!answer.ok) throw new Error(text);
    session = answer.headers.get('Location');
    await peer.setRemoteDescription({ type: 'answer', sdp: text });
  } catch (error) {
    peer.close();
    return again(error.message);
  }
  state.textContent = '';
  peer.onconnectionstatechange = () => {
    if (!['failed', 'disconnected', 'closed'].includes(peer.connectionState)) return;
    peer.onconnectionstatechange = null;
    peer.close();
    again('The connection was lost.');
  };
}

sound.onclick = () => { video.muted = false; sound.hidden = true; };
addEventListener('pagehide', () => { if (session) fetch(session, { method: 'DELETE', headers, keepalive: true }); });
watch();
)";

constexpr std::array<sail::WebAsset, 3> kWhepAssets = {{
    {"/index.html", "text/html; charset=utf-8", "1", kWhepHtml, ""},
    {"/watch.css", "text/css; charset=utf-8", "1", kWhepStyle, ""},
    {"/watch.js", "text/javascript; charset=utf-8", "1", kWhepScript, ""},
}};

}  // namespace receiver
