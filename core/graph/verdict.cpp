#include "core/graph/verdict.h"

namespace crosswalk {

std::string_view verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Exact:
        return "exact";
    case Verdict::Decomposed:
        return "decomposed";
    case Verdict::Approximate:
        return "approximate";
    case Verdict::Unsupported:
        return "unsupported";
    case Verdict::Folded:
        break;
    }
    return "folded";
}

} // namespace crosswalk
