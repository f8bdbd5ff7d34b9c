#!/bin/sh
# libmosquitto 2.0.11: mosquitto_loop_start() repeats a connection that was lost, but not the first one. If no broker
# listens when mosquitto_connect_async() is called, it returns an error, and the thread that is started after that never
# tries again, although mosquitto_reconnect_delay_set() sets pauses for it. A client that starts before its broker must
# repeat mosquitto_connect_async() itself.
set -eu
version=2.0.11-1.2+deb12u2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download "libmosquitto1=$version" "libmosquitto-dev=$version" 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=root/usr/lib/$(uname -m)-linux-gnu

cat > client.c <<'P'
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int times;
static void connected(struct mosquitto* client, void* data, int code) { times += code == 0; }

// client PORT: connects at once, and counts its connections for 12 seconds.
int main(int count, char** words) {
  mosquitto_lib_init();
  struct mosquitto* client = mosquitto_new(NULL, true, NULL);
  mosquitto_connect_callback_set(client, connected);
  mosquitto_reconnect_delay_set(client, 1, 2, false);
  const int code = mosquitto_connect_async(client, "127.0.0.1", atoi(words[count - 1]), 5);
  mosquitto_loop_start(client);
  sleep(12);
  printf("connect: %s, connections: %s\n", code == 0 ? "begun" : "failed", times == 0 ? "none" : times == 1 ? "one" : "several");
  return 0;
}
P
gcc -o client client.c -Iroot/usr/include "$library"/libmosquitto.so.1

cat > run.py <<'P'
import os
import socket
import subprocess
import sys
import threading
import time


def listen(port):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()
    return listener


def serve(listener, close_first):
    """Accepts every client (CONNACK, code 0); closes the first connection after a second if asked."""
    kept = []
    while True:
        peer, _ = listener.accept()
        peer.recv(1000)
        peer.sendall(b"\x20\x02\x00\x00")
        if close_first and not kept:
            time.sleep(1)
            peer.close()
        kept.append(peer)


def case(name, late):
    listener = listen(0)
    port = listener.getsockname()[1]
    if late:
        listener.close()
    client = subprocess.Popen(["./client", str(port)], stdout=subprocess.PIPE, text=True, env={**os.environ, "LD_LIBRARY_PATH": sys.argv[1]})
    if late:
        time.sleep(2)
        listener = listen(port)
    threading.Thread(target=serve, args=(listener, not late), daemon=True).start()
    print(f"{name}: {client.communicate()[0].strip()}")


case("broker before the client, first connection closed", False)
case("broker two seconds after the client", True)
P
echo "libmosquitto $version"
python3 run.py "$library" | tee seen
cat > expected <<'T'
broker before the client, first connection closed: connect: begun, connections: several
broker two seconds after the client: connect: failed, connections: none
T
diff expected seen
