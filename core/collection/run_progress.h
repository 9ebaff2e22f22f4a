#pragma once

#include "core/collection/model_outcome.h"

#include <cstddef>
#include <optional>

namespace crosswalk {

/// How far a run over a collection is.
class RunProgress {
public:
    explicit RunProgress(std::size_t models)
        : m_models(models)
    {
    }

    /// `reused`: an earlier run finished the model.
    void add(const ModelOutcome& outcome, bool reused);

    std::size_t models() const { return m_models; }
    std::size_t finished() const { return m_finished; }
    std::size_t converted() const { return m_converted; }
    bool isDone() const { return m_finished == m_models; }
    /// Estimated from the models that this run finished in `elapsed` seconds. Nothing before the first of them and
    /// after the last model.
    std::optional<double> secondsLeft(double elapsed) const;

private:
    std::size_t m_models;
    std::size_t m_finished = 0;
    std::size_t m_reused = 0;
    std::size_t m_converted = 0;
};

} // namespace crosswalk
