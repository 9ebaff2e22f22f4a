#include "ui/models/box_title.h"

#include "ui/models/shape_text.h"
#include "ui/models/words.h"

namespace crosswalk::ui {

QString boxTitle(const SceneNode& box)
{
    switch (box.kind) {
    case SceneNode::Kind::Input:
        return box.title == "constant" ? Words::tr("constant") : Words::tr("input");
    case SceneNode::Kind::Output:
        return Words::tr("output");
    case SceneNode::Kind::Operator:
    case SceneNode::Kind::Group:
        break;
    }
    return displayText(box.title);
}

} // namespace crosswalk::ui
