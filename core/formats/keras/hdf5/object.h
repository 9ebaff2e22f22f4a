#pragma once

#include "core/formats/keras/hdf5/heaps.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::keras::hdf5 {

enum class MessageType : std::uint16_t {
    Dataspace = 0x1,
    LinkInfo = 0x2,
    Datatype = 0x3,
    OldFillValue = 0x4,
    FillValue = 0x5,
    Link = 0x6,
    ExternalFiles = 0x7,
    Layout = 0x8,
    Filters = 0xb,
    Attribute = 0xc,
    Continuation = 0x10,
    SymbolTable = 0x11,
    AttributeInfo = 0x15,
};

/// A part of an object's header. One that is shared only says where it is.
struct Message {
    MessageType type{};
    bool isShared = false;
    std::span<const std::byte> bytes;
};

/// The header of a group or of a dataset.
struct Object {
    std::vector<Message> messages;

    const Message* find(MessageType type) const;
    bool isGroup() const;
    bool isDataset() const;
};

Object readObject(const FileView& file, Address address);

struct Dataspace {
    std::vector<std::uint64_t> dims; ///< none for a scalar
    std::vector<std::uint64_t> most; ///< what the dimensions may grow to; empty if they cannot
    bool isNull = false;             ///< without any element

    /// All dimensions multiplied with the size of an element; nothing beyond 62 bits.
    std::optional<std::uint64_t> size(std::uint64_t each) const;
};

enum class TypeKind { Integer, Float, Text, VariableText, Enumeration, Opaque, Other };

struct Datatype {
    TypeKind kind = TypeKind::Other; ///< an enumeration has the settings of its numbers
    std::uint32_t size = 0;          ///< bytes of an element in the file
    bool isBigEndian = false;
    bool isSigned = false;
    bool isCommon = false;      ///< every bit as IEEE 754 or two's complement has it
    bool isSpacePadded = false; ///< a text
};

Dataspace dataspaceOf(const FileView& file, const Message& message);
Datatype datatypeOf(const FileView& file, const Message& message);

struct Attribute {
    std::string_view name;
    Datatype type;
    Dataspace space;
    std::span<const std::byte> data;
};

/// Nothing if the object has none of that name.
std::optional<Attribute> attributeOf(const FileView& file, const Object& object, std::string_view name);

/// What a name of a group stands for: an object, or a path to it or to another file, which is not followed.
struct Link {
    bool isHard = false;
    Address address = undefinedAddress;
};

using Links = std::map<std::string, Link, std::less<>>;
Links linksOf(const FileView& file, const Object& group);

} // namespace crosswalk::keras::hdf5
