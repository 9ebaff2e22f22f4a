#include "core/formats/tensorflow/tensorflow_framework.h"

#include "core/formats/tensorflow/lowering/lower.h"
#include "core/formats/tensorflow/ops/tensorflow_op_table.h"

namespace crosswalk::tensorflow {

const Framework& framework()
{
    static const Framework table{
        .format = "tensorflow",
        .translate = translateNode,
        .inferInputs = nullptr,
        .operators = supportedOperators,
        .lower = lower,
    };
    return table;
}

} // namespace crosswalk::tensorflow
