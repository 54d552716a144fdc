// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/tensors_on_disk.h"

#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>

#include "base/files/mapped_file.h"

namespace lapidary {
namespace {

/// What a tensor on disk keeps alive. The file is closed before the folder is removed.
struct FileInFolder {
    std::shared_ptr<const ScratchFolder> folder;
    std::shared_ptr<const MappedFile> file;
};

constexpr std::size_t line_bytes = 64;  // that each tensor begins on

std::size_t padded(std::size_t bytes) { return (bytes + line_bytes - 1) / line_bytes * line_bytes; }

bool write_elements_to(const std::filesystem::path& path, std::initializer_list<Tensor*> weight) {
    static constexpr char zeros[line_bytes] = {};
    std::ofstream out(path, std::ios::binary);
    for (const Tensor* part : weight) {
        const std::size_t bytes = part->byte_size();
        if (bytes == 0) continue;
        out.write(static_cast<const char*>(part->raw()), static_cast<std::streamsize>(bytes));
        out.write(zeros, static_cast<std::streamsize>(padded(bytes) - bytes));
    }
    out.close();
    return out.good();
}

}  // namespace

TensorsOnDisk::TensorsOnDisk(std::uint64_t model_bytes, std::uint64_t from_bytes)
    : is_used_(model_bytes >= from_bytes) {}

void TensorsOnDisk::keep(std::initializer_list<Tensor*> weight) {
    std::size_t total = 0;
    for (const Tensor* part : weight) total += padded(part->byte_size());
    if (!is_used_ || total < map_from_bytes) return;
    std::filesystem::path path;
    try {
        if (!folder_) folder_ = std::make_shared<const ScratchFolder>();
        path = folder_->path() / ("weight-" + std::to_string(files_++));
        if (write_elements_to(path, weight)) {
            const auto file = MappedFile::open(path, MappedFile::Reading::in_passing);
            if (file->bytes().size() == total) {
                const auto owner =
                    std::make_shared<const FileInFolder>(FileInFolder{folder_, file});
                std::size_t at = 0;
                for (Tensor* part : weight) {
                    const std::size_t bytes = part->byte_size();
                    if (bytes == 0) continue;
                    // constants are never written to
                    void* const data = const_cast<std::byte*>(file->bytes().data() + at);
                    *part = Tensor::borrow(part->dtype(), part->shape(), data, owner);
                    at += padded(bytes);
                }
                return;
            }
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::io_failure) throw;
    }
    is_used_ = false;
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
}

}  // namespace lapidary
