#pragma once

namespace crosswalk {

/// Opens /dev/null in place of descriptors 0, 1 and 2 that are closed, so that no file of ours gets their numbers and
/// receives what is printed. To be called first.
void openStandardStreams();

} // namespace crosswalk
