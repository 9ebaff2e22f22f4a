#include "core/rewrite/body_types.h"

#include "core/onnx/proto.h"

namespace crosswalk {

BodyTypes::BodyTypes(ValueTypes& types, const ::onnx::GraphProto& body)
    : m_types(types)
{
    for (const auto* infos : {&body.input(), &body.value_info(), &body.output()}) {
        for (const auto& info : *infos) {
            const auto [entry, isNew] = m_types.try_emplace(info.name());
            m_hidden.emplace_back(info.name(), isNew ? std::nullopt : std::optional(entry->second));
            entry->second = fromProto(info.type());
        }
    }
}

BodyTypes::~BodyTypes()
{
    for (auto hidden = m_hidden.rbegin(); hidden != m_hidden.rend(); ++hidden) {
        if (hidden->second) {
            m_types[hidden->first] = *hidden->second;
        } else {
            m_types.erase(hidden->first);
        }
    }
}

} // namespace crosswalk
