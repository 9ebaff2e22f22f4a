#include "core/formats/pytorch/pickle.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

// Opcodes and their operands are those of Python's pickletools.

namespace crosswalk::pytorch {
namespace {

using ObjectKind = PickleObject::Kind;

class Machine {
public:
    Machine(std::span<const std::byte> bytes, std::string_view name)
        : m_bytes(bytes)
        , m_name(name)
    {
    }

    Pickle run()
    {
        for (;;) {
            m_opcodeAt = m_at;
            const auto opcode = static_cast<unsigned char>(take(1)[0]);
            if (opcode == '.') {
                m_pickle.root = pop();
                m_pickle.size = m_at;
                m_pickle.globals.assign(m_globals.begin(), m_globals.end());
                return std::move(m_pickle);
            }
            execute(opcode);
        }
    }

private:
    [[noreturn]] void damaged(std::string_view what) const
    {
        throw ModelError("damaged", fmt::format("{}: offset {}: {}", m_name, m_opcodeAt, what));
    }

    std::span<const std::byte> take(std::uint64_t count)
    {
        if (count > m_bytes.size() - m_at) {
            throw ModelError("truncated",
                             fmt::format("{}: offset {}: the pickle ends inside a value", m_name, m_opcodeAt));
        }
        const auto part = m_bytes.subspan(m_at, count);
        m_at += count;
        return part;
    }

    /// Little-endian and unsigned.
    std::uint64_t number(std::size_t width)
    {
        std::uint64_t value = 0;
        const auto part = take(width);
        for (std::size_t i = width; i-- > 0;) {
            value = value << 8U | static_cast<std::uint64_t>(part[i]);
        }
        return value;
    }

    std::string text(std::uint64_t length)
    {
        const auto part = take(length);
        return {reinterpret_cast<const char*>(part.data()), part.size()}; // NOLINT: bytes as characters
    }

    std::string line()
    {
        std::string characters;
        for (auto c = static_cast<char>(take(1)[0]); c != '\n'; c = static_cast<char>(take(1)[0])) {
            characters += c;
        }
        return characters;
    }

    template <typename T>
    void push(T&& value)
    {
        m_stack.emplace_back(std::forward<T>(value));
    }

    PickleValue pop()
    {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back())) {
            damaged("the stack is empty");
        }
        PickleValue value = std::move(m_stack.back());
        m_stack.pop_back();
        return value;
    }

    PickleValue& top()
    {
        if (m_stack.empty()) {
            damaged("the stack is empty");
        }
        return m_stack.back();
    }

    PickleObject& topObject()
    {
        auto* object = std::get_if<std::shared_ptr<PickleObject>>(&top());
        if (object == nullptr) {
            damaged("an item is added to something that is not a container");
        }
        return **object;
    }

    std::vector<PickleValue> popToMark()
    {
        if (m_marks.empty()) {
            damaged("there is no mark on the stack");
        }
        const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<PickleValue> items(std::make_move_iterator(first), std::make_move_iterator(m_stack.end()));
        m_stack.erase(first, m_stack.end());
        m_marks.pop_back();
        return items;
    }

    void pushObject(ObjectKind kind, std::vector<PickleValue> items = {}, std::string name = {})
    {
        Budget::expectPickleObjects(m_pickle.objects.size() + 1, m_bytes.size());
        m_pickle.objects.push_back(std::make_shared<PickleObject>(
            PickleObject{.kind = kind, .name = std::move(name), .items = std::move(items)}));
        push(m_pickle.objects.back());
    }

    void pushTuple(std::size_t count)
    {
        std::vector<PickleValue> items(count);
        for (std::size_t i = count; i-- > 0;) {
            items[i] = pop();
        }
        pushObject(ObjectKind::Tuple, std::move(items));
    }

    void pushGlobal(std::string name)
    {
        m_globals.insert(name);
        pushObject(ObjectKind::Global, {}, std::move(name));
    }

    void remember(std::uint64_t index) { m_memo[index] = copyOf(top()); }

    void recall(std::uint64_t index)
    {
        const auto found = m_memo.find(index);
        if (found == m_memo.end()) {
            damaged("a value that was not stored is used");
        }
        push(copyOf(found->second));
    }

    /// Texts are copied: a few bytes could ask for gigabytes.
    PickleValue copyOf(const PickleValue& value)
    {
        constexpr std::size_t always = 1U << 20U;
        constexpr std::size_t perByte = 32;
        if (const auto* copied = std::get_if<std::string>(&value)) {
            m_copied += copied->size();
            if (m_copied > always + perByte * m_bytes.size()) {
                damaged("it repeats texts more often than a model does");
            }
        }
        return value;
    }

    void append(std::vector<PickleValue> items)
    {
        PickleObject& list = topObject();
        auto& target = list.kind == ObjectKind::Call ? list.added : list.items;
        target.insert(target.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
    }

    void pushLong(std::size_t width)
    {
        constexpr std::size_t widest = 8;
        if (width > widest) {
            // Such as the magic number of old files: its bytes identify it.
            pushObject(ObjectKind::Bytes, {}, text(width));
            return;
        }
        const std::uint64_t bits = number(width);
        const auto unused = static_cast<unsigned>(8 * (widest - width));
        push(width == 0 ? std::int64_t{0} : std::bit_cast<std::int64_t>(bits << unused) >> unused);
    }

    void pushDouble()
    {
        std::uint64_t bits = 0;
        for (const std::byte byte : take(8)) {
            bits = bits << 8U | static_cast<std::uint64_t>(byte);
        }
        push(std::bit_cast<double>(bits));
    }

    void execute(unsigned char opcode)
    {
        switch (opcode) {
        case 0x80: // PROTO
            if (const std::uint64_t protocol = number(1); protocol < 2 || protocol > 5) {
                damaged(fmt::format("protocol {} is not supported", protocol));
            }
            break;
        case 0x95: // FRAME
            take(8);
            break;
        case '(':
            m_marks.push_back(m_stack.size());
            break;
        case '0':
            pop();
            break;
        case '1': // POP_MARK
            popToMark();
            break;
        case '2':
            push(copyOf(top()));
            break;
        case 'N':
            push(std::monostate());
            break;
        case 0x88:
        case 0x89:
            push(opcode == 0x88);
            break;
        case 'K':
            push(static_cast<std::int64_t>(number(1)));
            break;
        case 'M':
            push(static_cast<std::int64_t>(number(2)));
            break;
        case 'J':
            push(static_cast<std::int64_t>(static_cast<std::int32_t>(number(4))));
            break;
        case 0x8a: // LONG1
            pushLong(static_cast<std::size_t>(number(1)));
            break;
        case 0x8b: // LONG4
            pushLong(static_cast<std::size_t>(number(4)));
            break;
        case 'G':
            pushDouble();
            break;
        case 'X':
            push(text(number(4)));
            break;
        case 0x8c: // SHORT_BINUNICODE
        case 'U':
            push(text(number(1)));
            break;
        case 0x8d: // BINUNICODE8
            push(text(number(8)));
            break;
        case 'T':
            push(text(number(4)));
            break;
        case 'B':
            pushObject(ObjectKind::Bytes, {}, text(number(4)));
            break;
        case 'C':
            pushObject(ObjectKind::Bytes, {}, text(number(1)));
            break;
        case 0x8e: // BINBYTES8
        case 0x96: // BYTEARRAY8
            pushObject(ObjectKind::Bytes, {}, text(number(8)));
            break;
        default:
            executeComposite(opcode);
        }
    }

    void executeComposite(unsigned char opcode)
    {
        switch (opcode) {
        case ')':
            pushObject(ObjectKind::Tuple);
            break;
        case 't':
            pushObject(ObjectKind::Tuple, popToMark());
            break;
        case 0x85:
        case 0x86:
        case 0x87:
            pushTuple(static_cast<std::size_t>(opcode - 0x84));
            break;
        case ']':
            pushObject(ObjectKind::List);
            break;
        case 'l':
        case 0x91: // FROZENSET
            pushObject(ObjectKind::List, popToMark());
            break;
        case '}':
        case 0x8f: // EMPTY_SET
            pushObject(ObjectKind::Dictionary);
            break;
        case 'd':
            pushObject(ObjectKind::Dictionary, popToMark());
            break;
        case 'a': {
            PickleValue item = pop();
            append({std::move(item)});
            break;
        }
        case 'e':
        case 'u':
        case 0x90: // ADDITEMS
            append(popToMark());
            break;
        case 's': {
            PickleValue value = pop();
            PickleValue key = pop();
            append({std::move(key), std::move(value)});
            break;
        }
        default:
            executeCall(opcode);
        }
    }

    void executeCall(unsigned char opcode)
    {
        switch (opcode) {
        case 'c': {
            const std::string module = line();
            pushGlobal(module + " " + line());
            break;
        }
        case 0x93: { // STACK_GLOBAL
            const PickleValue name = pop();
            const PickleValue module = pop();
            const auto* first = std::get_if<std::string>(&module);
            const auto* second = std::get_if<std::string>(&name);
            if (first == nullptr || second == nullptr) {
                damaged("a name is not a text");
            }
            pushGlobal(*first + " " + *second);
            break;
        }
        case 'R':
        case 0x81: { // NEWOBJ
            PickleValue arguments = pop();
            PickleValue called = pop();
            pushObject(ObjectKind::Call, {std::move(called), std::move(arguments)});
            break;
        }
        case 0x92: { // NEWOBJ_EX
            pop();   // keyword arguments
            PickleValue arguments = pop();
            PickleValue called = pop();
            pushObject(ObjectKind::Call, {std::move(called), std::move(arguments)});
            break;
        }
        case 'b': {
            PickleValue state = pop();
            PickleObject& object = topObject();
            if (object.kind == ObjectKind::Call) {
                object.state = std::move(state);
            }
            break;
        }
        case 'Q':
            pushObject(ObjectKind::Persistent, {pop()});
            break;
        case 'q':
            remember(number(1));
            break;
        case 'r':
            remember(number(4));
            break;
        case 0x94: // MEMOIZE
            remember(m_memo.size());
            break;
        case 'h':
            recall(number(1));
            break;
        case 'j':
            recall(number(4));
            break;
        default:
            damaged(fmt::format("opcode 0x{:02x} is not supported", opcode));
        }
    }

    std::span<const std::byte> m_bytes;
    std::string_view m_name;
    std::size_t m_at = 0;
    std::size_t m_opcodeAt = 0;
    std::size_t m_copied = 0; ///< bytes of texts
    std::vector<PickleValue> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, PickleValue> m_memo;
    std::set<std::string> m_globals;
    Pickle m_pickle;
};

} // namespace

Pickle::~Pickle() // NOLINT(bugprone-exception-escape)
{
    for (const auto& object : objects) {
        object->items.clear();
        object->added.clear();
        object->state = std::monostate();
    }
}

Pickle readPickle(std::span<const std::byte> bytes, std::string_view name)
{
    return Machine(bytes, name).run();
}

const PickleObject* objectIn(const PickleValue& value)
{
    const auto* object = std::get_if<std::shared_ptr<PickleObject>>(&value);
    return object != nullptr ? object->get() : nullptr;
}

const PickleObject* objectIn(const PickleValue& value, PickleObject::Kind kind)
{
    const PickleObject* object = objectIn(value);
    return object != nullptr && object->kind == kind ? object : nullptr;
}

const PickleObject* argumentsOf(const PickleValue& value, std::string_view global)
{
    const PickleObject* call = objectIn(value, ObjectKind::Call);
    const PickleObject* called = call != nullptr ? objectIn(call->items[0], ObjectKind::Global) : nullptr;
    return called != nullptr && called->name == global ? objectIn(call->items[1], ObjectKind::Tuple) : nullptr;
}

PickleValue untagged(const PickleValue& value)
{
    const PickleObject* tagged = argumentsOf(value, "torch.jit._pickle restore_type_tag");
    return tagged != nullptr && !tagged->items.empty() ? tagged->items[0] : value;
}

std::vector<std::pair<PickleValue, PickleValue>> entriesOf(const PickleValue& value)
{
    std::vector<std::pair<PickleValue, PickleValue>> entries;
    const PickleObject* object = objectIn(value);
    if (object == nullptr || (object->kind != ObjectKind::Dictionary && object->kind != ObjectKind::Call)) {
        return entries;
    }
    const auto& items = object->kind == ObjectKind::Dictionary ? object->items : object->added;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        entries.emplace_back(items[i], items[i + 1]);
    }
    return entries;
}

} // namespace crosswalk::pytorch
