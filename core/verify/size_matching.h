#pragma once

#include "core/onnx/time_axes.h"
#include "core/verify/runtime.h"

#include <map>
#include <optional>

namespace crosswalk {

/// Sizes at which an edited model and the one that it was made from run on the same inputs. An axis that was fixed in
/// the original and is free or a multiple now takes several of the original's batches at once.
class SizeMatching {
public:
    /// `originals` gives the original's name of an edited input; `timeAxes` are axes of the original's inputs that
    /// count no batches. Throws ModelError "other-size" where no size fits both.
    SizeMatching(const std::vector<RuntimeSession::Port>& original, const std::vector<RuntimeSession::Port>& edited,
                 const std::map<std::string, std::string>& originals, TimeAxes timeAxes);

    /// Sizes that the user wants inputs of the original to have, by name. Throws ModelError "usage" where there is no
    /// such input, or it has no such size.
    void want(const std::map<std::string, Shape, std::less<>>& shapes,
              const std::vector<RuntimeSession::Port>& original);

    /// What an input of the original is given: `freeSize` where neither model says it (2 where that counts batches).
    std::vector<std::int64_t> original(const RuntimeSession::Port& port, std::int64_t freeSize) const;
    /// The axis along which an input of the original is repeated.
    std::optional<std::size_t> openedAxis(const std::string& original) const;
    bool isOpened(const std::string& original) const { return openedAxis(original).has_value(); }
    /// How many batches are run at once, one run each.
    const std::vector<std::int64_t>& times() const { return m_times; }
    /// Why there is one run only although sizes were opened; empty where there is nothing to say.
    const std::string& limit() const { return m_limit.empty() && m_opened.empty() ? m_held : m_limit; }
    /// What was opened and keeps the original's size in all runs; empty where there is nothing.
    const std::string& held() const { return m_held; }

private:
    void pair(const RuntimeSession::Port& original, const RuntimeSession::Port& edited);
    void open(const std::string& input, const std::vector<std::size_t>& axes, const Shape& now);
    bool canCountBatches(const std::string& input, std::size_t axis, std::size_t rank) const;

    std::map<std::string, std::int64_t>
        m_sizes; ///< of symbols of the original: where the edit says them, 2 for batches
    std::map<std::string, std::map<std::size_t, std::int64_t>>
        m_given; ///< by input: sizes that the edit says, or the user
    std::map<std::string, std::size_t> m_opened;
    std::vector<std::int64_t> m_times{1};
    TimeAxes m_timeAxes;
    std::string m_limit;
    std::string m_held;
    std::string m_symbol;     ///< of the axes that are opened
    std::int64_t m_fixed = 0; ///< where the edit says how many batches
};

} // namespace crosswalk
