#include "core/onnx/read_ahead.h"

#include <algorithm>
#include <array>
#include <exception>
#include <system_error>

namespace crosswalk {
namespace {

constexpr std::uint64_t worthAThread = 16U << 20U; ///< bytes
/// The pages of as many tensors stay mapped before they are written.
constexpr std::ptrdiff_t tensorsAhead = 2;

std::uint64_t totalBytes(const std::vector<const Tensor*>& tensors)
{
    std::uint64_t bytes = 0;
    for (const Tensor* tensor : tensors) {
        bytes += tensor->bytes();
    }
    return bytes;
}

} // namespace

ReadAhead::ReadAhead(std::vector<const Tensor*> tensors)
    : m_tensors(std::move(tensors))
    , m_allowed(tensorsAhead)
{
    if (totalBytes(m_tensors) < worthAThread) {
        return;
    }
    try {
        m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
    } catch (const std::system_error&) {
        // Without a further thread, the same takes longer.
    }
}

ReadAhead::~ReadAhead()
{
    m_thread.request_stop();
    m_allowed.release();
}

void ReadAhead::advance()
{
    m_allowed.release();
}

void ReadAhead::run(const std::stop_token& stop)
{
    for (const Tensor* tensor : m_tensors) {
        m_allowed.acquire();
        if (stop.stop_requested()) {
            return;
        }
        try {
            std::array<std::byte, 1> first{};
            for (const Tensor::Piece& piece : tensor->pieces()) {
                if (piece.size > 0) {
                    piece.source->read(piece.offset, first);
                }
            }
        } catch (const std::exception&) {
            return; // the thread that writes the tensor meets the same problem, and reports it
        }
    }
}

} // namespace crosswalk
