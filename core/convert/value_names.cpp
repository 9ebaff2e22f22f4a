#include "core/convert/value_names.h"

#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"

namespace crosswalk {

void forgetVanishedValues(Conversion& conversion)
{
    const auto names = ownValues(conversion.model.whole().proto->graph());
    for (std::string& name : conversion.valueNames) {
        if (!names.contains(name)) {
            name.clear();
        }
    }
}

} // namespace crosswalk
