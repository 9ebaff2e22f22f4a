#pragma once

#include "core/formats/pytorch/torchscript/script_tree.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::pytorch {

struct Pickle;

/// A place in the Python program that a model was made from, "net.py:15", with the innermost call last. A trace
/// contains calls inside PyTorch as well.
using SourcePlaces = std::vector<std::string>;

/// Where the code of an archive comes from: its file `NAME.py.debug_pkl`, which describes ranges of NAME.py.
class SourceRanges {
public:
    SourceRanges() = default;
    /// `code` is the text of NAME.py. A pickle of another layout describes nothing.
    SourceRanges(const Pickle& pickle, std::string_view code);

    /// Empty if nothing is known about the position.
    const SourcePlaces& at(ScriptPosition position) const;

private:
    std::vector<std::size_t> m_lines;            ///< offsets of lines of the code
    std::map<std::size_t, std::size_t> m_ranges; ///< offset to index in m_places; up to the next offset
    std::vector<SourcePlaces> m_places;
};

/// Whether a place is in PyTorch itself, where a model's author does not look.
bool isInsideFramework(std::string_view place);

} // namespace crosswalk::pytorch
