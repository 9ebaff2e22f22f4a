#pragma once

namespace crosswalk {

/// Whether this program is built with a sanitizer that maps terabytes for its shadow memory, which the kernel counts as
/// data (RLIMIT_DATA) although few of its pages are ever used: under any limit of memory such a program ends before
/// main.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool hasShadowMemory = true;
#elif defined(__has_feature) // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool hasShadowMemory = true;
#else
inline constexpr bool hasShadowMemory = false;
#endif
#else
inline constexpr bool hasShadowMemory = false;
#endif

} // namespace crosswalk
