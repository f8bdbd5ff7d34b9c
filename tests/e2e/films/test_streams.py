"""Network streams from a real sender to the wall's pixels: HTTP, HLS, RTMP, RTSP, SRT, MPEG-TS over UDP; and screen
capture. Each may stop sending and continue."""

import functools
import http.server
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import threading
import unittest

from harness import PATIENCE_S, Control, WallTest, eventually, free_port, run
from web import serve

SIZE = 160, 90
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
LEFT, RIGHT = (200, 30, 30), (30, 30, 200)  # the halves of the sender's picture


def end(sender):
    sender.kill()
    sender.wait()
    sender.stdout.close()


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class RtspServer(socketserver.ThreadingTCPServer):
    """One camera: forwards RTP that `ffmpeg` sends here to RTSP clients, within their connection (RFC 2326, 10.12)."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), RtspClient)
        self.rtp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.rtp.bind(("127.0.0.1", 0))
        self.rtp.settimeout(1)
        self.url = f"rtsp://127.0.0.1:{self.server_address[1]}/camera"
        self.description = ""
        self.ended = False

    def close(self):
        if self.ended:
            return
        self.ended = True
        self.shutdown()
        self.server_close()
        self.rtp.close()


class RtspClient(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            request = self.rfile.readline().split()
            if not request:
                return
            headers = {}
            while (line := self.rfile.readline().strip()):
                name, _, value = line.decode().partition(":")
                headers[name.lower()] = value.strip()
            self.answer(request[0].decode(), headers)
            if request[0] == b"PLAY":
                self.send_packets()
                return

    def answer(self, method, headers):
        more, body = "", ""
        status = "200 OK"
        if method == "DESCRIBE":
            body = self.server.description
            more = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
        elif method == "SETUP" and "TCP" not in headers.get("transport", ""):
            status = "461 Unsupported Transport"
        elif method == "SETUP":
            more = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
        elif method == "OPTIONS":
            more = "Public: DESCRIBE, SETUP, PLAY\r\n"
        self.wfile.write(f"RTSP/1.0 {status}\r\nCSeq: {headers['cseq']}\r\nSession: 1\r\n{more}\r\n{body}".encode())

    def send_packets(self):
        while not self.server.ended:
            try:
                packet = self.server.rtp.recv(65536)
                self.wfile.write(b"$\0" + len(packet).to_bytes(2, "big") + packet)
            except socket.timeout:
                continue
            except OSError:
                return


class Streams(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": list(SIZE)}

    def send(self, *output, seconds=None):
        """Starts a sender of a picture that is red on the left and blue on the right, with one key frame a second."""
        picture = (f"color=0x{bytes(LEFT).hex()}:s={SIZE[0]}x{SIZE[1]}:r=25,"
                   f"drawbox=x=iw/2:y=0:w=iw/2:h=ih:color=0x{bytes(RIGHT).hex()}:t=fill")
        sender = subprocess.Popen(["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", picture,
                                   *(["-t", str(seconds)] if seconds else []), "-c:v", "libx264", "-preset", "ultrafast",
                                   "-tune", "zerolatency", "-g", "25", "-pix_fmt", "yuv420p", *output],
                                  stdout=subprocess.PIPE)

        self.addCleanup(end, sender)
        return sender

    def plays(self, url):
        """Plays the URL on the wall; returns the window's number when it is shown."""
        with Control(self.port) as control:
            # A listening sender may not be ready yet.
            number = eventually(lambda: control.call("play", media=[url], place=[0, 0, *SIZE]).get("result"),
                                f"{url} plays")["window"]
        self.wait_for_frames(number)
        eventually(lambda: self.colours() == (LEFT, RIGHT), f"{url} is seen", PATIENCE_S)
        return number

    def colours(self, expected=(LEFT, RIGHT)):
        """The colours at the centres of the wall's halves: `expected` if they are close enough, else the measured ones."""
        self.vitrail("snapshot", self.folder / "wall.png")
        pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.folder / "wall.png", "-f", "rawvideo",
                                 "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
        seen = []
        for x, wanted in ((SIZE[0] // 4, expected[0]), (SIZE[0] * 3 // 4, expected[1])):
            at = 3 * (SIZE[1] // 2 * SIZE[0] + x)
            colour = tuple(pixels[at:at + 3])
            near = all(abs(a - b) <= 16 for a, b in zip(colour, wanted))
            seen.append(wanted if near else colour)
        return tuple(seen)

    def camera(self, port=0):
        """Starts an RTSP server and a program that sends to it."""
        server = RtspServer(port)
        self.addCleanup(server.close)
        threading.Thread(target=server.serve_forever).start()
        rtp = server.rtp.getsockname()[1]
        described = self.folder / f"camera-{rtp}.sdp"
        sender = self.send("-f", "rtp", "-sdp_file", described, f"rtp://127.0.0.1:{rtp}")
        eventually(lambda: described.exists() and described.read_text(), "the camera is described")
        server.description = described.read_text().replace(str(rtp), "0")
        return server, sender

    def playback(self, number):
        """The playback; empty while a frame size change replaces the stream."""
        return self.window(number).get("playback", {})

    def has_no_signal(self, number):
        """Checks that the window stays and reports the loss, as does its diagnosis, within 3 s."""
        eventually(lambda: self.playback(number).get("silent_since_s"), "the source is silent")
        eventually(lambda: self.window(number)["health"]["narrow"] == "silent", "and the diagnosis says so")

    def has_signal(self, number, colours=(LEFT, RIGHT)):
        eventually(lambda: (reported := self.playback(number)) and "silent_since_s" not in reported, "it sends again", PATIENCE_S)
        eventually(lambda: self.colours(colours) == colours, "and is seen again", PATIENCE_S)

    def stands_still_for_a_while(self, peer, number, colours=(LEFT, RIGHT)):
        """Checks that the window stays, is dimmed and reports the loss until the peer continues."""
        peer.send_signal(signal.SIGSTOP)
        self.addCleanup(peer.send_signal, signal.SIGCONT)
        self.has_no_signal(number)
        self.assertIn("no signal since", self.window(number)["health"]["sentence"])
        eventually(lambda: self.colours(colours) not in (colours, (BLACK, BLACK)), "the window is dimmed")
        peer.send_signal(signal.SIGCONT)
        self.has_signal(number, colours)

    def test_http_while_it_is_made(self):
        url = f"http://127.0.0.1:{free_port(kind=socket.SOCK_STREAM)}/live"
        self.send("-f", "mpegts", "-listen", "1", url, seconds=8)
        number = self.plays(url)
        self.assertTrue(self.window(number)["playback"]["live"])
        self.has_no_signal(number)
        self.send("-f", "mpegts", "-listen", "1", url)
        self.has_signal(number)

    def test_srt(self):
        address = f"srt://127.0.0.1:{free_port(kind=socket.SOCK_DGRAM)}"
        sender = self.send("-f", "mpegts", address + "?mode=listener")
        number = self.plays(address)
        sender.kill()
        self.has_no_signal(number)
        self.send("-f", "mpegts", address + "?mode=listener")
        self.has_signal(number)

    def test_udp_joined_late(self):
        url = f"udp://127.0.0.1:{free_port(kind=socket.SOCK_DGRAM)}"
        sender = self.send("-f", "mpegts", url + "?pkt_size=1316", "-progress", "pipe:1")
        # Stop between two key frames.
        for line in sender.stdout:
            if line.startswith(b"frame=") and int(line[6:]) >= 30:
                break
        number = self.plays(url)
        self.assertTrue(self.window(number)["playback"]["live"])
        log = "".join(file.read_text() for file in self.folder.glob("vitrail-manager.*.log"))
        self.assertNotIn("damaged", log)

    def test_a_silent_sender_keeps_its_window_and_shows_its_fallback(self):
        url = f"udp://127.0.0.1:{free_port(kind=socket.SOCK_DGRAM)}"
        player, number = self.play("--fallback", "card", "--place", "0,0,{}x{}".format(*SIZE), url)
        eventually(lambda: self.playback(number).get("fallback"), "the fallback is shown: it is not there yet")
        sender = self.send("-f", "mpegts", url + "?pkt_size=1316")
        self.has_signal(number)
        sender.kill()
        self.has_no_signal(number)
        eventually(lambda: self.playback(number).get("fallback"), "the fallback is shown")
        self.send("-f", "mpegts", url + "?pkt_size=1316")
        self.has_signal(number)
        self.assertIsNone(player.poll())
        self.assertIn("no signal", self.output(player))

    def test_pictures_held_back_are_no_sign_of_life(self):
        """When a silent source ends, its decoder still outputs pictures, which came before the silence."""
        piece = self.folder / "piece.ts"
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "color=red:s=160x90:r=25:d=2", "-c:v", "mpeg2video",
                        "-g", "12", "-f", "mpegts", piece], check=True)
        ended, asked_again = threading.Event(), threading.Semaphore(0)

        class Sends(QuietFiles):
            def do_GET(self):
                if ended.is_set():
                    self.send_error(404)
                    asked_again.release()
                    return
                self.send_response(200)
                self.end_headers()
                self.wfile.write(piece.read_bytes())
                self.wfile.flush()
                ended.wait()
        server = serve(self, http.server.ThreadingHTTPServer, Sends)
        self.addCleanup(ended.set)
        with Control(self.port) as control:
            number = control.call("play", media=[f"http://127.0.0.1:{server.server_port}/live"])["result"]["window"]
        since = eventually(lambda: self.playback(number).get("silent_since_s"), "the source is silent")
        ended.set()
        for _ in range(4):
            self.assertTrue(asked_again.acquire(timeout=PATIENCE_S), "it is opened again")
        self.assertEqual(self.playback(number).get("silent_since_s"), since)

    def test_time_stamps_that_jump_ahead_freeze_nothing(self):
        """A stream as a restarted encoder makes it: the timestamps of the second part are an hour ahead."""
        pieces = []
        for colour, offset in ((LEFT, 20), (RIGHT, 3600), (LEFT, 5)):
            piece = self.folder / f"piece-{offset}.ts"
            subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", f"color=0x{bytes(colour).hex()}:s=160x90:r=25:d=1",
                            "-c:v", "mpeg2video", "-g", "12", "-output_ts_offset", str(offset), "-f", "mpegts", piece], check=True)
            pieces.append(piece.read_bytes())
        film = self.folder / "jumps.ts"
        film.write_bytes(b"".join(pieces))
        player = self.start("bplay", film)
        eventually(lambda: player.poll() is not None, "the film ends", 3 + PATIENCE_S / 2)
        self.assertEqual(player.returncode, 0)
        self.assertIn("the time stamps of the film jumped by", self.output(player))
        converted = run("vitrail", "convert", film, self.folder / "jumps.vmov")
        self.assertEqual(converted.returncode, 0, converted.stderr)
        self.assertNotIn("cut short", converted.stderr)

    def test_rtsp(self):
        server, camera = self.camera()
        number = self.plays(server.url)
        self.assertTrue(self.window(number)["playback"]["live"])
        self.stands_still_for_a_while(camera, number)

    def test_rtsp_of_a_server_that_is_started_again(self):
        server, camera = self.camera()
        number = self.plays(server.url)
        port = server.server_address[1]
        server.close()
        end(camera)
        self.has_no_signal(number)
        self.camera(port)
        self.has_signal(number)

    def test_rtmp(self):
        url = f"rtmp://127.0.0.1:{free_port(kind=socket.SOCK_STREAM)}/live/camera"
        sender = self.send("-f", "flv", "-listen", "1", url)
        number = self.plays(url)
        self.assertTrue(self.window(number)["playback"]["live"])
        self.stands_still_for_a_while(sender, number)
        end(sender)
        self.has_no_signal(number)
        self.send("-f", "flv", "-listen", "1", url)
        self.has_signal(number)

    def test_hls(self):
        folder = self.folder / "hls"
        folder.mkdir()
        server = serve(self, http.server.ThreadingHTTPServer, functools.partial(QuietFiles, directory=folder))
        sender = self.send("-f", "hls", "-hls_time", "1", "-hls_list_size", "4", "-hls_flags", "delete_segments", folder / "live.m3u8")
        eventually((folder / "live.m3u8").exists, "the list is there")
        number = self.plays(f"http://127.0.0.1:{server.server_port}/live.m3u8")
        self.assertTrue(self.window(number)["playback"]["live"])
        self.stands_still_for_a_while(sender, number)

    @unittest.skipUnless(shutil.which("Xvfb"), "needs Xvfb")
    def test_capture(self):
        """A white screen whose X server is stopped, like a camera that delivers nothing."""
        reported, tell = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(tell), "-screen", "0", "{}x{}x24".format(*SIZE), "-wr", "-nolisten", "tcp"],
                                  pass_fds=[tell], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(end, server)
        os.close(tell)
        with os.fdopen(reported) as number:
            display = number.readline().strip()
        _, number = self.play("--place", "0,0,{}x{}".format(*SIZE), f"x11::{display}")
        self.assertTrue(self.window(number)["playback"]["live"])
        eventually(lambda: self.colours((WHITE, WHITE)) == (WHITE, WHITE), "the screen is seen", PATIENCE_S)
        self.stands_still_for_a_while(server, number, (WHITE, WHITE))

    def test_time_stamps_that_jump_are_named(self):
        """The source continues while its timestamps jump by an hour."""
        pieces = []
        for offset in (20, 3600):
            piece = self.folder / f"piece-{offset}.ts"
            subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "color=red:s=160x90:r=25:d=4", "-c:v", "mpeg2video",
                            "-g", "12", "-output_ts_offset", str(offset), "-f", "mpegts", piece], check=True)
            pieces.append(piece.read_bytes())
        ended = threading.Event()

        class Sends(QuietFiles):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"".join(pieces))
                self.wfile.flush()
                ended.wait()
        server = serve(self, http.server.ThreadingHTTPServer, Sends)
        self.addCleanup(ended.set)
        with Control(self.port) as control:
            number = control.call("play", media=[f"http://127.0.0.1:{server.server_port}/live"])["result"]["window"]
        named = eventually(lambda: (health := self.window(number).get("health", {})).get("cause") == "time_stamps" and health, "the jump is named")
        self.assertIn("jumped at", named["sentence"])

    def test_a_sender_that_is_not_there_is_awaited_by_name(self):
        processes = []
        for program in (["bplay"], ["vitrail", "play"]):
            url = f"udp://127.0.0.1:{free_port(kind=socket.SOCK_DGRAM)}"
            processes.append(self.start(*program, url))
            reported = f"waiting for a sender at {url}"
            eventually(lambda: reported in self.output(processes[-1]), f"{program} says what it waits for")
        eventually(lambda: self.state().get("openings", [{}])[0].get("awaits_sender"), "the state has it")
        for process in processes:
            eventually(lambda: process.poll() is not None, "it gives up")
            self.assertEqual(process.returncode, 1)
            self.assertIn("start its sender", self.output(process))

    def test_nobody_there_is_told_of(self):
        for url in (f"rtsp://127.0.0.1:{free_port(kind=socket.SOCK_STREAM)}/x", f"http://127.0.0.1:{free_port(kind=socket.SOCK_STREAM)}/x"):
            player = self.start("bplay", url)
            eventually(lambda: player.poll() is not None, "the player ends")
            self.assertEqual(player.returncode, 1)
            self.assertIn(f"cannot open {url}: Connection refused", self.output(player))

    def test_a_list_from_afar_names_no_file_of_this_host(self):
        film = self.clip("secret.ts", extra=("-f", "mpegts"))

        class Lists(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = ("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n"
                        f"file://{film}\n#EXT-X-ENDLIST\n").encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        server = serve(self, http.server.ThreadingHTTPServer, Lists)
        # The same playlist over plain TCP, for which FFmpeg has no restrictions of its own.
        lists = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(lists.close)

        def send_list():
            peer, _ = lists.accept()
            with peer:
                peer.sendall(f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://{film}\n#EXT-X-ENDLIST\n".encode())
        teller = threading.Thread(target=send_list)
        teller.start()
        self.addCleanup(teller.join)
        for url in (f"http://127.0.0.1:{server.server_port}/list.m3u8", f"tcp://127.0.0.1:{lists.getsockname()[1]}"):
            player = self.start("bplay", "--frames", "1", url)
            eventually(lambda: player.poll() is not None, "the player ends")
            self.assertEqual(player.returncode, 1, self.output(player))
            self.assertIn("cannot", self.output(player))


if __name__ == "__main__":
    unittest.main()
