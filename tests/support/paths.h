#pragma once

#include <QString>
#include <filesystem>

namespace crosswalk::test {

// Folders that CMake fixes. One source receives them as macros, so that the compiler's command line of a test is the
// same in every checkout and ccache can share its object.

/// The root of the sources.
QString sourceFolder();
/// tests/data.
QString dataFolder();
/// Where the programs are built.
QString programFolder();
/// Where tests leave pictures for whoever looks at a build.
QString artifactsFolder();
/// The recorded cases (CMake setting CROSSWALK_SHARED).
std::filesystem::path sharedFolder();

} // namespace crosswalk::test
