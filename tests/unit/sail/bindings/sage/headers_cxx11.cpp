// Compiled as C++11 and as C++14: what programs of SAGE find in its headers, which were written for
// those. Nothing of it runs.
#include <libsage.h>
#include <misc.h>
#include <sage.h>
#include <sail.h>

using namespace std;

typedef unsigned char byte;  // as SAGE's ImageViewer has it: no longer possible in C++17

namespace sage_headers {

byte use(sageMessage& message) {
  const char* text = static_cast<const char*>(message.getData());
  return static_cast<byte>(message.getBuffer()[0] + (text != NULL ? text[0] : 0));
}

// What VNCViewer and others take from the system.
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
