#include "core/onnx/function_expansion.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/onnx/operand_checks.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"

#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace crosswalk {
namespace {

class Expansion {
public:
    explicit Expansion(const ::onnx::ModelProto& model)
    {
        for (const auto& function : model.functions()) {
            m_functions.try_emplace(Key(domainOf(function.domain()), function.name(), function.overload()),
                                    Function{&function, {}, false});
        }
    }

    std::uint64_t count(const ::google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes, std::uint32_t depth)
    {
        std::uint64_t sum = 0;
        for (const auto& node : nodes) {
            add(sum, 1);
            expectEquation(node);
            if (const auto called = m_functions.find({domainOf(node.domain()), node.op_type(), node.overload()});
                called != m_functions.end()) {
                add(sum, countCall(called->second, depth));
            }
            for (const auto& attribute : node.attribute()) {
                if (attribute.has_g()) {
                    add(sum, count(attribute.g().node(), depth));
                }
                for (const auto& body : attribute.graphs()) {
                    add(sum, count(body.node(), depth));
                }
            }
        }
        return sum;
    }

private:
    using Key = std::tuple<std::string_view, std::string_view, std::string_view>; // domain, name, overload
    struct Function {
        const ::onnx::FunctionProto* proto;
        std::optional<std::uint64_t> nodes;
        bool isOpen;
    };

    static std::string_view domainOf(std::string_view domain)
    {
        return isOnnxDomain(domain) ? std::string_view() : domain;
    }

    static void add(std::uint64_t& sum, std::uint64_t count)
    {
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        sum = sum > most - count ? most : sum + count;
    }

    std::uint64_t countCall(Function& function, std::uint32_t depth)
    {
        if (function.nodes) {
            return *function.nodes;
        }
        if (function.isOpen) {
            throw ModelError("damaged", fmt::format("its function {} calls itself", function.proto->name()));
        }
        if (depth >= Budget::callDepth) {
            throw ModelError("damaged", fmt::format("calls of its functions are nested more than {} deep at {}",
                                                    Budget::callDepth, function.proto->name()));
        }
        function.isOpen = true;
        function.nodes = count(function.proto->node(), depth + 1);
        function.isOpen = false;
        return *function.nodes;
    }

    std::map<Key, Function> m_functions;
};

} // namespace

std::uint64_t expandedNodes(const ::onnx::ModelProto& model)
{
    return Expansion(model).count(model.graph().node(), 0);
}

} // namespace crosswalk
