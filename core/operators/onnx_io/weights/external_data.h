// SPDX-License-Identifier: Apache-2.0
// Opens all weights that are kept beside a model file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/tensor/tensor.h>

#include "base/files/folder_handle.h"
#include "base/files/mapped_file.h"
#include "onnx_io/read/warning_list.h"

namespace lapidary::onnx_io {

/// Opens files beneath one folder or the folder of the model file that a link leads to, never
/// outside of them, never anything but a regular file; each file once. A symbolic link is followed
/// where what it leads to lies beneath one of the two: caches keep models and weights side by side
/// and link to both. What is then opened is opened beneath that folder without links, whatever
/// becomes of the link meanwhile.
class ExternalData {
public:
    /// An empty folder: external data is refused. `model` is the open model file; null where there
    /// is none.
    ExternalData(const std::filesystem::path& folder, std::shared_ptr<const MappedFile> model,
                 const Limits& limits, WarningList& warnings);
    ExternalData(const ExternalData&) = delete;
    ExternalData& operator=(const ExternalData&) = delete;

    struct Range {
        std::span<const std::byte> bytes;
        std::shared_ptr<const MappedFile> file;  // keeps them alive; null: copy them
    };
    /// For formats whose entries have no location: from now on they name bytes of the model file
    /// itself. `file` keeps them alive; null where the model is read from memory.
    void lie_within(std::span<const std::byte> bytes, std::shared_ptr<const MappedFile> file);
    /// The bytes that TensorProto.external_data (`entries`) names for tensor `name`; exactly
    /// `expected_bytes` long. Throws with the tensor's name, the location and the numbers.
    Range find(const std::string& name,
               const std::vector<std::pair<std::string, std::string>>& entries,
               std::uint64_t expected_bytes);

    std::uint64_t total_bytes() const { return total_bytes_; }
    std::vector<std::filesystem::path> paths() const;
    /// Throws io_failure when a file no longer is what was opened.
    void require_unchanged() const;

private:
    Range find_within(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& entries,
                      std::uint64_t expected_bytes) const;
    std::shared_ptr<const MappedFile> open(const std::string& name, const std::string& location);
    /// The file that the links at `location` lead to; null where it lies outside, with the reason.
    std::shared_ptr<const MappedFile> open_linked(const std::string& name,
                                                  const std::string& location,
                                                  OpenFailure& failure) const;
    /// Folders without links in their paths: beneath them links may lead.
    std::vector<std::filesystem::path> real_folders() const;

    std::filesystem::path folder_;
    std::shared_ptr<const MappedFile> model_;
    FolderHandle opened_folder_;
    const Limits& limits_;
    WarningList& warnings_;
    std::map<std::string, std::shared_ptr<const MappedFile>> files_;  // by location
    std::map<std::string, std::string> checksums_;                    // computed, by location
    std::uint64_t total_bytes_ = 0;
    bool is_within_ = false;
    Range within_;
};

}  // namespace lapidary::onnx_io
