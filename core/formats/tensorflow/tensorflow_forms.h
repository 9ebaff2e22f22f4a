#pragma once

namespace crosswalk::forms {
}

/// The operators of this format are made of the forms that all formats share.
namespace crosswalk::tensorflow {
using namespace forms;
}
