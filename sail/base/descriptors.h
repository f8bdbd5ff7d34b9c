// How many files and connections the process may have open.
#pragma once

namespace sail {

// Raises the limit to what a server may need, as far as the system lets it: it is low by habit,
// since select() counts no higher, which nobody here uses. Programs that are started have it, too.
void raise_descriptor_limit();

}  // namespace sail
