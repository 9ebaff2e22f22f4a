#pragma once

#include "core/collection/collection_report.h"

namespace crosswalk {

/// A page with the counts, the gaps by the number of models that they block, the architectures and all models. It loads
/// no other resources. `base`: the path from the page's folder to the output folder, to which the links to the models'
/// ONNX files and reports are relative; empty if they are the same.
std::string collectionHtml(const CollectionReport& report, const std::string& base);

} // namespace crosswalk
