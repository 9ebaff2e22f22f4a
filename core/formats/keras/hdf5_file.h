#pragma once

#include "core/base/source_file.h"
#include "core/graph/tensor.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crosswalk::keras {

/// An HDF5 file that is not trusted. Objects are named by paths from the root ("model_weights/dense"), of which every
/// step must be a hard link, so that no link leads to another file or in a circle; content that lies in other files is
/// refused. Sizes are checked against the file before anything is read. Everything throws ModelError "damaged",
/// "truncated" or "unsupported-file" for what the file says wrong. One call at a time.
///
/// The reader is our own: libhdf5 does not expect files that are damaged on purpose, or by accident, and ends the
/// process for some of them. It reads what Keras, h5py and h5repack write for weights: groups and attributes of every
/// form, and numbers that are compact, contiguous or in chunks, with deflate, shuffle, Fletcher's checksum,
/// scale-offset and LZF.
class Hdf5File {
public:
    /// Whether the bytes have HDF5's signature, at the beginning or behind a user block.
    static bool matches(std::span<const std::byte> bytes);

    explicit Hdf5File(std::shared_ptr<const SourceFile> file);
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;
    ~Hdf5File();

    bool contains(const std::string& path) const; ///< a group or a dataset
    bool isDataset(const std::string& path) const;
    /// Names in a group, in alphabetical order.
    std::vector<std::string> members(const std::string& group) const;

    /// An attribute that is one text; nothing if the object has none of that name.
    std::optional<std::string> text(const std::string& object, const std::string& attribute) const;
    /// An attribute that is a list of texts. One that was too long for HDF5 is in pieces, NAME0, NAME1 and so on.
    std::optional<std::vector<std::string>> texts(const std::string& object, const std::string& attribute) const;

    /// A dataset of numbers: mapped where the file has them as they are needed, else read.
    Tensor tensor(const std::string& path) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace crosswalk::keras
