#include "core/graph/readable_shape.h"

#include "core/graph/generated_names.h"
#include "core/graph/unknown_dim.h"

namespace crosswalk {

std::string readableDim(const Dim& dim)
{
    if (dim.isFixed()) {
        return std::to_string(dim.size);
    }
    return isUnnamed(dim) || isGeneratedSymbol(dim.symbol()) ? "*" : dim.symbol();
}

std::string readableShape(const Shape& shape, std::string_view separator)
{
    std::string text;
    for (const Dim& dim : shape) {
        text += text.empty() ? std::string_view() : separator;
        text += readableDim(dim);
    }
    return text.empty() ? "scalar" : text;
}

} // namespace crosswalk
