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

/// A model in ONNX's text form, written to a file and loaded from it.
inline OnnxModel modelOf(const TemporaryFolder& folder, const std::string& text)
{
    const std::string path = (folder.path() / "model.onnx").string();
    writeMessage(parseModel(text), path);
    return loadOnnx(path);
}

/// Writes a model to a file, opens it as a source and converts it. Throws ModelError if the conversion fails.
inline Conversion converted(const OnnxModel& model, const ConvertOptions& options = {})
{
    const TemporaryFiles files; // must outlive the mapped weights
    const auto path = files.write("m.onnx", "");
    writeOnnx(model, path);
    auto result = convert(graphOfFile(*ModelSource::at(path)), options);
    if (!result) {
        throw ModelError(result.problem());
    }
    return std::move(result.value());
}

} // namespace crosswalk::test
