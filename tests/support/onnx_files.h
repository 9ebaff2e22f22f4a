#pragma once

#include "core/base/diagnostic.h"
#include "core/base/temporary_folder.h"
#include "core/convert/conversion.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/load.h"
#include "core/onnx/writer.h"
#include "tests/support/onnx_text.h"
#include "tests/support/temporary_files.h"

namespace crosswalk::test {

/// A model in ONNX's text form, through a file as a user's comes.
inline OnnxModel modelOf(const TemporaryFolder& folder, const std::string& text)
{
    const std::string path = (folder.path() / "model.onnx").string();
    writeMessage(parseModel(text), path);
    return loadOnnx(path);
}

/// What becomes of a model that is written to a file and opened as a source. Throws ModelError where that is refused.
inline Conversion converted(const OnnxModel& model, const ConvertOptions& options)
{
    const TemporaryFiles files; // what is mapped stays
    const auto path = files.write("m.onnx", "");
    writeOnnx(model, path);
    auto result = convert(graphOfFile(*ModelSource::at(path)), options);
    if (!result) {
        throw ModelError(result.problem());
    }
    return std::move(result.value());
}

} // namespace crosswalk::test
