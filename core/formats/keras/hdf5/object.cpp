#include "core/formats/keras/hdf5/object.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk::keras::hdf5 {
namespace {

constexpr unsigned linksByName = 5; // types of B-trees
constexpr unsigned attributesByName = 8;
constexpr std::uint8_t sharedMessage = 2; // a flag

/// Collects the messages of a header and of its continuations.
class HeaderReader {
public:
    explicit HeaderReader(const FileView& file)
        : m_file(file)
    {
    }

    Object read(Address address)
    {
        ByteReader reader = m_file.at(address, "the header of an object");
        if (reader.text(4, "the header of an object") == "OHDR") {
            readNew(address, reader);
        } else {
            readClassic(address);
        }
        return std::move(m_object);
    }

private:
    struct Block {
        Address address;
        std::uint64_t size;
    };

    void readClassic(Address address)
    {
        ByteReader reader = m_file.at(address, "the header of an object");
        if (reader.read<std::uint8_t>("the header of an object") != 1) {
            damaged(fmt::format("is an HDF5 file with damaged structure: there is no object at {}", address));
        }
        reader.take(7, "the header of an object"); // reserved, number of messages, count of references
        const auto size = reader.read<std::uint32_t>("the header of an object");
        reader.take(4, "the header of an object");
        addClassic(reader.take(size, "the header of an object"));
        while (!m_blocks.empty()) {
            const Block block = next();
            addClassic(m_file.bytes(block.address, block.size, "the header of an object"));
        }
    }

    void addClassic(std::span<const std::byte> bytes)
    {
        constexpr std::size_t head = 8;
        ByteReader reader(bytes);
        while (reader.remaining() >= head) {
            const auto type = reader.read<std::uint16_t>("a message");
            const auto size = reader.read<std::uint16_t>("a message");
            const auto flags = reader.read<std::uint8_t>("a message");
            reader.take(3, "a message");
            add(type, flags, reader.take(size, "a message"));
        }
    }

    void readNew(Address address, ByteReader reader)
    {
        constexpr std::string_view what = "the header of an object";
        reader.take(1, what); // version
        const auto flags = reader.read<std::uint8_t>(what);
        reader.take(((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0), what);
        const std::uint64_t size = readNumber(reader, 1U << (flags & 3U));
        const bool hasOrder = (flags & 4U) != 0;
        const std::uint64_t start = reader.position() - m_file.at(address, what).position();
        addNew(reader.take(size, what), hasOrder);
        verifyChecksum(m_file, address, start + size + 4, what);
        while (!m_blocks.empty()) {
            const Block block = next();
            m_file.signedAt(block.address, "OCHK", "continued header");
            if (block.size < 8) {
                damaged("is an HDF5 file with an impossible header");
            }
            verifyChecksum(m_file, block.address, block.size, what);
            addNew(m_file.bytes(block.address, block.size, what).subspan(4, block.size - 8), hasOrder);
        }
    }

    void addNew(std::span<const std::byte> bytes, bool hasOrder)
    {
        const std::size_t head = hasOrder ? 6 : 4;
        ByteReader reader(bytes);
        while (reader.remaining() >= head) {
            const auto type = reader.read<std::uint8_t>("a message");
            const auto size = reader.read<std::uint16_t>("a message");
            const auto flags = reader.read<std::uint8_t>("a message");
            reader.take(hasOrder ? 2 : 0, "a message");
            add(type, flags, reader.take(size, "a message"));
        }
    }

    void add(std::uint16_t type, std::uint8_t flags, std::span<const std::byte> bytes)
    {
        const Message message{static_cast<MessageType>(type), (flags & sharedMessage) != 0, bytes};
        if (message.type != MessageType::Continuation) {
            m_object.messages.push_back(message);
            return;
        }
        ByteReader reader(bytes);
        const Address address = m_file.readAddress(reader);
        m_blocks.push_back({address, m_file.readLength(reader)});
    }

    Block next()
    {
        const Block block = m_blocks.back();
        m_blocks.pop_back();
        if (!m_seen.insert(block.address).second) {
            damaged("is an HDF5 file with a circular header");
        }
        return block;
    }

    const FileView& m_file;
    Object m_object;
    std::vector<Block> m_blocks;
    std::set<Address> m_seen;
};

/// The bytes of a message, which may be those of an object of its own.
std::span<const std::byte> resolved(const FileView& file, const Message& message)
{
    constexpr unsigned inAnotherHeader = 2;
    if (!message.isShared) {
        return message.bytes;
    }
    ByteReader reader(message.bytes);
    const auto version = reader.read<std::uint8_t>("a shared message");
    const auto kind = reader.read<std::uint8_t>("a shared message");
    if (version < 2 || (version == 3 && kind != inAnotherHeader)) {
        unsupported("messages that objects share");
    }
    const Object object = readObject(file, file.readAddress(reader));
    const Message* found = object.find(message.type);
    if (found == nullptr || found->isShared) {
        damaged("is an HDF5 file with a damaged shared message");
    }
    return found->bytes;
}

Datatype parsedType(std::span<const std::byte> bytes, bool mayBeEnumeration)
{
    constexpr unsigned integers = 0;
    constexpr unsigned floats = 1;
    constexpr unsigned texts = 3;
    constexpr unsigned opaque = 5;
    constexpr unsigned enumerations = 8;
    constexpr unsigned variable = 9;
    ByteReader reader(bytes);
    const unsigned kind = reader.read<std::uint8_t>("a type") & 15U;
    const auto flags = static_cast<std::uint32_t>(readNumber(reader, 3));
    Datatype type;
    type.size = reader.read<std::uint32_t>("a type");
    const std::uint32_t bits = type.size < 16 ? 8 * type.size : 0;
    switch (kind) {
    case integers: {
        type.kind = TypeKind::Integer;
        type.isBigEndian = (flags & 1U) != 0;
        type.isSigned = (flags & 8U) != 0;
        const auto offset = reader.read<std::uint16_t>("a type");
        type.isCommon = offset == 0 && reader.read<std::uint16_t>("a type") == bits;
        break;
    }
    case floats: {
        struct Format {
            std::uint32_t size;
            std::array<std::uint8_t, 4> fields; ///< exponent: place and bits; mantissa: place and bits
            std::uint32_t bias;
        };
        constexpr std::array formats{Format{2, {10, 5, 0, 10}, 15}, Format{4, {23, 8, 0, 23}, 127},
                                     Format{8, {52, 11, 0, 52}, 1023}};
        type.kind = TypeKind::Float;
        type.isBigEndian = (flags & 1U) != 0;
        const bool isIeee = (flags & 0x40U) == 0 && (flags >> 4U & 3U) == 2 && (flags >> 8U & 255U) + 1 == bits;
        const auto offset = reader.read<std::uint16_t>("a type");
        const auto precision = reader.read<std::uint16_t>("a type");
        const auto fields = reader.read<std::array<std::uint8_t, 4>>("a type");
        const auto bias = reader.read<std::uint32_t>("a type");
        type.isCommon =
            isIeee && offset == 0 && precision == bits && std::ranges::any_of(formats, [&](const Format& format) {
                return format.size == type.size && format.fields == fields && format.bias == bias;
            });
        break;
    }
    case texts:
        type.kind = TypeKind::Text;
        type.isSpacePadded = (flags & 15U) == 2;
        break;
    case opaque:
        type.kind = TypeKind::Opaque;
        break;
    case enumerations:
        if (mayBeEnumeration) {
            type = parsedType(bytes.subspan(reader.position()), false);
            type.kind = type.kind == TypeKind::Integer ? TypeKind::Enumeration : TypeKind::Other;
        }
        break;
    case variable:
        type.kind = (flags & 15U) == 1 ? TypeKind::VariableText : TypeKind::Other;
        break;
    default:
        break;
    }
    return type;
}

Attribute parsedAttribute(const FileView& file, std::span<const std::byte> bytes)
{
    constexpr std::string_view what = "an attribute";
    ByteReader reader(bytes);
    const auto version = reader.read<std::uint8_t>(what);
    if (version < 1 || version > 3) {
        unsupported(fmt::format("an attribute of version {}", version));
    }
    const auto flags = reader.read<std::uint8_t>(what);
    const auto nameSize = reader.read<std::uint16_t>(what);
    const auto typeSize = reader.read<std::uint16_t>(what);
    const auto spaceSize = reader.read<std::uint16_t>(what);
    if (version == 3) {
        reader.take(1, what); // character set of the name
    }
    const auto part = [&](std::size_t size) {
        const auto taken = reader.take(size, what);
        reader.take(version == 1 ? (8 - size % 8) % 8 : 0, what);
        return taken;
    };
    const auto name = part(nameSize);
    const std::string_view text(reinterpret_cast<const char*>(name.data()), name.size());
    Attribute attribute;
    attribute.name = text.substr(0, text.find('\0'));
    const bool isShared = version > 1;
    const Message type{MessageType::Datatype, isShared && (flags & 1U) != 0, part(typeSize)};
    const Message space{MessageType::Dataspace, isShared && (flags & 2U) != 0, part(spaceSize)};
    attribute.type = datatypeOf(file, type);
    attribute.space = dataspaceOf(file, space);
    attribute.data = bytes.subspan(reader.position());
    return attribute;
}

/// The name in the bytes of an attribute, which are not read further if it is another one.
std::optional<Attribute> attributeNamed(const FileView& file, std::span<const std::byte> bytes, std::string_view name)
{
    constexpr std::size_t head = 8;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t start = !text.empty() && text.front() == 3 ? head + 1 : head;
    if (text.size() < start || !text.substr(start).starts_with(name)) {
        return std::nullopt;
    }
    Attribute attribute = parsedAttribute(file, bytes);
    return attribute.name == name ? std::optional(attribute) : std::nullopt;
}

/// The addresses of a heap and of the index by names, which the messages of links and of attributes end with.
struct DenseStorage {
    Address heap = undefinedAddress;
    Address index = undefinedAddress;
};

DenseStorage denseStorage(const FileView& file, const Message& message, unsigned orderSize)
{
    ByteReader reader(message.bytes);
    reader.take(1, "a header"); // version
    const auto flags = reader.read<std::uint8_t>("a header");
    reader.take((flags & 1U) != 0 ? orderSize : 0, "a header");
    DenseStorage storage;
    storage.heap = file.readAddress(reader);
    storage.index = file.readAddress(reader);
    return storage;
}

void addLink(const FileView& file, std::span<const std::byte> bytes, Links& links)
{
    constexpr std::string_view what = "a link";
    ByteReader reader(bytes);
    reader.take(1, what); // version
    const auto flags = reader.read<std::uint8_t>(what);
    const unsigned kind = (flags & 8U) != 0 ? reader.read<std::uint8_t>(what) : 0U;
    reader.take(((flags & 4U) != 0 ? 8 : 0) + ((flags & 0x10U) != 0 ? 1 : 0), what);
    const std::uint64_t size = readNumber(reader, 1U << (flags & 3U));
    const std::string name(reader.text(size, what));
    links.emplace(name, kind == 0 ? Link{true, file.readAddress(reader)} : Link{});
}

/// The links of a group of the oldest form: a B-tree whose leaves are lists of names and addresses.
class SymbolTable {
public:
    SymbolTable(const FileView& file, Address tree, Address names, Links& links)
        : m_file(file)
        , m_links(links)
        , m_names(file, names)
    {
        node(tree, std::nullopt);
    }

private:
    void visit(Address address)
    {
        if (!m_visited.insert(address).second) {
            damaged("is an HDF5 file with a circular group");
        }
    }

    void node(Address address, std::optional<unsigned> expectedLevel)
    {
        constexpr std::string_view what = "an index of a group";
        visit(address);
        ByteReader reader = m_file.signedAt(address, "TREE", "index of a group");
        const auto type = reader.read<std::uint8_t>(what);
        const unsigned level = reader.read<std::uint8_t>(what);
        if (type != 0 || (expectedLevel && level != *expectedLevel)) {
            damaged("is an HDF5 file with a damaged index of a group");
        }
        const auto entries = reader.read<std::uint16_t>(what);
        m_file.readAddress(reader);
        m_file.readAddress(reader);
        for (unsigned i = 0; i < entries; ++i) {
            m_file.readLength(reader); // the first name
            const Address child = m_file.readAddress(reader);
            if (level > 0) {
                node(child, level - 1);
            } else {
                leaf(child);
            }
        }
    }

    void leaf(Address address)
    {
        constexpr unsigned symbolicLink = 2;
        constexpr std::string_view what = "a list of names";
        visit(address);
        ByteReader reader = m_file.signedAt(address, "SNOD", "list of names");
        reader.take(2, what); // version
        const auto count = reader.read<std::uint16_t>(what);
        for (unsigned i = 0; i < count; ++i) {
            const std::string name(m_names.text(m_file.readLength(reader)));
            const Address object = m_file.readAddress(reader);
            const auto kind = reader.read<std::uint32_t>(what);
            reader.take(20, what); // a copy of what the object says
            m_links.emplace(name, kind == symbolicLink ? Link{} : Link{true, object});
        }
    }

    const FileView& m_file;
    Links& m_links;
    LocalHeap m_names;
    std::set<Address> m_visited;
};

} // namespace

const Message* Object::find(MessageType type) const
{
    const auto found = std::ranges::find_if(messages, [&](const Message& message) { return message.type == type; });
    return found != messages.end() ? &*found : nullptr;
}

bool Object::isGroup() const
{
    return find(MessageType::SymbolTable) != nullptr || find(MessageType::LinkInfo) != nullptr ||
           find(MessageType::Link) != nullptr;
}

bool Object::isDataset() const
{
    return find(MessageType::Layout) != nullptr;
}

Object readObject(const FileView& file, Address address)
{
    return HeaderReader(file).read(address);
}

std::optional<std::uint64_t> Dataspace::size(std::uint64_t each) const
{
    constexpr std::uint64_t limit = std::uint64_t{1} << 62U;
    if (isNull || std::ranges::find(dims, 0U) != dims.end()) {
        return 0;
    }
    std::uint64_t product = each;
    for (const std::uint64_t dim : dims) {
        if (product > limit / dim) {
            return std::nullopt;
        }
        product *= dim;
    }
    return product;
}

Dataspace dataspaceOf(const FileView& file, const Message& message)
{
    constexpr std::string_view what = "a shape";
    constexpr unsigned nullSpace = 2;
    constexpr unsigned mostDims = 32;
    ByteReader reader(resolved(file, message));
    const auto version = reader.read<std::uint8_t>(what);
    const auto rank = reader.read<std::uint8_t>(what);
    const bool hasMost = (reader.read<std::uint8_t>(what) & 1U) != 0;
    if (version < 1 || version > 2 || rank > mostDims) {
        damaged("is an HDF5 file with a damaged shape");
    }
    Dataspace space;
    const auto kind = reader.read<std::uint8_t>(what);
    space.isNull = version == 2 && kind == nullSpace;
    reader.take(version == 1 ? 4 : 0, what);
    for (unsigned i = 0; i < rank; ++i) {
        space.dims.push_back(file.readLength(reader));
    }
    for (unsigned i = 0; hasMost && i < rank; ++i) {
        space.most.push_back(file.readLength(reader));
    }
    return space;
}

Datatype datatypeOf(const FileView& file, const Message& message)
{
    return parsedType(resolved(file, message), true);
}

std::optional<Attribute> attributeOf(const FileView& file, const Object& object, std::string_view name)
{
    for (const Message& message : object.messages) {
        if (message.type != MessageType::Attribute) {
            continue;
        }
        if (auto found = attributeNamed(file, resolved(file, message), name)) {
            return found;
        }
    }
    const Message* info = object.find(MessageType::AttributeInfo);
    const DenseStorage storage = info != nullptr ? denseStorage(file, *info, 2) : DenseStorage{};
    std::optional<Attribute> found;
    if (storage.heap == undefinedAddress || storage.index == undefinedAddress) {
        return found;
    }
    const FractalHeap heap(file, storage.heap);
    visitRecords(file, storage.index, attributesByName, [&](std::span<const std::byte> record) {
        constexpr std::size_t idSize = 8;
        ByteReader reader(record);
        const auto id = reader.take(idSize, "an attribute");
        const bool isShared = (reader.read<std::uint8_t>("an attribute") & sharedMessage) != 0;
        if (isShared) {
            unsupported("messages that objects share");
        }
        if (!found) {
            found = attributeNamed(file, heap.object(id), name);
        }
    });
    return found;
}

Links linksOf(const FileView& file, const Object& group)
{
    Links links;
    for (const Message& message : group.messages) {
        if (message.type == MessageType::SymbolTable) {
            ByteReader reader(message.bytes);
            const Address tree = file.readAddress(reader);
            const SymbolTable table(file, tree, file.readAddress(reader), links);
        } else if (message.type == MessageType::Link) {
            addLink(file, message.bytes, links);
        } else if (message.type == MessageType::LinkInfo) {
            const DenseStorage storage = denseStorage(file, message, 8);
            if (storage.heap == undefinedAddress || storage.index == undefinedAddress) {
                continue;
            }
            const FractalHeap heap(file, storage.heap);
            visitRecords(file, storage.index, linksByName, [&](std::span<const std::byte> record) {
                ByteReader reader(record);
                reader.take(4, "a link"); // hash of its name
                addLink(file, heap.object(reader.take(heap.idSize(), "a link")), links);
            });
        }
    }
    return links;
}

} // namespace crosswalk::keras::hdf5
