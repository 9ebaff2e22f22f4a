#include "core/rewrite/optimize.h"

namespace crosswalk {

void optimize(RewrittenModel model, const NodeNames& names)
{
    foldBatchNormalization(model, names);
}

} // namespace crosswalk
