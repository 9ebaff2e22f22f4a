#pragma once

#include "crosswalk/shape.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// How large the weights of a model are.
struct ParameterCount {
    std::uint64_t tensors = 0;
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
};

/// Cost of one inference in multiply-adds. A multiplication with its addition counts as one, as in the tables of papers
/// (ResNet-50 at 224x224: 4.1 G), and so does each element of pooling, normalisation and elementwise operators. Data
/// movement counts as zero, and so do nodes that depend only on constants, which a runtime folds.
struct Work {
    std::int64_t multiplyAdds = 0;
    std::set<std::string> symbolsAsOne; ///< symbolic dimensions that are counted as 1
    std::size_t unknownNodes = 0;       ///< not counted: a dimension, a trip count or the operator is unknown
};

/// An input or output of a model.
struct Port {
    std::string name;
    TensorType type; ///< as far as the file or a conversion without options determines it
};

/// One of several ways to call a model, such as a signature of a SavedModel.
struct Signature {
    std::string name;
    std::vector<std::string> inputs;  ///< keys, under which the caller passes values
    std::vector<std::string> outputs; ///< keys
    bool isUsed = false;              ///< whether the inputs and outputs of the model are those of this signature
};

/// A table of a model that maps keys to values.
struct LookupTable {
    std::string node;            ///< that has the table
    std::uint32_t nodeIndex = 0; ///< of the source's own graph
    ElementType keys = ElementType::Undefined;
    ElementType values = ElementType::Undefined;
    std::string file = {}; ///< that fills it; empty if the model computes its content, or if that is unknown
};

/// What a model contains.
struct ModelSummary {
    std::string format = {};                           ///< "mxnet", "tensorflow", "onnx"
    std::string producer = {};                         ///< the framework, or the producer that the file names
    std::string version = {};                          ///< of the producer; empty if unknown
    std::map<std::string, std::int64_t> opsets = {};   ///< of an ONNX model: domain to version
    std::vector<Port> inputs = {};                     ///< without weights and labels
    std::vector<Port> outputs = {};                    ///< in the model's order
    std::map<std::string, std::size_t> operators = {}; ///< operator to the number of its nodes, bodies not included
    ParameterCount parameters = {};
    std::optional<Work> work = {};                     ///< of the conversion without options; nothing if there is none
    std::map<std::string, std::string> states = {};    ///< state input to the output that carries it on
    std::map<std::string, std::string> metadata = {};  ///< as the file has it
    std::vector<Signature> signatures = {};            ///< empty for formats without them
    std::map<std::string, std::size_t> functions = {}; ///< function of the model to the number of its nodes
    std::vector<LookupTable> tables = {};              ///< of the model's own graph
    std::vector<std::string> assets = {};              ///< files that come with the model, such as vocabularies
    /// Nodes that the outputs do not need, such as training and saving: their outermost name scope to their number.
    std::map<std::string, std::size_t> unused = {};
};

struct WriteReport {
    std::uint64_t bytes = 0; ///< total size of the written files
    bool externalData = false;
    std::uint64_t bytesInPlace = 0;      ///< of weights that the ONNX file reads from files of the source
    std::filesystem::path dataFile = {}; ///< the file of external weights that was written; empty if there is none
};

struct Tolerance {
    double relative = 1e-3;
    double absolute = 1e-4;
};

/// One output compared with its recorded tensor.
struct Comparison {
    std::string name;
    bool equal = false;
    std::string why; ///< "shape 2x3, recorded 3x2", "type ...", "17 of 320 values"; empty if equal
    double maxAbsolute = 0;
    double maxRelative = 0;
    std::vector<std::int64_t> where; ///< index of the largest absolute difference; for strings, of the first difference
    double got = 0;
    double wanted = 0;
    std::int64_t differing = 0;
    std::int64_t elements = 0;
    bool isText = false; ///< for strings: maxAbsolute, maxRelative, got and wanted are 0
};

struct VerifyReport {
    std::string runtimeVersion;
    std::size_t dataSets = 0;
    std::vector<Comparison> outputs; ///< of all data sets, in the model's order
    bool equal() const;
};

/// Comparison of an edited model with its original.
struct EquivalenceReport {
    struct Value {
        std::int64_t times = 1; ///< number of original batches that the edited model processed at once
        Comparison comparison;  ///< uses the name in the edited model
    };

    std::string runtimeVersion;
    std::vector<std::int64_t> times;  ///< of each run
    std::vector<Value> values;        ///< outputs, and intermediate values that both models have
    std::string limit;                ///< why it was not run with more batches at once; empty if it was
    std::string held;                 ///< the symbolic axis that kept its original size in all runs; may be empty
    std::vector<std::string> missing; ///< outputs of the original that the edited model does not return

    bool equal() const;
};

enum class Change : std::uint8_t { Same, Changed, Removed, Added };
std::string_view changeName(Change change);

/// One difference between two nodes or models. An empty text means that the property is absent.
struct Difference {
    std::string what; ///< "attribute axis", "weight fc1_bias", "input 0", "opset ai.onnx"
    std::string before;
    std::string after;

    friend bool operator==(const Difference&, const Difference&) = default;
};

/// A node that differs between two models.
struct NodeChange {
    Change change = Change::Changed;
    std::string node; ///< as messages write it; of an added node, in the second model
    std::string op;
    std::string counterpart = {};             ///< the node in the second model; empty unless changed
    std::vector<Difference> differences = {}; ///< empty unless changed
};

/// How two models differ.
struct DiffReport {
    std::vector<Difference> model = {}; ///< opsets, inputs, outputs and functions
    std::vector<NodeChange> nodes = {}; ///< removed and changed nodes in the first model's order, then the added ones
    std::size_t same = 0;               ///< nodes that do not differ

    bool isEqual() const { return model.empty() && nodes.empty(); }
    std::size_t count(Change change) const;
};

} // namespace crosswalk
