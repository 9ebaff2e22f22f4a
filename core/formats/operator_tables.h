#pragma once

#include "core/graph/operator_info.h"

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crosswalk {

// Implements OperatorInfo from the rows of a format. Rows must outlive the tables.

struct CategoryRow {
    OperatorCategory category;
    std::string_view operators; ///< separated by spaces
};

class CategoryTable {
public:
    explicit CategoryTable(std::span<const CategoryRow> rows);
    std::optional<OperatorCategory> find(std::string_view op) const;

private:
    std::unordered_map<std::string_view, OperatorCategory> m_categories;
};

/// A default value of an attribute, as text. An empty operator means any. Patterns of values: `*` any, `1*` and `0*`
/// a list of ones or zeros.
struct DefaultRow {
    std::string_view op;
    std::string_view attribute;
    std::string_view value;
};

class DefaultTable {
public:
    explicit DefaultTable(std::span<const DefaultRow> rows);
    bool contains(std::string_view op, std::string_view attribute, std::string_view value) const;

private:
    std::unordered_map<std::string_view, std::vector<DefaultRow>> m_rows; ///< by attribute
};

/// Whether a text is a list of nothing but `item`: "(1, 1)", "[1,1]", "1, 1", "(1L, 1L)" as Python 2 writes it.
bool isListOf(std::string_view text, std::string_view item);

} // namespace crosswalk
