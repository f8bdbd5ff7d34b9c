#include "codecs/picture/second_stage.h"

#include "codecs/picture/second_stage_libraries.h"

namespace codecs {

std::unique_ptr<SecondStage> make_second_stage(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return nullptr;
    case Compression::kLz4:
      return make_lz4_stage();
    case Compression::kZstd:
      return make_zstd_stage();
  }
  return nullptr;
}

}  // namespace codecs
