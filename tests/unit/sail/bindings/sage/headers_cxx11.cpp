// Compiled as C++11 and C++14, because programs for SAGE were written for those. Uses what they
// expect in SAGE's headers. Nothing is run.
#include <libsage.h>
#include <misc.h>
#include <sage.h>
#include <sail.h>

using namespace std;

typedef unsigned char byte;  // as in SAGE's ImageViewer; not possible since C++17

namespace sage_headers {

byte use(sageMessage& message) {
  const char* text = static_cast<const char*>(message.getData());
  return static_cast<byte>(message.getBuffer()[0] + (text != NULL ? text[0] : 0));
}

// System functions that VNCViewer and others use.
int use_system() {
  struct sockaddr_in address;
  bzero(&address, sizeof address);
  address.sin_port = htons(1);
  address.sin_addr.s_addr = inet_addr("127.0.0.1");
  struct iovec part = {&address, sizeof address};
  fd_set ready;
  FD_ZERO(&ready);
  int status = 0;
  signal(SIGINT, SIG_DFL);
  return WIFEXITED(status) + TCP_NODELAY + SOCK_STREAM + static_cast<int>(part.iov_len) +
         FD_ISSET(0, &ready) + ECHILD;
}

}  // namespace sage_headers
