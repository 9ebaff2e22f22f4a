#pragma once

#include "tests/support/temporary_files.h"
#include "tests/support/zip_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace crosswalk::test {

/// A float32 array whose elements count up from `first`, so that arrays can be distinguished.
struct NamedArray {
    std::string name;
    std::vector<std::int64_t> dims;
    float first = 0;

    std::int64_t elements() const
    {
        std::int64_t count = 1;
        for (const auto dim : dims) {
            count *= dim;
        }
        return count;
    }
};

/// A .params file in the format of MXNet 1.9; without names if all names are empty.
inline std::string paramsFile(const std::vector<NamedArray>& arrays)
{
    Bytes bytes;
    bytes.add(std::uint64_t{0x112}).add(std::uint64_t{0}).add(static_cast<std::uint64_t>(arrays.size()));
    bool named = false;
    for (const NamedArray& array : arrays) {
        bytes.add(std::uint32_t{0xF993FAC9}).add(std::int32_t{0}).add(static_cast<std::int32_t>(array.dims.size()));
        for (const auto dim : array.dims) {
            bytes.add(dim);
        }
        bytes.add(std::int32_t{1}).add(std::int32_t{0}).add(std::int32_t{0});
        for (std::int64_t i = 0; i < array.elements(); ++i) {
            bytes.add(array.first + static_cast<float>(i));
        }
        named = named || !array.name.empty();
    }
    bytes.add(named ? static_cast<std::uint64_t>(arrays.size()) : std::uint64_t{0});
    for (const NamedArray& array : arrays) {
        if (named) {
            bytes.add(static_cast<std::uint64_t>(array.name.size())).add(std::string_view(array.name));
        }
    }
    return bytes.content();
}

/// The same in the format of MXNet 2.0: .npy files in a zip archive, stored, with their sizes only in the directory.
inline std::string npyZip(const std::vector<NamedArray>& arrays, bool fortranOrder = false)
{
    std::vector<ZipPart> parts;
    for (const NamedArray& array : arrays) {
        std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': {}, 'shape': ({},), }}",
                                         fortranOrder ? "True" : "False", fmt::join(array.dims, ", "));
        header += '\n';
        Bytes npy;
        npy.add(std::string_view("\x93NUMPY\x01\x00", 8)).add(static_cast<std::uint16_t>(header.size()));
        npy.add(std::string_view(header));
        for (std::int64_t i = 0; i < array.elements(); ++i) {
            npy.add(array.first + static_cast<float>(i));
        }
        parts.push_back({array.name + ".npy", npy.content()});
    }
    return zipFile(parts);
}

inline std::string variable(std::string_view name, std::string_view attributes = "{}")
{
    return fmt::format(R"j({{"op": "null", "name": "{}", "attrs": {}, "inputs": []}})j", name, attributes);
}

inline std::string node(std::string_view op, std::string_view name, std::string_view inputs,
                        std::string_view attributes = "{}")
{
    return fmt::format(R"j({{"op": "{}", "name": "{}", "attrs": {}, "inputs": {}}})j", op, name, attributes, inputs);
}

/// A symbol file with these nodes; the last one is the output unless `heads` is given.
inline std::string symbolFile(const std::vector<std::string>& nodes, std::string heads = {},
                              std::string_view version = "10901")
{
    if (heads.empty()) {
        heads = fmt::format("[[{}, 0, 0]]", nodes.size() - 1);
    }
    return fmt::format(R"j({{"nodes": [{}], "heads": {}, "attrs": {{"mxnet_version": ["int", {}]}}}})j",
                       fmt::join(nodes, ", "), heads, version);
}

} // namespace crosswalk::test
