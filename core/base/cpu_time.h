#pragma once

namespace crosswalk {

/// CPU seconds that the calling thread has used.
double threadCpuSeconds();

} // namespace crosswalk
