#pragma once

#include "core/base/model_source.h"
#include "core/formats/keras/model_config.h"

namespace crosswalk::keras {

/// Gives lookups the vocabularies that a .keras file has as texts of their own, one token a line, as the setting
/// "vocabulary". Throws ModelError "damaged" for a line that is no integer where the layer looks up integers.
void readVocabularies(ModelConfig& model, const ModelSource& source);

} // namespace crosswalk::keras
