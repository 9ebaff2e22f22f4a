#pragma once

#include "core/base/source_file.h"
#include "core/graph/tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace crosswalk::tensorflow {

/// How InitializeTableFromTextFile reads a text file: an entry a line.
struct TableFile {
    static constexpr std::int64_t wholeLine = -2;
    static constexpr std::int64_t lineNumber = -1; ///< from 0
    std::int64_t keyColumn = wholeLine;
    std::int64_t valueColumn = lineNumber;
    std::int64_t size = -1;   ///< lines to read; -1 for all
    std::int64_t skipped = 0; ///< lines in front of them
    std::string delimiter = "\t";
};

/// The keys and the values, vectors of strings or int64. Nothing if TensorFlow rejects the file, or for other types and
/// settings.
std::optional<std::pair<Tensor, Tensor>> readTableFile(const SourceFile& file, const TableFile& format,
                                                       ElementType keys, ElementType values);

} // namespace crosswalk::tensorflow
