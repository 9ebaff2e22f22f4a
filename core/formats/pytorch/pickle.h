#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace crosswalk::pytorch {

struct PickleObject;
/// A value of a pickle. Lists, dictionaries and objects can refer to themselves, so they are shared.
using PickleValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<PickleObject>>;

/// A composite value.
struct PickleObject {
    enum class Kind : std::uint8_t {
        Tuple,      ///< items
        List,       ///< items
        Dictionary, ///< items: keys and values in turn
        Global,     ///< name: "collections OrderedDict", not resolved
        Call,       ///< items: the called object and its arguments, a tuple; also of NEWOBJ
        Persistent, ///< items: one, the identifier of a storage
        Bytes,      ///< name: the bytes
    };
    Kind kind = Kind::Tuple;
    std::string name = {};
    std::vector<PickleValue> items = {};
    PickleValue state = {};              ///< what BUILD gave to a Call
    std::vector<PickleValue> added = {}; ///< keys and values that were set on a Call, such as those of an OrderedDict
};

/// The values of pickles of protocols 2 to 4, as data: names are never resolved, and nothing is called.
struct Pickle {
    PickleValue root;
    std::vector<std::string> globals; ///< every name that the pickle would import, sorted, each once
    std::size_t size = 0;             ///< bytes up to and including STOP
    /// All objects, which are released from here, because they can refer to each other.
    std::vector<std::shared_ptr<PickleObject>> objects;

    Pickle() = default;
    Pickle(Pickle&&) = default;
    Pickle& operator=(Pickle&&) = default;
    ~Pickle(); // NOLINT(bugprone-exception-escape): clearing does not throw
};

/// Throws ModelError "damaged" and "truncated", with the offset, and for an opcode outside the subset that PyTorch
/// writes.
Pickle readPickle(std::span<const std::byte> bytes, std::string_view name);

/// The composite value; null for any other.
const PickleObject* objectIn(const PickleValue& value);
/// The same if it is of a kind.
const PickleObject* objectIn(const PickleValue& value, PickleObject::Kind kind);
/// The arguments of a call of a global, "torch._utils _rebuild_tensor_v2"; null for any other value.
const PickleObject* argumentsOf(const PickleValue& value, std::string_view global);
/// The value without the type that a program of TorchScript states for it, "Dict[str, bool]".
PickleValue untagged(const PickleValue& value);
/// Key and value pairs of a dictionary or of an OrderedDict.
std::vector<std::pair<PickleValue, PickleValue>> entriesOf(const PickleValue& value);

} // namespace crosswalk::pytorch
