#include "sail/apps/server/http/http_film.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace server {
namespace {

constexpr size_t kRoomBefore = sail::WebExchange::kRoomBefore;
// Duration of a piece at the film's rate, within the bounds below.
constexpr double kPieceS = 0.25;
constexpr size_t kLeastPiece = size_t{32} << 10;
constexpr size_t kUsualPiece = size_t{256} << 10;
constexpr size_t kMostPiece = size_t{1} << 20;

size_t piece_bytes_for(double mb_per_s) {
  if (mb_per_s <= 0) return kUsualPiece;
  const double bytes = std::clamp(mb_per_s * kBytesOfMb * kPieceS, static_cast<double>(kLeastPiece),
                                  static_cast<double>(kMostPiece));
  return std::bit_floor(static_cast<size_t>(bytes));
}

}  // namespace

std::shared_ptr<HttpFilm> HttpFilm::start(sail::Loop& loop, Sending sending,
                                          std::function<void(const sail::Result<void>&)> on_over) {
  std::shared_ptr<HttpFilm> film(new HttpFilm(loop, std::move(sending), std::move(on_over)));
  const std::weak_ptr self(film);
  film->read_ahead();
  film->sending_.exchange->answer_by_pieces(std::move(film->sending_.answer),
                                            {.on_wanted =
                                                 [self] {
                                                   if (const auto alive = self.lock()) {
                                                     alive->wanted_ = true;
                                                     alive->send();
                                                   }
                                                 },
                                             .on_over =
                                                 [self] {
                                                   if (const auto alive = self.lock())
                                                     alive->over({});
                                                 },
                                             .wait_timeout_s = film->sending_.wait_timeout_s});
  return film;
}

HttpFilm::HttpFilm(sail::Loop& loop, Sending sending,
                   std::function<void(const sail::Result<void>&)> on_over)
    : loop_(loop),
      sending_(std::move(sending)),
      on_over_(std::move(on_over)),
      pieces_(std::make_shared<Pieces>()),
      piece_bytes_(piece_bytes_for(sending_.mb_per_s)),
      unread_(sending_.part.bytes) {
  pieces_->bytes = std::move(sending_.bytes);
}

HttpFilm::~HttpFilm() {
  pieces_->unwanted = true;
  pieces_->bytes->drop_unwanted();
  if (on_over_) sending_.exchange->give_up();
}

void HttpFilm::read_ahead() {
  while (unread_ > 0) {
    const size_t place = read_next_;
    Piece& piece = pieces_->ring[place];
    if (!piece.bytes.empty()) return;
    const auto count = static_cast<size_t>(std::min<uint64_t>(piece_bytes_, unread_));
    piece.memory.resize(kRoomBefore + count);
    piece.bytes = std::span(piece.memory).subspan(kRoomBefore);
    piece.there = false;
    const uint64_t offset = sending_.part.offset + sending_.part.bytes - unread_;
    unread_ -= count;
    read_next_ = (place + 1) % pieces_->ring.size();
    // post() moves the references, so that the last one is dropped on the loop thread: the stream's
    // destructor waits for its reads.
    pieces_->bytes->begin({offset, piece.bytes, &pieces_->unwanted,
                           [&loop = loop_, pieces = pieces_, self = weak_from_this(),
                            place](sail::Result<void> read) mutable {
                             loop.post([pieces = std::move(pieces), self = std::move(self), place,
                                        read = std::move(read)] {
                               if (const auto film = self.lock()) film->came(place, read);
                             });
                           }});
  }
}

void HttpFilm::came(size_t place, const sail::Result<void>& read) {
  if (!on_over_) return;
  if (!read) {
    sending_.exchange->give_up();
    over(read);
    return;
  }
  pieces_->ring[place].there = true;
  send();
}

void HttpFilm::send() {
  if (!wanted_) return;
  if (sent_) {
    pieces_->ring[*std::exchange(sent_, std::nullopt)].bytes = {};
    read_ahead();
  }
  Piece& piece = pieces_->ring[send_next_];
  if (piece.bytes.empty() || !piece.there) return;
  wanted_ = false;
  sent_ = send_next_;
  send_next_ = (send_next_ + 1) % pieces_->ring.size();
  sending_.exchange->write(piece.bytes);
}

void HttpFilm::over(const sail::Result<void>& how) {
  if (const auto told = std::exchange(on_over_, nullptr)) told(how);
}

}  // namespace server
