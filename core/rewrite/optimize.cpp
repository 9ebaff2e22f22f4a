#include "core/rewrite/optimize.h"

namespace crosswalk {

void optimize(RewrittenModel model, const NodeNames& names)
{
    mergeEqualNodes(model, names);
    spreadNumbers(model, names);
    mergeReshapes(model, names);
    mergeConcats(model, names);
    foldPads(model, names);
    foldBatchNormalization(model, names);
}

} // namespace crosswalk
