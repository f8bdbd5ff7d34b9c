// Writes OSC packets for tests, independently of the code under test.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace ui {

using Bytes = std::vector<uint8_t>;

inline void put_u32(Bytes& bytes, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(uint8_t(value >> shift));
}

inline void put_text(Bytes& bytes, const std::string& text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
  do bytes.push_back(0);
  while (bytes.size() % 4 != 0);
}

// One message; arguments in the order of the calls.
class Osc {
 public:
  explicit Osc(std::string address) : address_(std::move(address)) {}
  Osc& s(const std::string& text) {
    types_ += 's';
    put_text(values_, text);
    return *this;
  }
  Osc& i(int32_t value) {
    types_ += 'i';
    put_u32(values_, uint32_t(value));
    return *this;
  }
  Osc& f(float value) {
    types_ += 'f';
    put_u32(values_, std::bit_cast<uint32_t>(value));
    return *this;
  }
  Osc& t(uint64_t ntp) {
    types_ += 't';
    put_u32(values_, uint32_t(ntp >> 32));
    put_u32(values_, uint32_t(ntp));
    return *this;
  }
  Bytes bytes() const {
    Bytes all;
    put_text(all, address_);
    put_text(all, types_);
    all.insert(all.end(), values_.begin(), values_.end());
    return all;
  }

 private:
  std::string address_;
  std::string types_ = ",";
  Bytes values_;
};

inline Bytes bundle(const std::vector<Bytes>& elements) {
  Bytes all;
  put_text(all, "#bundle");
  put_u32(all, 0);
  put_u32(all, 1);
  for (const Bytes& element : elements) {
    put_u32(all, uint32_t(element.size()));
    all.insert(all.end(), element.begin(), element.end());
  }
  return all;
}

struct Finger {
  int32_t session = 0;
  float x = 0;
  float y = 0;
};

// One frame of a tracker. source: empty for none.
inline Bytes touch_frame(int32_t number, const std::vector<int32_t>& alive,
                         const std::vector<Finger>& moved, const std::string& source = "") {
  const std::string address = "/tuio/2Dcur";
  std::vector<Bytes> elements;
  if (!source.empty()) elements.push_back(Osc(address).s("source").s(source).bytes());
  Osc living(address);
  living.s("alive");
  for (const int32_t session : alive) living.i(session);
  elements.push_back(living.bytes());
  for (const Finger& finger : moved) {
    elements.push_back(
        Osc(address).s("set").i(finger.session).f(finger.x).f(finger.y).f(0).f(0).f(0).bytes());
  }
  elements.push_back(Osc(address).s("fseq").i(number).bytes());
  return bundle(elements);
}

}  // namespace ui
