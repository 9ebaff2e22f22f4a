#include "tests/support/paths.h"

namespace crosswalk::test {

QString sourceFolder()
{
    return QStringLiteral(CROSSWALK_SOURCE);
}

QString dataFolder()
{
    return QStringLiteral(CROSSWALK_SOURCE "/tests/data");
}

QString programFolder()
{
    return QStringLiteral(CROSSWALK_BIN);
}

QString artifactsFolder()
{
    return QStringLiteral(CROSSWALK_ARTIFACTS);
}

std::filesystem::path sharedFolder()
{
    return CROSSWALK_SHARED;
}

} // namespace crosswalk::test
