// Data on a TLS connection after the handshake. Unchanged: nobody may forge a record. And
// sealed with the right key, a byte with its length before each: what a peer may say.
#include <algorithm>
#include <span>
#include <vector>

#include "sail/core/tls/tls_records.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace sail;

constexpr TlsSecret kOurs{1};
constexpr TlsSecret kPeers{2};
constexpr size_t kLongest = 200;  // of what is sealed, so that its length is one byte

// Until an error, which ends a session.
void open_forged(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> forged(bytes.begin(), bytes.end());
  TlsRecords records(kOurs, kPeers);
  const auto opened = records.open(forged, {});
  fuzz::require(!opened || opened->bytes == 0, "nobody can forge a record");
}

void open_sealed(std::span<const uint8_t> inner) {
  TlsTraffic traffic(AesGcm::Use::kSeal, kPeers);
  TlsRecords records(kOurs, kPeers);
  std::vector<uint8_t> place(100);
  while (!inner.empty()) {
    const auto text = inner.subspan(1, std::min<size_t>(inner[0], inner.size() - 1));
    inner = inner.subspan(1 + text.size());
    const auto sealed = text.first(std::min(text.size(), kLongest));
    const std::vector<uint8_t> header{23, 3, 3, 0,
                                      static_cast<uint8_t>(sealed.size() + AesGcm::kTagBytes)};
    std::vector<uint8_t> record = header;
    record.resize(header.size() + header.back());
    traffic.cipher().seal(traffic.next_nonce(), header, {&sealed, 1},
                          record.data() + header.size());
    const auto opened = records.open(record, place);
    if (!opened) return;
    fuzz::require(opened->bytes == record.size(), "a whole record is opened");
    fuzz::require(opened->text.size() < sealed.size(), "text is what stands before its type");
    fuzz::require(std::equal(opened->text.begin(), opened->text.end(), sealed.begin()),
                  "text is what was sealed");
    if (sealed.size() == 6 && sealed.front() == 24) traffic.change();
  }
}

}  // namespace

FUZZ_TARGET(tls_records) {
  open_forged({data, size});
  open_sealed({data, size});
  return 0;
}
