#pragma once

#include "crosswalk/problem.h"

#include <cassert>
#include <utility>
#include <variant>

namespace crosswalk {

/// A value, or the one problem that kept it from being made. What crosses from core into app, ui and threads,
/// where no exception may pass.
template <typename T>
class Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Diagnostic problem)
        : m_state(std::in_place_index<1>, std::move(problem))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    T& value()
    {
        assert(*this);
        return *std::get_if<0>(&m_state);
    }
    const T& value() const
    {
        assert(*this);
        return *std::get_if<0>(&m_state);
    }
    const Diagnostic& problem() const
    {
        assert(!*this);
        return *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Diagnostic> m_state;
};

} // namespace crosswalk
