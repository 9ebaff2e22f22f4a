#pragma once

#include <QtTest>
#include <filesystem>

namespace crosswalk::test {

/// The folder with the recorded cases (CMake setting CROSSWALK_SHARED).
inline std::filesystem::path sharedFolder()
{
    return CROSSWALK_SHARED;
}
inline bool hasSharedCases()
{
    return std::filesystem::is_directory(sharedFolder() / "cases");
}

} // namespace crosswalk::test

/// Leaves a test, saying so, where the recorded cases are absent.
#define REQUIRE_SHARED_CASES()                                                                                         \
    if (!crosswalk::test::hasSharedCases()) {                                                                          \
        QSKIP("the recorded cases are absent: set CROSSWALK_SHARED to their folder");                                  \
    }
