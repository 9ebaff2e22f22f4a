#pragma once

#include "core/layout/folding.h"
#include "core/layout/palette.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace crosswalk {

/// Which groups of a picture are open.
struct PictureGroups {
    enum class Kind : std::uint8_t {
        Automatic, ///< all if the picture stays legible, otherwise as in the window's initial view
        Open,      ///< all: every node is drawn, without frames
        ToDepth,
    };
    Kind kind = Kind::Automatic;
    std::uint32_t depth = 0; ///< for ToDepth: groups nested in fewer than this many others are open

    /// "auto", "open", "closed" (depth 0) or a depth; nothing for any other text.
    static std::optional<PictureGroups> fromName(std::string_view name);
};

/// A scene with some of its groups closed. Has no boxes if stopped.
struct FoldedPicture {
    std::shared_ptr<const SceneGroups> groups; ///< of the unfolded scene
    FoldedScene folded;
};
/// The scene with groups open to a depth; for Automatic and Open, as in the window's initial view.
FoldedPicture foldForPicture(const Scene& whole, PictureGroups which, std::stop_token stop = {});

/// Like sceneToSvg. A closed group is marked with the gaps and approximations that it contains.
std::string pictureToSvg(const Scene& whole, const FoldedPicture& picture, std::span<const Verdict> verdicts,
                         Theme theme = Theme::Light);

} // namespace crosswalk
