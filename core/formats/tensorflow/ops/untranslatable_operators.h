#pragma once

#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// Why an operator has no translation, and what a user can do about it.
struct Untranslatable {
    std::string message; ///< "operator PyFunc calls a Python function, which the file does not contain"
    std::string hint;
};

/// Of an operator without a row in the table of operators.
Untranslatable whyUntranslatable(std::string_view op);

} // namespace crosswalk::tensorflow
