#pragma once

#include "core/formats/pytorch/torchscript/script_tree.h"
#include "core/graph/ids.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace crosswalk::pytorch {

/// A value of a graph that is being built: of the model's at level 0, of a body inside it at level 1, and so on.
struct GraphValue {
    std::uint32_t level = 0;
    ValueId id = {};
    friend bool operator==(const GraphValue&, const GraphValue&) = default;
};

enum class NumberKind : std::uint8_t { Int, Float, Bool };

/// A number of Python that the model computes: int64, float64 or bool, of rank 0.
struct ComputedNumber {
    NumberKind kind = NumberKind::Int;
    GraphValue value = {};
    friend bool operator==(const ComputedNumber&, const ComputedNumber&) = default;
};

/// A list of numbers whose length the program does not determine: a vector.
struct ComputedList {
    NumberKind kind = NumberKind::Int;
    GraphValue value = {};
    friend bool operator==(const ComputedList&, const ComputedList&) = default;
};

/// A text that differs between two branches, or contains a number that is computed. Its content is not known.
struct ComputedText {
    /// A number of the graph: the length, or one that is positive where the text is not empty. Nothing if it never is.
    std::optional<GraphValue> length = {};
    bool isExact = false;   ///< `length` is the length
    std::string shown = {}; ///< for messages, with "..." in place of unknown parts; may be empty
    friend bool operator==(const ComputedText&, const ComputedText&) = default;
};

/// The length of a text of which only that is known: a number that is positive where the length is, or nothing if it
/// always is.
struct TextLength {
    std::optional<GraphValue> sign = {};
    friend bool operator==(const TextLength&, const TextLength&) = default;
};

/// References to cells of the heap. Two variables can refer to one.
template <class Tag>
struct HeapRef {
    std::uint32_t index = 0;
    friend bool operator==(const HeapRef&, const HeapRef&) = default;
};
using TensorRef = HeapRef<struct TensorTag>;
using ListRef = HeapRef<struct ListTag>;
using DictRef = HeapRef<struct DictTag>;
using ObjectRef = HeapRef<struct ObjectTag>;

struct TupleValue;
struct TensorParts;
struct OptionalValue;
struct PossibleItem;

/// A value that no branch assigned, or that differs in a way that a graph cannot represent; `reason` is for the message
/// when it is read.
struct UndefinedValue {
    std::string reason;
    friend bool operator==(const UndefinedValue&, const UndefinedValue&) = default;
};

/// The reason of uninitialized(type), which the program never reads.
constexpr std::string_view notAssigned = "it is not assigned";

/// A function, or a class of the program, by its qualified name.
struct CodeName {
    std::string name;
    friend bool operator==(const CodeName&, const CodeName&) = default;
};

/// A value during the execution of a program. Structures and constants exist here alone; tensors and computed numbers
/// are values of the graph.
using ScriptValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, ComputedNumber, ComputedList, ComputedText,
                 TextLength, TensorRef, ListRef, DictRef, ObjectRef, std::shared_ptr<const TupleValue>,
                 std::shared_ptr<const TensorParts>, std::shared_ptr<const OptionalValue>,
                 std::shared_ptr<const PossibleItem>, CodeName, UndefinedValue>;

struct TupleValue {
    std::vector<ScriptValue> items;
    std::vector<std::string> fields = {}; ///< of a NamedTuple
};

/// A list of parts of a tensor whose number the program does not determine.
struct TensorParts {
    enum class Kind : std::uint8_t {
        Unbind, ///< its slices along an axis
        Split,  ///< pieces of a size along an axis
        Chunk,  ///< as many equal pieces along an axis
        Sizes,  ///< its sizes: a list of integers
    };
    Kind kind = Kind::Unbind;
    TensorRef tensor;
    ScriptValue count = {}; ///< the size of a piece, or the number of pieces
    ScriptValue axis = std::int64_t{0};
};

/// A value that is None unless a condition of the model is true.
struct OptionalValue {
    GraphValue isPresent; ///< bool
    ScriptValue value;
};

/// An item of a list that is absent unless a condition of the model is true.
struct PossibleItem {
    GraphValue isPresent; ///< bool
    ScriptValue value;
};

using ScriptArguments = std::vector<std::pair<std::string, ScriptValue>>; ///< keyword arguments, by name

/// How a view is computed from the tensor whose memory it shares.
struct TensorView {
    std::string op;                     ///< "aten::select"
    std::vector<ScriptValue> arguments; ///< after the tensor
    ScriptArguments named = {};
    std::uint32_t output = 0; ///< of an operator with several
    std::uint32_t outputs = 1;
};

/// What is known of a tensor's strides. Writes do not change them.
enum class ElementOrder : std::uint8_t {
    Unknown,
    Contiguous, ///< is_contiguous(): those of axes of size 1, or of a tensor without elements, may be any
    RowMajor,   ///< those of a new tensor
};

struct TensorCell {
    GraphValue value = {};
    std::string name = {};                       ///< for messages
    std::optional<std::uint32_t> base = {};      ///< the tensor that it is a view of
    std::shared_ptr<const TensorView> view = {}; ///< how; null for the same tensor
    std::uint32_t depth = 0;                     ///< of views: 1 for a view of a tensor that is none
    std::uint32_t version = 0;                   ///< number of writes; of a view, the last that `value` contains
    std::shared_ptr<const std::set<std::uint32_t>> mayShare = {}; ///< bases whose memory it may share
    std::optional<std::uint32_t> aliasOf = {};                    ///< the tensor that it is, or may be, itself
    std::optional<std::size_t> rank = {};                         ///< if it is known
    ElementOrder order = ElementOrder::Unknown;
    bool isStored = false;    ///< in the archive: its storage may begin before it
    bool isNumber = false;    ///< a stored tensor that may be a number of Python in a trace
    bool isStale = false;     ///< something that may share its memory was written
    bool wasReshaped = false; ///< the shape of an alias was changed in place
};

struct ListCell {
    std::vector<ScriptValue> items = {};
    /// Items that a loop appended, after the others: parts of a tensor along axis 0.
    std::optional<TensorRef> stacked = {};
    std::optional<NumberKind> stackedNumbers = {}; ///< their kind, if they are numbers
    bool onlyAppends = false;                      ///< in a loop that appends to it: must not be read
    std::set<std::uint32_t> mayBe = {};            ///< lists that it is if a branch was taken
    bool isStale = false;                          ///< a list that it may be was changed: must not be read
};

struct DictCell {
    std::vector<std::pair<ScriptValue, ScriptValue>> entries = {}; ///< in the order of insertion
};

struct ObjectCell {
    std::string type; ///< qualified name of the class
    std::string path; ///< in the hierarchy of modules, "layer1.0.conv"
    std::map<std::string, ScriptValue, std::less<>> attributes = {};
};

/// Everything that a program can change. Deques: a reference to a cell stays valid while others are added.
struct ScriptHeap {
    std::deque<TensorCell> tensors;
    std::deque<ListCell> lists;
    std::set<std::uint32_t> possibleAliases = {}; ///< the lists with `mayBe`
    std::deque<DictCell> dicts;
    std::vector<std::shared_ptr<const ObjectCell>> objects; ///< replaced, not changed: most never change

    template <class Tag>
    static HeapRef<Tag> added(auto& cells, auto cell)
    {
        cells.push_back(std::move(cell));
        return {static_cast<std::uint32_t>(cells.size() - 1)};
    }
    TensorRef add(TensorCell cell) { return added<TensorTag>(tensors, std::move(cell)); }
    ListRef add(ListCell cell) { return added<ListTag>(lists, std::move(cell)); }
    DictRef add(DictCell cell) { return added<DictTag>(dicts, std::move(cell)); }
    ObjectRef add(ObjectCell cell)
    {
        return added<ObjectTag>(objects, std::make_shared<const ObjectCell>(std::move(cell)));
    }
};

inline ScriptValue tupleOf(std::vector<ScriptValue> items, std::vector<std::string> fields = {})
{
    return std::make_shared<const TupleValue>(TupleValue{std::move(items), std::move(fields)});
}

inline bool isNone(const ScriptValue& value)
{
    return std::holds_alternative<std::monostate>(value);
}

inline bool isText(const ScriptValue& value)
{
    return std::holds_alternative<std::string>(value) || std::holds_alternative<ComputedText>(value);
}

/// str() of an integer, a truth or a text; a ComputedText for other values.
ScriptValue asText(const ScriptValue& value);
/// A number that is positive where a length of a text is: the length itself if it is known.
ScriptValue signOf(const ScriptValue& length);
/// "Tensor", "int", "List" for messages.
std::string_view kindName(const ScriptValue& value);
/// The kind of a constant or computed number; nothing for any other value.
std::optional<NumberKind> numberKindOf(const ScriptValue& value);

} // namespace crosswalk::pytorch
