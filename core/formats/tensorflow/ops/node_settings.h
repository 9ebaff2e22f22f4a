#pragma once

#include "core/convert/node_context.h"
#include "core/formats/tensorflow/op_defs.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// The attributes of a node, with the defaults of its operator for omitted ones. An attribute that is missing or of
/// another type is invalid.
class Settings {
public:
    explicit Settings(const NodeContext& ctx);
    /// With the defaults of another operator, whose attributes the node's own lacks.
    Settings(const NodeContext& ctx, std::string_view defaultsOf);

    bool has(std::string_view name) const { return m_ctx.node.attribute(name) != nullptr; }
    bool boolean(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    double number(std::string_view name) const;
    std::string text(std::string_view name) const;
    Ints ints(std::string_view name) const;
    ElementType elementType(std::string_view name) const;

private:
    template <class T>
    T valueOf(std::string_view name) const;

    const NodeContext& m_ctx;
    const OpDef* m_def;
};

} // namespace crosswalk::tensorflow
