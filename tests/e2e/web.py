"""The browser's side by hand: WebSocket and HTTP over plain sockets, so that tests can break every rule; and servers
for other programs."""

import base64
import http.client
import json
import os
import socket
import struct
import subprocess
import threading

from harness import PATIENCE_S, say_hello


def serve(test, kind, handler):
    """Runs a socketserver or http.server on loopback until the test ends."""
    server = kind(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server


def request(port, method, path, body=None, headers=None, tls=None):
    """One HTTP request; returns (status, headers in lower case, body). `tls` is an ssl.SSLContext."""
    connection = (http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_S, context=tls) if tls else
                  http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S))
    try:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def raw(port, data):
    """All bytes received until the server closes the connection, in whatever way."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        try:
            connection.sendall(data)
            while piece := connection.recv(65536):
                received += piece
        except ConnectionError:
            pass
    return received


def make_certificate(folder, name, *options):
    """(certificate, key): files of a self-signed certificate for loopback; `options` are further openssl options."""
    files = [folder / f"{name}.crt", folder / f"{name}.key"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout",
                    files[1], *options], check=True, capture_output=True)
    files[1].chmod(0o600)
    return files


class WebSocket:
    """A control connection over WebSocket. `status` is the answer to the handshake; `tls` an ssl.SSLContext; `headers`
    are further lines of the request."""

    def __init__(self, port, origin=None, host=None, subprotocol="vitrail", path="/control", receive_buffer=None,
                 tls=None, headers=()):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(("127.0.0.1", port))
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="127.0.0.1")
        host = host or f"127.0.0.1:{port}"
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", f"Origin: {origin or 'http://' + host}",
                 "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if subprotocol:
            lines.append(f"Sec-WebSocket-Protocol: {subprotocol}")
        lines += headers
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            piece = self.socket.recv(65536)
            if not piece:
                break
            self.received += piece
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0
        self.next_id = 0

    def send(self, message, opcode=1, final=True):
        data = message if isinstance(message, bytes) else message.encode()
        size = len(data)
        first = opcode | (0x80 if final else 0)
        if size < 126:
            head = struct.pack(">BB", first, 0x80 | size)
        elif size < 65536:
            head = struct.pack(">BBH", first, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", first, 0x80 | 127, size)
        # The mask of zeros is valid.
        self.socket.sendall(head + bytes(4) + data)

    def _take(self, count):
        while len(self.received) < count:
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError("the server closed the connection")
            self.received += piece
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def receive(self):
        """The next message as text, or None if the server closed the connection."""
        message = b""
        while True:
            try:
                first, size = self._take(2)
                if size == 126:
                    size, = struct.unpack(">H", self._take(2))
                elif size == 127:
                    size, = struct.unpack(">Q", self._take(8))
                payload = self._take(size)
            except ConnectionError:
                return None
            opcode = first & 15
            if opcode == 8:
                return None
            if opcode == 9:
                self.send(payload, opcode=10)
            elif opcode < 3:
                message += payload
                if first & 0x80:
                    return message.decode()

    def call(self, method, **params):
        self.next_id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}))
        while True:
            text = self.receive()
            assert text is not None, f"the manager closed the connection on {method}"
            message = json.loads(text)
            if message.get("id") == self.next_id:
                return message

    def hello(self, key=""):
        return say_hello(self.call, key, name="page")

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
