#pragma once

#include "crosswalk/model.h"
#include "crosswalk/options.h"
#include "crosswalk/reports.h"
#include "crosswalk/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// The conversion library. No function throws: each returns its result, or the problem that kept it from one. Every
/// function may run in any thread; a stop token cancels it, with the problem "cancelled".
namespace crosswalk {

struct OpenOptions {
    std::filesystem::path weights = {}; ///< empty: found beside the model by the framework's naming
    std::string signature = {};         ///< of a model with several: the one to use; empty: the framework's default
    /// Of a SavedModel with several graphs: all tags of the one to use; empty: the graph tagged "serve".
    std::vector<std::string> tags = {};
    /// Inputs that shapes or types are given for. A program of TorchScript has an optional input only if it is named
    /// here, and as many inputs for a list as are named here.
    std::vector<std::string> inputs = {};
    /// Shapes of inputs. A program of TorchScript that cuts an input into a list has as many items as they determine;
    /// a conversion with other shapes refuses it.
    std::map<std::string, Shape, std::less<>> shapes = {};
    /// Also reads, converts and writes what asks for far more than a file of its size needs ("large-file",
    /// "too-large").
    bool allowLarge = false;
    std::stop_token stop = {};
    std::function<void(double)> progress = {}; ///< receives the fraction that is read, in the calling thread
};

/// Opens a file, folder or archive, whose content determines the format. Problem codes: "unreadable", "unknown-format",
/// "damaged", "truncated", "large-file", "unknown-signature", "unknown-tags", "cancelled".
Result<Model> open(const std::filesystem::path& path, const OpenOptions& options = {});

/// Describes a model. `outputs` as ConvertOptions::outputs: only what they need is described. Problem codes:
/// "unknown-output", "cancelled".
Result<ModelSummary> inspect(const Model& model, const std::vector<std::string>& outputs = {},
                             std::stop_token stop = {});
/// The same with the shapes and types of a conversion with these options, and their work. Also fails with
/// "unknown-input".
Result<ModelSummary> inspect(const Model& model, const ConvertOptions& options, std::stop_token stop = {});

/// Converts a model and collects all problems. Fails only if an option names what the model does not have
/// ("unknown-input", "unknown-node", "unknown-output"), if calls of its functions expand to too many nodes
/// ("too-large"), and if it is cancelled. A conversion with errors is a result: write() refuses it.
Result<OnnxExport> convert(const Model& model, const ConvertOptions& options = {}, std::stop_token stop = {});

/// The files of the source that an export may replace.
enum class Overwrite : std::uint8_t {
    Nothing,
    OnnxSource, ///< the model itself where it is an ONNX file, but no file of its weights
    Anything,
};

struct ExportOptions {
    bool externalData = false; ///< writes weights to `<file>.data` beside the file; implied above 2 GB
    /// Weights that lie in a file of the source as they are stay there: the ONNX file refers to it by offset, and needs
    /// it. The file must be in the folder of the ONNX file or below it; otherwise write() fails with "unwritable".
    /// Other weights are written as by externalData.
    bool weightsInPlace = false;
    bool partial = false; ///< writes a conversion with errors: nodes without a form keep a domain of their own
    Overwrite overwrite = Overwrite::Nothing;
};

/// Why write() would refuse the export before it writes; nothing if it would not. Codes: "usage" (the path is a file of
/// the source), "damaged-source" (the files have errors), "invalid-model", "bad-weights" (missing, or of a wrong
/// shape), "internal", "not-convertible" (there are errors, and `partial` is not set; write() also if the model is not
/// valid with them).
std::optional<Diagnostic> obstacleTo(const OnnxExport& exported, const std::filesystem::path& path,
                                     const ExportOptions& options = {});

/// Checks an export with ONNX's checker and writes it: to temporary files that then replace the target, so that a
/// failure leaves existing files as they were. Problem codes: those of obstacleTo(), "too-large", "invalid-export",
/// "unreadable" (a file of the source has changed), "unwritable", "cancelled".
Result<WriteReport> write(const OnnxExport& exported, const std::filesystem::path& path,
                          const ExportOptions& options = {}, std::stop_token stop = {});

enum class Side : std::uint8_t { Source, Onnx };
enum class PictureFormat : std::uint8_t { Svg, Json, Dot };

struct RenderOptions {
    Side side = Side::Source;
    PictureFormat format = PictureFormat::Svg;
    /// Groups of nodes: "open", "closed", the depth to which they are open, or "auto": open.
    std::string groups = "auto";
    bool dark = false; ///< of SVG
    std::stop_token stop = {};
};

/// Draws a graph. SVG is complete in itself: no fonts, scripts or other files. Problem codes: "usage" (for `groups`),
/// "cancelled".
Result<std::string> render(const OnnxExport& exported, const RenderOptions& options = {});
/// The same for the source side of a model that is not converted, such as a file that contains only weights.
Result<std::string> render(const Model& model, const RenderOptions& options = {});

struct VerifyOptions {
    /// Contains input_<i>.pb and output_<i>.pb (ONNX TensorProto), or folders test_data_set_<k> with them.
    std::filesystem::path data;
    Tolerance tolerance = {};
    std::chrono::milliseconds timeLimit = std::chrono::seconds(120); ///< of loading the model, and of each run; 0: none
    std::stop_token stop = {};
};

/// Runs an ONNX file with ONNX Runtime on recorded tensors and compares its outputs. The model runs in a process of its
/// own, so that a crash, an endless loop or a lack of memory is a problem that this function returns, if there is a
/// program `crosswalk` of this version beside the running program or on PATH; otherwise it runs in this process.
/// Problem codes: "not-onnx", "no-runtime", "unreadable", "damaged", "missing-input", "runtime", "runtime-crash",
/// "time-limit", "output-limit" (the outputs take more than the memory), "cancelled".
Result<VerifyReport> verify(const std::filesystem::path& model, const VerifyOptions& options);

struct EquivalenceOptions {
    Tolerance tolerance = {};
    /// Multiplies the absolute tolerance by the median magnitude of a tensor if that exceeds one.
    bool scalesTolerance = true;
    /// Of the original's inputs, by name, without symbols; other dynamic dimensions are guessed.
    std::map<std::string, Shape, std::less<>> shapes = {};
    std::chrono::milliseconds timeLimit = std::chrono::seconds(120); ///< as of VerifyOptions
    std::stop_token stop = {};
};

/// Runs an edited ONNX model and its original with ONNX Runtime on the same random inputs, and compares the results. If
/// the edit made a dimension symbolic, the edited model also runs on three and eight batches of the original at once.
/// Problem codes: those of verify(), "usage" if `shapes` do not match the original, and "other-size" if no input shape
/// is valid for both models.
Result<EquivalenceReport> verifyEquivalence(const Model& edited, const Model& original,
                                            const EquivalenceOptions& options = {});

/// Compares two models node by node, with the content of their weights. Problem codes: "cancelled", and that of the
/// first error in the files of a model.
Result<DiffReport> diff(const Model& first, const Model& second, std::stop_token stop = {});

} // namespace crosswalk
