#include "tests/fuzz/mutators/mutators.h"

#include <nlohmann/json.hpp>

namespace crosswalk::fuzz {

namespace {

using Json = nlohmann::ordered_json;

struct JsonPlace {
    Json* container;
    Json::iterator at;
};

void findValues(Json& value, std::vector<JsonPlace>& places, std::vector<std::string>& texts)
{
    for (auto at = value.begin(); value.is_structured() && at != value.end(); ++at) {
        places.push_back({&value, at});
        if (at->is_string()) {
            texts.push_back(at->get<std::string>());
        }
        findValues(*at, places, texts);
    }
}

Json otherKind(Draw& draw)
{
    const std::array<Json, 9> values = {
        nullptr, true, Json::array(), Json::object(), "", 0, -1, 1.5, Json::array({Json::array()})};
    return draw.from(values);
}

void changeText(std::string& text, const std::vector<std::string>& texts, Draw& draw)
{
    const std::size_t digit = text.find_first_of("0123456789");
    if (digit != std::string::npos && draw.chance(0.5)) {
        // A number in it, as MXNet writes attributes.
        const std::size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
        text.replace(digit, end - digit, std::to_string(draw.integer()));
    } else if (draw.chance(0.4)) {
        text = draw.from(texts);
    } else {
        text = mutatedBytes(text);
    }
}

void changeJson(Json& value, const std::vector<std::string>& texts, Draw& draw)
{
    if (value.is_boolean()) {
        value = !value.get<bool>();
    } else if (value.is_number()) {
        value = draw.chance(0.8) ? Json(draw.integer()) : Json(draw.real());
    } else if (value.is_string()) {
        changeText(value.get_ref<std::string&>(), texts, draw);
    } else if (value.is_array() && !value.empty()) {
        constexpr std::array counts = {1, 2, 49};
        const Json element = draw.from(value);
        for (int count = draw.from(counts); count > 0; --count) {
            value.push_back(element);
        }
    } else if (value.is_object()) {
        value[texts.empty() ? std::string("x") : draw.from(texts)] = otherKind(draw);
    } else {
        value = otherKind(draw);
    }
}

void mutateValue(Json& root, Draw& draw)
{
    std::vector<JsonPlace> places;
    std::vector<std::string> texts;
    findValues(root, places, texts);
    if (places.empty()) {
        return;
    }
    const JsonPlace place = draw.from(places);
    switch (draw.below(10)) {
    case 0:
        place.container->erase(place.at);
        return;
    case 1: {
        // Copied before the assignment, because one may contain the other.
        Json other = *draw.from(places).at;
        *place.at = std::move(other);
        return;
    }
    case 2:
        *place.at = otherKind(draw);
        return;
    default:
        changeJson(*place.at, texts, draw);
    }
}

} // namespace

std::optional<std::string> mutatedJson(std::string_view bytes, Draw& draw)
{
    constexpr int deepest = 100; // a deeper value is left out
    const auto notTooDeep = [](int depth, Json::parse_event_t, Json&) { return depth < deepest; };
    Json root = Json::parse(bytes, notTooDeep, false);
    if (!root.is_structured()) {
        return std::nullopt;
    }
    for (std::size_t count = 1 + draw.below(3); count > 0; --count) {
        mutateValue(root, draw);
    }
    return root.dump(-1, ' ', false, Json::error_handler_t::ignore);
}

} // namespace crosswalk::fuzz
