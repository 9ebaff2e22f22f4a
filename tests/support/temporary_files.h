#pragma once

#include <QtTest>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

namespace crosswalk::test {

/// Files of a test, removed by the destructor.
class TemporaryFiles {
public:
    std::filesystem::path path(std::string_view name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    std::filesystem::path write(std::string_view name, std::string_view content) const
    {
        const auto target = path(name);
        // Some file systems flush a file that is truncated and rewritten, but not a new one.
        std::filesystem::remove(target);
        QFile file(QString::fromStdString(target.string()));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(content.data(), static_cast<qint64>(content.size())) != static_cast<qint64>(content.size())) {
            qFatal("cannot write a test file");
        }
        return target;
    }

private:
    QTemporaryDir m_folder;
};

/// Builds a sequence of little-endian values.
class Bytes {
public:
    template <typename T>
    requires std::integral<T> || std::floating_point<T> Bytes& add(T value)
    {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        m_content.append(raw, sizeof(T));
        return *this;
    }
    Bytes& add(std::string_view text)
    {
        m_content.append(text);
        return *this;
    }
    const std::string& content() const { return m_content; }

private:
    std::string m_content;
};

inline std::string readAll(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace crosswalk::test
