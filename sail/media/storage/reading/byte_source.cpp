#include "sail/storage/byte_source.h"

#include "sail/storage/thread_reads.h"

namespace sail {

std::unique_ptr<ByteReads> ByteSource::reads() const {
  return std::make_unique<ThreadReads>(*this);
}

}  // namespace sail
