#pragma once

#include "core/layout/folding.h"
#include "core/layout/palette.h"

#include <memory>
#include <optional>

namespace crosswalk {

/// Which groups of a picture are open.
struct PictureGroups {
    enum class Kind : std::uint8_t {
        Automatic, ///< all where that can be read, else as the window first shows them
        Open,      ///< all: every node is drawn, and no frames
        ToDepth,
    };
    Kind kind = Kind::Automatic;
    std::uint32_t depth = 0; ///< of ToDepth: groups that stand in fewer than this many others are open

    /// "auto", "open", "closed" (depth 0) or a depth; nothing where it is none of these.
    static std::optional<PictureGroups> fromName(std::string_view name);
};

/// A scene of which some groups are closed, with its groups. No boxes when stopped.
struct FoldedPicture {
    std::shared_ptr<const SceneGroups> groups; ///< of the whole scene
    FoldedScene folded;
};
/// The scene with groups open to a depth, for Automatic and Open as the window first shows it.
FoldedPicture foldForPicture(const Scene& whole, PictureGroups which, std::stop_token stop = {});

/// As sceneToSvg; a closed group is marked by the gaps and approximations in it.
std::string pictureToSvg(const Scene& whole, const FoldedPicture& picture, std::span<const Verdict> verdicts,
                         Theme theme = Theme::Light);

} // namespace crosswalk
