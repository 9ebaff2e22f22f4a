#pragma once

#include "crosswalk/problem.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace crosswalk {

struct Conversion;
struct LoadedModel;

/// A model as open() returns it. Copies share the model, which never changes; weights stay in the file.
class Model {
public:
    explicit Model(LoadedModel loaded);

    const std::filesystem::path& path() const;
    std::string format() const; ///< "mxnet", "tensorflow", "onnx"
    /// What there is to report of the files. An error among them (a weight in a wrong shape) keeps write() from
    /// writing.
    const std::vector<Diagnostic>& problems() const;

    /// For Crosswalk itself: users of the library have no definition of the type.
    const LoadedModel& loaded() const { return *m_loaded; }

private:
    std::shared_ptr<const LoadedModel> m_loaded;
};

/// A model converted to ONNX, as convert() returns it. Copies share the conversion.
class OnnxExport {
public:
    OnnxExport(Model source, Conversion conversion);

    const Model& source() const { return m_source; }
    /// All problems of the conversion, each at its node of the source.
    const std::vector<Diagnostic>& problems() const;
    /// Whether every node has an exact form, or the approximation that was asked for.
    bool isComplete() const;
    int opset() const;
    std::size_t nodeCount() const; ///< of the ONNX graph, bodies not included

    /// For Crosswalk itself: users of the library have no definition of the type.
    Conversion& conversion() { return *m_conversion; }
    const Conversion& conversion() const { return *m_conversion; }

private:
    Model m_source;
    std::shared_ptr<Conversion> m_conversion;
};

} // namespace crosswalk
