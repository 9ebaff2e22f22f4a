#pragma once

#include "core/graph/tensor.h"

#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

namespace crosswalk {

/// Reads the first bytes of tensors in a second thread while the first one writes the tensors before them. Members of
/// archives verify the checksum of all their bytes then, which takes as long as writing them.
class ReadAhead {
public:
    /// The tensors in the order in which they will be written; they must outlive this object. Small models are not
    /// worth a thread.
    explicit ReadAhead(std::vector<const Tensor*> tensors);
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// The next tensor is about to be written.
    void advance();

private:
    void run(const std::stop_token& stop);

    std::vector<const Tensor*> m_tensors;
    std::counting_semaphore<> m_allowed;
    std::jthread m_thread;
};

} // namespace crosswalk
