// Sources as objects of rights (manager/rights).
#pragma once

#include <string>
#include <vector>

#include "manager/media/source_library.h"
#include "manager/rights/object_rules.h"
#include "manager/wall/content.h"

namespace manager {

struct Window;

// The sources that the name stands for: an id, a medium, a title, or a pattern of ids or titles. A
// ticker stands for the file or feed that it reads. An unknown name is a source of this name,
// because files may be newer than the list.
std::vector<WallObject> source_objects(const SourceLibrary& library, const std::string& name);
// The sources that the content shows.
std::vector<WallObject> source_objects(const SourceLibrary& library, const PlayRequest& content);
// Those of the window's content or, if that is unknown, of the media that its application reports.
std::vector<WallObject> source_objects(const SourceLibrary& library, const Window& window);

}  // namespace manager
