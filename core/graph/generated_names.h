#pragma once

#include <string_view>

namespace crosswalk {

/// Shape inference of ONNX, and exporters that store its results, name an unknown dimension "unk__" and a number. Such
/// a name says nothing to a reader.
inline bool isGeneratedSymbol(std::string_view symbol)
{
    return symbol.starts_with("unk__");
}

} // namespace crosswalk
