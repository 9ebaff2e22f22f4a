#pragma once

namespace crosswalk::forms {
}

/// The operators of this format are composed of the shared forms.
namespace crosswalk::tensorflow {
using namespace forms;
}
