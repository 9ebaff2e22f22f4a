#pragma once

#include <memory>
#include <utility>

namespace crosswalk {

/// A value that copies share until one of them changes it. References that were returned before refer to the old value
/// after that.
template <typename T>
class CopyOnWrite {
public:
    const T& read() const
    {
        static const T empty;
        return m_value ? *m_value : empty;
    }

    T& write()
    {
        if (!m_value) {
            m_value = std::make_shared<T>();
        } else if (m_value.use_count() > 1) {
            m_value = std::make_shared<T>(std::as_const(*m_value));
        }
        return *m_value;
    }

    bool isSharedWith(const CopyOnWrite& other) const { return m_value == other.m_value; }

private:
    std::shared_ptr<T> m_value;
};

} // namespace crosswalk
