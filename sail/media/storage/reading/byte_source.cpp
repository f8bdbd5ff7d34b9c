#include "sail/media/storage/reading/byte_source.h"

#include "sail/media/storage/reading/thread_reads.h"

namespace sail {

std::unique_ptr<ByteReads> ByteSource::reads() const {
  return std::make_unique<ThreadReads>(*this);
}

}  // namespace sail
