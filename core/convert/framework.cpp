#include "core/convert/framework.h"

namespace crosswalk {

std::string_view supportName(Support support)
{
    switch (support) {
    case Support::Exact:
        return "exact";
    case Support::ExactWithStrategy:
        return "exact with a strategy";
    case Support::Approximate:
        return "approximate";
    case Support::TrainingOnly:
        return "training only";
    case Support::NotSupported:
        break;
    }
    return "not supported";
}

const Framework* findFramework(std::string_view format)
{
    for (const Framework* framework : frameworks()) {
        if (framework->format == format) {
            return framework;
        }
    }
    return nullptr;
}

} // namespace crosswalk
