#include "receiver/intake/message_reader.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/wire/data/byte_reader.h"

namespace receiver {

using sail::CloseReason;
using sail::DataError;
using sail::DataType;

void MessageReader::expect(State state, std::span<uint8_t> buffer) {
  state_ = state;
  wanted_ = buffer;
}

void MessageReader::expect_header() {
  expect(State::kHeader, std::span(buffer_).first(sail::kDataHeaderBytes));
}

std::optional<DataError> MessageReader::on_read(size_t bytes) {
  wanted_ = wanted_.subspan(bytes);
  if (!wanted_.empty()) return std::nullopt;
  switch (state_) {
    case State::kHeader:
      return on_header();
    case State::kBody:
      expect_header();
      return sink_.on_message(header_, std::span(body_).first(header_.body_bytes));
    case State::kRunFixed:
      return on_run_fixed();
    case State::kRunLengths:
      return on_run_lengths();
    case State::kRunBytes:
      expect_header();
      return sink_.on_run_filled();
  }
  return std::nullopt;
}

std::optional<DataError> MessageReader::on_header() {
  auto header = sail::decode_header(buffer_);
  if (!header) return std::move(header.error());
  header_ = *header;
  if (header_.type == DataType::kBlockRun) {
    expect(State::kRunFixed, std::span(body_).first(sail::kBlockRunFixedBytes));
    return std::nullopt;
  }
  if (header_.body_bytes > body_.size()) {
    return sail::bad_message(
        fmt::format("a receiver does not accept {} messages", data_type_name(header_.type)));
  }
  if (header_.body_bytes == 0) {
    expect_header();
    return sink_.on_message(header_, {});
  }
  expect(State::kBody, std::span(body_).first(header_.body_bytes));
  return std::nullopt;
}

std::optional<DataError> MessageReader::on_run_fixed() {
  auto run = sail::decode_block_run(std::span(body_).first(sail::kBlockRunFixedBytes));
  if (!run) return std::move(run.error());
  run_ = *run;
  if (run_.count == 0 || run_.count > lengths_.size()) {
    return sail::bad_message(fmt::format("invalid run of {} blocks", run_.count));
  }
  expect(State::kRunLengths, std::span(length_bytes_).first(sizeof(uint32_t) * run_.count));
  return std::nullopt;
}

std::optional<DataError> MessageReader::on_run_lengths() {
  sail::ByteReader reader{length_bytes_};
  size_t body_bytes = sail::block_run_bytes(run_.count);
  for (size_t i = 0; i < run_.count; ++i) {
    lengths_[i] = reader.u32();
    body_bytes += lengths_[i];
  }
  if (body_bytes != header_.body_bytes) {
    return sail::bad_message(
        fmt::format("the blocks of a run have {} bytes, but the header announces {}", body_bytes,
                    header_.body_bytes));
  }
  auto places = sink_.on_run(header_, run_, std::span(lengths_).first(run_.count));
  if (!places) return std::move(places.error());
  expect(State::kRunBytes, *places);
  return std::nullopt;
}

}  // namespace receiver
