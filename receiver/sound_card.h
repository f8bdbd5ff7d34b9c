// The loudspeakers of this node.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/base/result.h"

namespace receiver {

class SoundCard {
 public:
  static constexpr int kRate = 48000;   // samples a second
  static constexpr int kSamples = 512;  // that it asks for at a time, about 11 ms
  // What is heard next but one: a buffer of the channels' values. On a thread of the card's.
  using Fill = std::function<void(std::span<float> out)>;

  // name: empty for the system's choice. Opening may take a while. kUnavailable, in words.
  static sail::Result<std::unique_ptr<SoundCard>> open(const std::string& name, int channels,
                                                       Fill fill);
  // Of all cards. kUnavailable, in words.
  static sail::Result<std::vector<std::string>> names();
  // No fill is under way after it.
  ~SoundCard();
  SoundCard(const SoundCard&) = delete;
  SoundCard& operator=(const SoundCard&) = delete;

  // It was pulled out.
  bool gone() const;

 private:
  explicit SoundCard(Fill fill) : fill_(std::move(fill)) {}
  static void on_fill(void* self, uint8_t* bytes, int count);

  const Fill fill_;
  uint32_t device_ = 0;  // SDL's number
};

}  // namespace receiver
