#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {

/// A vector for dimensions, axes, indices and other sequences whose length comes from a file. An index out of range
/// throws std::out_of_range, a length above the limit std::length_error.
template <typename T>
class BoundsChecked : public std::vector<T> {
    using Base = std::vector<T>;

public:
    static constexpr std::ptrdiff_t mostElements = std::ptrdiff_t{1} << 25;

    using Base::Base;
    explicit BoundsChecked(std::size_t count)
        : Base(checkedLength(count))
    {
    }
    BoundsChecked(std::size_t count, const T& element)
        : Base(checkedLength(count), element)
    {
    }
    BoundsChecked(const Base& elements)
        : Base(elements)
    {
    }
    BoundsChecked(Base&& elements)
        : Base(std::move(elements))
    {
    }

    T& operator[](std::size_t i) { return Base::operator[](checked(i)); }
    const T& operator[](std::size_t i) const { return Base::operator[](checked(i)); }
    T& front() { return (*this)[0]; }
    const T& front() const { return (*this)[0]; }
    T& back() { return (*this)[this->size() - 1]; }
    const T& back() const { return (*this)[this->size() - 1]; }
    void push_back(T element)
    {
        checkedLength(this->size() + 1);
        Base::push_back(std::move(element));
    }
    template <typename... Arguments>
    T& emplace_back(Arguments&&... arguments)
    {
        checkedLength(this->size() + 1);
        return Base::emplace_back(std::forward<Arguments>(arguments)...);
    }
    void resize(std::size_t count) { Base::resize(checkedLength(count)); }
    void resize(std::size_t count, const T& element) { Base::resize(checkedLength(count), element); }
    void pop_back()
    {
        checked(0);
        Base::pop_back();
    }

    /// An iterator to element i, or to the end if i is the size.
    template <typename Index>
    auto iteratorAt(Index i)
    {
        return this->begin() + offset(static_cast<std::size_t>(i));
    }
    template <typename Index>
    auto iteratorAt(Index i) const
    {
        return this->begin() + offset(static_cast<std::size_t>(i));
    }
    template <typename Index>
    void eraseAt(Index i)
    {
        this->erase(this->begin() + static_cast<std::ptrdiff_t>(checked(static_cast<std::size_t>(i))));
    }

private:
    std::size_t checked(std::size_t i) const
    {
        if (i >= this->size()) {
            throwOutOfRange(i);
        }
        return i;
    }
    static std::size_t checkedLength(std::size_t length)
    {
        if (length > static_cast<std::size_t>(mostElements)) {
            throw std::length_error("a list of " + std::to_string(length) + " elements");
        }
        return length;
    }
    std::ptrdiff_t offset(std::size_t i) const
    {
        if (i > this->size()) {
            throwOutOfRange(i);
        }
        return static_cast<std::ptrdiff_t>(i);
    }
    [[noreturn]] void throwOutOfRange(std::size_t i) const
    {
        throw std::out_of_range("index " + std::to_string(static_cast<std::ptrdiff_t>(i)) + " of " +
                                std::to_string(this->size()) + " elements");
    }
};

} // namespace crosswalk
