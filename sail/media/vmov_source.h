// A pre-compressed film (VMOV.md) for a player: its pictures are compressed ones. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sail/media/recycler.h"
#include "sail/media/source.h"
#include "sail/media/vmov_reader.h"

namespace sail {

class VmovSource : public Source {
 public:
  // Errors begin with the name. kUnavailable: of pixel blocks that libsail does not send.
  static Result<std::unique_ptr<VmovSource>> open(const std::string& name);

  const SourceInfo& info() const override { return info_; }
  // Damaged frames are left out, with a complaint about the first of them.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;

 private:
  explicit VmovSource(VmovReader reader);

  VmovReader reader_;
  SourceInfo info_;
  Recycler<VmovFrame> frames_;
  size_t next_ = 0;
  std::optional<std::string> complaint_;
  bool complained_ = false;
};

}  // namespace sail
