// Describes an opened container for lists of films. Only for the media_source files.
#pragma once

#include <cstddef>
#include <string>

#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/source/film_description.h"

namespace sail {

// The stream's metadata of that name, as plain text.
std::string track_tag(const AVStream& stream, const char* name, size_t most_bytes);

FilmDescription describe_film(const AVFormatContext& format, const AVCodecParameters& picture);

}  // namespace sail
