#include "app/manual/program_description.h"

#include <algorithm>
#include <string_view>

namespace crosswalk::manual {

Completion completionOf(const Argument& argument)
{
    if (argument.value.empty()) {
        return Completion::Nothing;
    }
    if (!argument.choices.empty()) {
        return Completion::Words;
    }
    const std::string_view form = argument.value;
    if (form == "DIR") {
        return Completion::Folders;
    }
    const bool isPositional = !argument.names.front().starts_with('-');
    const bool namesFile = form.find('.') != std::string::npos && form.find('=') == std::string::npos &&
                           form.find(",...") == std::string::npos;
    return isPositional || form == "FILE" || namesFile ? Completion::Files : Completion::Nothing;
}

std::vector<std::string> choicesIn(const std::string& form)
{
    std::vector<std::string> choices;
    if (form.find('|') == std::string::npos || form.find_first_of("=.") != std::string::npos) {
        return choices;
    }
    for (std::size_t begin = 0; begin <= form.size();) {
        const auto end = std::min(form.find('|', begin), form.size());
        const std::string word = form.substr(begin, end - begin);
        if (std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; })) {
            choices.push_back(word);
        }
        begin = end + 1;
    }
    return choices;
}

} // namespace crosswalk::manual
