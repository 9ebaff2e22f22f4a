#pragma once

#include <hdf5.h>

namespace crosswalk::keras {

/// The number of h5py's own filter, LZF, which HDF5 does not have.
inline constexpr H5Z_filter_t lzfFilter = 32000;

/// Makes the library decompress datasets by LZF. May be called again.
void registerLzf();

} // namespace crosswalk::keras
