// SPDX-License-Identifier: Apache-2.0
#include "base/files/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>

#include "base/files/input_protection.h"

namespace lapidary {
namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

[[noreturn]] void fail_mapping(const std::filesystem::path& path, const std::string& what) {
    fail(ErrorCode::io_failure, quote(path.string(), 4096) + " " + what);
}

std::string reason(int error) { return std::strerror(error); }

const char* kind_of_file(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO (named pipe)";
    if (S_ISCHR(mode)) return "a character device";
    if (S_ISBLK(mode)) return "a block device";
    if (S_ISSOCK(mode)) return "a socket";
    return "of an unknown kind";
}

void require_regular(const struct stat& info, const std::filesystem::path& path) {
    if (!S_ISREG(info.st_mode))
        fail_mapping(path,
                     std::string("is ") + kind_of_file(info.st_mode) + ", expected a regular file");
}

std::int64_t modified_ns_of(const struct stat& info) {
    return static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path,
                                                   Reading reading) {
    if (reading == Reading::input) require_readable(path);
    // Checked by name first, because opening a device can have side effects.
    struct stat info;
    if (::stat(path.c_str(), &info) != 0) fail_mapping(path, "cannot be opened: " + reason(errno));
    require_regular(info, path);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) fail_mapping(path, "cannot be opened: " + reason(errno));
    return adopt(descriptor, path, reading);
}

std::shared_ptr<const MappedFile> MappedFile::adopt(NativeFile opened,
                                                    const std::filesystem::path& path,
                                                    Reading reading) {
    const int number = static_cast<int>(opened);
    const Descriptor descriptor(number);
    struct stat info;
    if (::fstat(number, &info) != 0) fail_mapping(path, "cannot be examined: " + reason(errno));
    require_regular(info, path);
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->size_ = static_cast<std::size_t>(info.st_size);
    file->identity_ = {std::filesystem::absolute(path), info.st_dev, info.st_ino, file->size_,
                       modified_ns_of(info)};
    file->links_ = info.st_nlink;
    if (reading == Reading::input) note_input_file(file->identity_);
    if (file->size_ < map_from_bytes) {
        file->read_all(number);
        return file;
    }
    void* mapping = ::mmap(nullptr, file->size_, PROT_READ, MAP_PRIVATE, number, 0);
    if (mapping == MAP_FAILED) fail_mapping(path, "cannot be mapped: " + reason(errno));
    file->mapping_ = mapping;
    file->guard_ = std::make_unique<MappingGuard>(mapping, file->size_);
    file->data_ = static_cast<const std::byte*>(mapping);
    file->entry_ = std::make_unique<HeldFileEntry>(HeldFile{file->bytes(), true, file->identity_});
    return file;
}

void MappedFile::read_all(NativeFile opened) {
    const int descriptor = static_cast<int>(opened);
    copy_.resize(size_);
    std::size_t done = 0;
    while (done < size_) {
        const ssize_t got =
            ::pread(descriptor, copy_.data() + done, size_ - done, static_cast<off_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            fail_mapping(path(),
                         "cannot be read at byte " + std::to_string(done) + ": " + reason(errno));
        if (got == 0)
            fail_mapping(path(), "changed while it was read: it ends at byte " +
                                     std::to_string(done) + ", expected " + std::to_string(size_));
        done += static_cast<std::size_t>(got);
    }
    data_ = copy_.data();
    entry_ = std::make_unique<HeldFileEntry>(HeldFile{bytes(), false, identity_});
}

MappedFile::~MappedFile() {
    entry_.reset();
    guard_.reset();
    if (mapping_ != nullptr) ::munmap(mapping_, size_);
}

bool MappedFile::is_unchanged() const {
    return !(guard_ && guard_->is_damaged()) && identity_.is_unchanged();
}

std::optional<FileIdentity> FileIdentity::at(const std::filesystem::path& path) {
    struct stat info;
    if (path.empty() || ::stat(path.c_str(), &info) != 0) return std::nullopt;
    return FileIdentity{path, info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size),
                        modified_ns_of(info)};
}

bool FileIdentity::is_unchanged() const { return at(path) == *this; }

}  // namespace lapidary
