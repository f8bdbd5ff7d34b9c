"""A strict ONVIF camera for tests: it checks the user's digest and its time, and records what it is asked."""

import base64
import datetime
import hashlib
import http.server
import re
import socket
import threading
import uuid
import xml.etree.ElementTree as ElementTree

SOAP = "http://www.w3.org/2003/05/soap-envelope"
SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
UTILITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
DISCOVERY = "http://schemas.xmlsoap.org/ws/2005/04/discovery"
ADDRESSING = "http://schemas.xmlsoap.org/ws/2004/08/addressing"
SCHEMA = "http://www.onvif.org/ver10/schema"
SERVICES = {"device": "http://www.onvif.org/ver10/device/wsdl", "media": "http://www.onvif.org/ver10/media/wsdl",
            "ptz": "http://www.onvif.org/ver20/ptz/wsdl"}
DISCOVERY_GROUP, DISCOVERY_PORT = "239.255.255.250", 3702
MOST_SECONDS_OFF = 5
TIMEOUT_S = 20


def envelope(body, header=""):
    return (f'<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="{SOAP}" xmlns:tt="{SCHEMA}" xmlns:a="{ADDRESSING}" '
            f'xmlns:d="{DISCOVERY}"><env:Header>{header}</env:Header><env:Body>{body}</env:Body></env:Envelope>').encode()


def fault(code, reason):
    return envelope(f'<env:Fault><env:Code><env:Value>env:Sender</env:Value><env:Subcode><env:Value xmlns:ter="http://www.onvif.org/ver10/error">'
                    f'ter:{code}</env:Value></env:Subcode></env:Code><env:Reason><env:Text xml:lang="en">{reason}</env:Text></env:Reason></env:Fault>')


def local(tag):
    return tag.rpartition("}")[2]


class Camera(http.server.ThreadingHTTPServer):
    """Its clock is `ahead_s` wrong. `demands`: "token" (WS-Security) or "digest" (HTTP). `multicast`: the address at which it
    also hears probes by multicast."""

    daemon_threads = True

    def __init__(self, stream, user="ann", password="p@ss:word", ahead_s=0, demands="token", told_host="127.0.0.1",
                 multicast=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.stream, self.user, self.password, self.ahead_s, self.demands = stream, user, password, ahead_s, demands
        self.told_host = told_host
        self.nonces, self.calls, self.answers = set(), [], {}
        self.probes = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.probes.bind(("", DISCOVERY_PORT) if multicast else ("127.0.0.1", 0))
        if multicast:
            group = socket.inet_aton(DISCOVERY_GROUP) + socket.inet_aton(multicast)
            self.probes.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
        self.probe_port = self.probes.getsockname()[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()
        threading.Thread(target=self.answer_probes, daemon=True).start()

    def handle_error(self, *_):
        """Clients may leave in the middle of an answer."""

    def end(self):
        self.shutdown()
        self.server_close()
        self.probes.close()

    @property
    def address(self):
        return f"127.0.0.1:{self.server_port}"

    def asked(self, name):
        """The contents of the calls with this name, as ElementTree elements."""
        return [element for called, element in list(self.calls) if called == name]

    def xaddr(self, service):
        return f"http://{self.told_host}:{self.server_port}/onvif/{service}"

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=self.ahead_s)

    # --- discovery

    def answer_probes(self):
        while True:
            try:
                datagram, sender = self.probes.recvfrom(65536)
            except OSError:
                return
            root = ElementTree.fromstring(datagram)
            message = root.find(f".//{{{ADDRESSING}}}MessageID").text
            if not root.find(f".//{{{DISCOVERY}}}Types").text.endswith(":NetworkVideoTransmitter"):
                continue
            scopes = "onvif://www.onvif.org/name/Gate%20North onvif://www.onvif.org/hardware/C1 onvif://www.onvif.org/Profile/T"
            match = (f'<d:ProbeMatches><d:ProbeMatch><a:EndpointReference><a:Address>urn:uuid:{uuid.uuid4()}</a:Address></a:EndpointReference>'
                     f'<d:Types xmlns:n="http://www.onvif.org/ver10/network/wsdl">n:NetworkVideoTransmitter</d:Types><d:Scopes>{scopes}</d:Scopes>'
                     f'<d:XAddrs>http://[fe80::1]/onvif/device_service {self.xaddr("device_service")}</d:XAddrs>'
                     '<d:MetadataVersion>1</d:MetadataVersion></d:ProbeMatch></d:ProbeMatches>')
            # An answer to another probe, which nobody sent, and then the right one.
            for related in ("urn:uuid:of-another-probe", message):
                self.probes.sendto(envelope(match, f"<a:RelatesTo>{related}</a:RelatesTo>"), sender)

    # --- users

    def why_refused(self, root):
        """Why the token is not accepted; empty: it is."""
        find = lambda name, space=SECURITY: root.find(f".//{{{space}}}{name}")
        if find("UsernameToken") is None:
            return "no token"
        nonce, created = base64.b64decode(find("Nonce").text, validate=True), find("Created", UTILITY).text
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", created):
            return "not a time"
        time = datetime.datetime.strptime(created, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
        if abs((time - self.now()).total_seconds()) > MOST_SECONDS_OFF:
            return "too old"
        if nonce in self.nonces:
            return "replayed"
        self.nonces.add(nonce)
        digest = base64.b64encode(hashlib.sha1(nonce + created.encode() + self.password.encode()).digest()).decode()
        is_right = find("Username").text == self.user and find("Password").text == digest
        return "" if is_right else "wrong password"

    def is_digest_right(self, header, method):
        fields = dict(re.findall(r'(\w+)="?([^",]+)"?', header or ""))
        md5 = lambda *words: hashlib.md5(":".join(words).encode()).hexdigest()
        if fields.get("username") != self.user or fields.get("nonce") != "abc":
            return False
        a1, a2 = md5(self.user, "camera", self.password), md5(method, fields["uri"])
        return fields["response"] == md5(a1, "abc", fields["nc"], fields["cnonce"], "auth", a2)

    # --- services

    def answer(self, call):
        """The answer's body to the call, an element."""
        name = local(call.tag)
        service = call.tag[1:].partition("}")[0]
        words = {local(part.tag): part.text for part in call.iter()}
        content = {
            "GetDeviceInformation": "<Manufacturer>Vitrail</Manufacturer><Model>Test &amp; Camera</Model>",
            "GetServices": "".join(f"<Service><Namespace>{SERVICES[one]}</Namespace><XAddr>{self.xaddr(one)}</XAddr></Service>" for one in SERVICES),
            "GetProfiles": '<Profiles token="main" fixed="true"><tt:Name>Main</tt:Name><tt:VideoEncoderConfiguration token="e"><tt:Encoding>H264</tt:Encoding>'
                           "<tt:Resolution><tt:Width>320</tt:Width><tt:Height>180</tt:Height></tt:Resolution><tt:RateControl><tt:FrameRateLimit>25"
                           '</tt:FrameRateLimit></tt:RateControl></tt:VideoEncoderConfiguration><tt:PTZConfiguration token="p"/></Profiles>'
                           '<Profiles token="bare"><tt:Name>Bare</tt:Name></Profiles>',
            "GetStreamUri": f"<MediaUri><tt:Uri>{self.stream}</tt:Uri></MediaUri>",
            "GetPresets": '<Preset token="1"><tt:Name>Door</tt:Name></Preset><Preset token="2"/>',
            "ContinuousMove": "", "Stop": "", "GotoPreset": "", "GotoHomePosition": ""}
        if name not in content or (name == "GotoPreset" and words["PresetToken"] not in ("1", "2")):
            return fault("ActionNotSupported", "not here")
        # ElementTree moves the prefixes' declarations: the answer's own elements have none.
        return envelope(f'<r:{name}Response xmlns:r="{service}" xmlns="{service}">{content[name]}</r:{name}Response>')

    def time_answer(self):
        now = self.now()
        return envelope(
            f'<GetSystemDateAndTimeResponse xmlns="{SERVICES["device"]}"><SystemDateAndTime><tt:DateTimeType>Manual</tt:DateTimeType>'
            f"<tt:UTCDateTime><tt:Time><tt:Hour>{now.hour}</tt:Hour><tt:Minute>{now.minute}</tt:Minute><tt:Second>{now.second}</tt:Second></tt:Time>"
            f"<tt:Date><tt:Year>{now.year}</tt:Year><tt:Month>{now.month}</tt:Month><tt:Day>{now.day}</tt:Day></tt:Date></tt:UTCDateTime>"
            "</SystemDateAndTime></GetSystemDateAndTimeResponse>")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT_S

    def do_POST(self):
        camera = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        call = ElementTree.fromstring(body).find(f"{{{SOAP}}}Body")[0] if body else None
        name = local(call.tag) if body else ""
        if name in camera.answers:  # what a camera may do wrong
            return self.reply(*camera.answers[name])
        if name == "GetSystemDateAndTime":
            return self.reply(200, camera.time_answer())
        if camera.demands == "digest":
            if not camera.is_digest_right(self.headers["Authorization"], "POST"):
                return self.reply(401, b"", {"WWW-Authenticate": 'Digest realm="camera", nonce="abc", qop="auth"'})
        elif why := camera.why_refused(ElementTree.fromstring(body)):
            return self.reply(400, fault("NotAuthorized", why))
        camera.calls.append((name, call))
        return self.reply(200, camera.answer(call))

    def reply(self, status, body, headers=()):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/soap+xml; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
