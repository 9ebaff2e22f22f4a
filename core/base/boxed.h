#pragma once

#include <memory>
#include <utility>

namespace crosswalk {

/// A value on the heap, shared by its copies and never changed: keeps the alternatives of a variant small.
template <typename T>
class Boxed {
public:
    Boxed(T value) // NOLINT(google-explicit-constructor): stands in for the value itself
        : m_value(std::make_shared<const T>(std::move(value)))
    {
    }
    const T& operator*() const { return *m_value; }
    const T* operator->() const { return m_value.get(); }
    friend bool operator==(const Boxed& a, const Boxed& b) { return a.m_value == b.m_value || *a == *b; }

private:
    std::shared_ptr<const T> m_value;
};

} // namespace crosswalk
