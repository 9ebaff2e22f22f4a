#include "core/formats/tensorflow/source_info.h"

#include <cassert>

namespace crosswalk::tensorflow {

const SourceInfo& sourceInfoOf(const Graph& main)
{
    assert(main.original != nullptr);
    return *static_cast<const SourceInfo*>(main.original.get());
}

const FunctionInfo& functionInfoOf(const Graph& body)
{
    assert(body.original != nullptr);
    return *static_cast<const FunctionInfo*>(body.original.get());
}

} // namespace crosswalk::tensorflow
