#!/bin/sh
# libwebsockets 4.1.6 (Debian 12): '&' and ';' split a request's path into fragments, as they split arguments. RFC 3986
# allows both characters in a path (sub-delims). lws_hdr_copy() joins the fragments by ',', so a server reads the paths
# "/a&b", "/a;b" and "/a,b" as one and the same, and cannot tell which file a client asks for.
set -eu
packages="libwebsockets17=4.1.6-3 libwebsockets-dev=4.1.6-3"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download $packages 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done

cat > server.c <<'C'
#include <libwebsockets.h>
#include <stdio.h>
#include <string.h>

static int on_http(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in, size_t length) {
  if (reason != LWS_CALLBACK_HTTP) return lws_callback_http_dummy(wsi, reason, user, in, length);
  char path[256] = "", argument[256] = "";
  lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI);
  lws_hdr_copy_fragment(wsi, argument, sizeof argument, WSI_TOKEN_HTTP_URI_ARGS, 0);
  printf("path %s argument %s\n", path, argument);
  fflush(stdout);
  lws_return_http_status(wsi, 204, NULL);
  return -1;
}

int main(void) {
  static const struct lws_protocols protocols[] = {{"http", on_http, 0, 0, 0, NULL, 0}, {NULL, NULL, 0, 0, 0, NULL, 0}};
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.port = 0;
  info.iface = "127.0.0.1";
  info.protocols = protocols;
  lws_set_log_level(0, NULL);
  struct lws_context* context = lws_create_context(&info);
  if (context == NULL) return 1;
  printf("%s\nport %d\n", lws_get_library_version(), lws_get_vhost_port(lws_get_vhost_by_name(context, "default")));
  fflush(stdout);
  while (lws_service(context, 0) >= 0) continue;
  return 0;
}
C
library=root/usr/lib/$(uname -m)-linux-gnu
cc -Iroot/usr/include server.c "$library/libwebsockets.so.17" -o server
LD_LIBRARY_PATH=$library ./server > said &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until grep -q ^port said; do sleep 0.1; done
port=$(sed -n 's/^port //p' said)
for path in '/a%26b' '/a,b' '/a&b' '/a;b' '/a?b'; do
  curl -s --path-as-is -o /dev/null "http://127.0.0.1:$port$path" || true
done
cat said
sed '/^path/!d' said > seen
cat > expected <<'T'
path /a&b argument 
path /a,b argument 
path /a,b argument 
path /a,b argument 
path /a argument b
T
diff expected seen
echo "as recorded: '&' and ';' in a path are read as ','"
