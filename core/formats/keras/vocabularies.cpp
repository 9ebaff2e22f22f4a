#include "core/formats/keras/vocabularies.h"

#include "core/base/diagnostic.h"
#include "core/formats/keras/weight_files.h"

#include <charconv>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        lines.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

ConfigList tokensOf(const LayerConfig& layer, std::string_view text, const std::string& file)
{
    ConfigList tokens;
    for (std::string& line : linesOf(text)) {
        if (layer.className == "StringLookup") {
            tokens.emplace_back(std::move(line));
            continue;
        }
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (error != std::errc() || end != line.data() + line.size()) {
            throw ModelError("damaged", fmt::format("{} has a line that is not an integer: \"{}\"", file, line));
        }
        tokens.emplace_back(number);
    }
    return tokens;
}

void readBelow(ModelConfig& model, const ModelSource& source, const std::string& folder)
{
    std::map<std::string, int> seen;
    for (LayerConfig& layer : model.layers) {
        const std::string id = treeNameOf(layer);
        if (id.empty()) {
            continue;
        }
        const int count = seen[id]++;
        const std::string path =
            count == 0 ? fmt::format("{}/layers/{}", folder, id) : fmt::format("{}/layers/{}_{}", folder, id, count);
        if (layer.model) {
            readBelow(*layer.model, source, isModelClass(layer.className) ? path : path + "/layer");
            continue;
        }
        const bool isLookup = layer.className == "StringLookup" || layer.className == "IntegerLookup";
        const ConfigValue* own = layer.config.find("vocabulary");
        const std::string file = path + "/vocabulary.txt";
        const bool isInFile = own != nullptr && own->list() != nullptr;
        if (isLookup && !isInFile && source.contains(file)) {
            const auto text = source.open(file);
            const std::string_view content(reinterpret_cast<const char*>(text->bytes().data()), text->bytes().size());
            layer.config.set("vocabulary", tokensOf(layer, content, file));
        }
    }
}

} // namespace

void readVocabularies(ModelConfig& model, const ModelSource& source)
{
    readBelow(model, source, "assets");
}

} // namespace crosswalk::keras
