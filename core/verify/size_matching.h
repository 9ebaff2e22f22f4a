#pragma once

#include "core/onnx/time_axes.h"
#include "core/verify/runtime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk {

/// Input sizes at which an edited model and its original run on the same inputs. An axis that was fixed in the original
/// and is now symbolic, or a multiple, takes several of the original's batches at once.
class SizeMatching {
public:
    /// `originals` maps names of edited inputs to the original's names; `timeAxes` are axes of the original's inputs
    /// that are not batch axes. Throws ModelError "other-size" if no size is valid for both models.
    SizeMatching(const std::vector<RuntimeSession::Port>& original, const std::vector<RuntimeSession::Port>& edited,
                 const std::map<std::string, std::string>& originals, TimeAxes timeAxes);

    /// Sets the shapes of the original's inputs, by name. Throws ModelError "usage" if there is no such input, or if it
    /// cannot have that shape.
    void setShapes(const std::map<std::string, Shape, std::less<>>& shapes,
                   const std::vector<RuntimeSession::Port>& original);

    /// Dimensions of an input of the original. A dimension that neither model fixes is `freeSize`, or 2 for a batch
    /// axis.
    std::vector<std::int64_t> original(const RuntimeSession::Port& port, std::int64_t freeSize) const;
    /// The axis along which an input of the original is repeated.
    std::optional<std::size_t> openedAxis(const std::string& original) const;
    bool isOpened(const std::string& original) const { return openedAxis(original).has_value(); }
    bool isAnyOpened() const { return !m_opened.empty(); }
    /// Number of batches at once, for each run.
    const std::vector<std::int64_t>& times() const { return m_times; }
    /// Why there is only one run although dimensions are symbolic; may be empty.
    const std::string& limit() const { return m_limit.empty() && m_opened.empty() ? m_held : m_limit; }
    /// The symbolic axis that keeps the original's size in all runs; may be empty.
    const std::string& held() const { return m_held; }

private:
    void pair(const RuntimeSession::Port& original, const RuntimeSession::Port& edited);
    void open(const std::string& input, const std::vector<std::size_t>& axes, const Shape& now);
    bool canBeBatchAxis(const std::string& input, std::size_t axis, std::size_t rank) const;

    std::map<std::string, std::int64_t> m_sizes; ///< by symbol of the original: fixed by the edit, or 2 for batches
    std::map<std::string, std::map<std::size_t, std::int64_t>>
        m_given; ///< by input and axis: fixed by the edit or the user
    std::map<std::string, std::size_t> m_opened;
    std::vector<std::int64_t> m_times{1};
    TimeAxes m_timeAxes;
    std::string m_limit;
    std::string m_held;
    std::string m_symbol;     ///< of the opened axes
    std::int64_t m_fixed = 0; ///< number of batches, if the edit fixes it
};

} // namespace crosswalk
