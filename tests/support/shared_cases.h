#pragma once

#include "tests/support/paths.h"

#include <QtTest>
#include <filesystem>

namespace crosswalk::test {

inline bool hasSharedCases()
{
    return std::filesystem::is_directory(sharedFolder() / "cases");
}

} // namespace crosswalk::test

/// Skips a test if the recorded cases are absent.
#define REQUIRE_SHARED_CASES()                                                                                         \
    if (!crosswalk::test::hasSharedCases()) {                                                                          \
        QSKIP("the recorded cases are missing: set CROSSWALK_SHARED to their folder");                                 \
    }
