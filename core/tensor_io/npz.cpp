// SPDX-License-Identifier: Apache-2.0
// NumPy .npz archives: ZIP files of .npy members. The one door to libzip. Nothing is ever unpacked to disk.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <zip.h>

#include <lapidary/error.h>
#include <lapidary/tensor_file.h>

#include "base/atomic_file.h"
#include "base/available_memory.h"
#include "base/mapped_file.h"

namespace lapidary {
namespace {

constexpr std::int64_t max_members = 100'000;
constexpr std::string_view suffix = ".npy";

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using ArchivePtr = std::unique_ptr<zip_t, Discard>;
using MemberPtr = std::unique_ptr<zip_file_t, Discard>;
using SourcePtr = std::unique_ptr<zip_source_t, Discard>;

class ZipStatus {
public:
    ZipStatus() { zip_error_init(&error_); }
    ZipStatus(const ZipStatus&) = delete;
    ZipStatus& operator=(const ZipStatus&) = delete;
    ~ZipStatus() { zip_error_fini(&error_); }
    zip_error_t* get() { return &error_; }
    std::string text() {
        if (zip_error_code_zip(&error_) == ZIP_ER_EXISTS) return "two of its members have the same name";
        return zip_error_strerror(&error_);
    }

private:
    zip_error_t error_;
};

ArchivePtr open_archive(std::span<const std::byte> bytes) {
    if (bytes.empty()) fail_input("the .npz file is empty");
    ZipStatus status;
    SourcePtr source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, status.get()));
    if (!source) fail(ErrorCode::io_failure, "cannot read the archive: " + status.text());
    ArchivePtr archive(zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, status.get()));
    if (!archive) fail_input("not a valid .npz archive: " + status.text());
    source.release();  // owned by the archive now
    return archive;
}

/// The tensor name of a member. Members are only ever held in memory, so "/layer/Add_output_0" is fine;
/// names that climb out of a folder are a sign of a forged file.
std::string tensor_name(std::string_view member) {
    if (member.size() <= suffix.size() || !member.ends_with(suffix))
        fail_input("the archive member " + quote(member) + " is not a .npy array");
    for (std::size_t begin = 0; begin <= member.size();) {
        const std::size_t end = std::min(member.find_first_of("/\\", begin), member.size());
        if (member.substr(begin, end - begin) == "..")
            fail_input("the archive member " + quote(member) + " has a name that leaves the archive");
        begin = end + 1;
    }
    return std::string(member.substr(0, member.size() - suffix.size()));
}

/// The unpacked member. Memory grows with what was really unpacked, never with a claimed size alone.
std::vector<std::byte> unpack(zip_t* archive, zip_uint64_t index, std::uint64_t size) {
    MemberPtr member(zip_fopen_index(archive, index, 0));
    if (!member) fail_input(std::string("the archive member cannot be read: ") + zip_strerror(archive));
    std::vector<std::byte> bytes;
    constexpr std::uint64_t chunk = 16u << 20;
    for (;;) {
        const std::size_t have = bytes.size();
        const std::uint64_t want =
            std::min<std::uint64_t>(size - have, std::max<std::uint64_t>(chunk, have)) + (size == have);
        bytes.resize(have + want);
        const zip_int64_t got = zip_fread(member.get(), bytes.data() + have, want);
        if (got < 0)
            fail_input(std::string("the archive member is damaged: ") +
                       zip_error_strerror(zip_file_get_error(member.get())));
        bytes.resize(have + static_cast<std::size_t>(got));
        if (bytes.size() > size)
            fail_input("the archive member is longer than the " + std::to_string(size) + " bytes it announces");
        if (got == 0) break;
    }
    if (bytes.size() != size)
        fail_input("the archive member announces " + std::to_string(size) + " bytes and has " +
                   std::to_string(bytes.size()));
    return bytes;
}

struct Member {
    zip_uint64_t index = 0;
    std::string name;
    std::uint64_t size = 0;
};

std::vector<Member> checked_members(zip_t* archive, const Limits& limits) {
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    if (count > max_members)
        fail_limit("the archive has " + std::to_string(count) + " members, the limit is " +
                   std::to_string(max_members));
    std::vector<Member> members;
    std::set<std::string> names;
    std::uint64_t total = 0;
    const std::uint64_t most = std::min(limits.archive_bytes, available_memory());
    for (zip_int64_t i = 0; i < count; ++i) {
        zip_stat_t info;
        const auto index = static_cast<zip_uint64_t>(i);
        constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &info) != 0 || (info.valid & needed) != needed)
            fail_input("the directory of the archive is damaged at member " + std::to_string(i));
        Member member{index, tensor_name(info.name), info.size};
        if (!names.insert(member.name).second) fail_input("the archive holds " + quote(info.name) + " twice");
        if (info.encryption_method != ZIP_EM_NONE)
            fail_unsupported("the archive member " + quote(info.name) + " is encrypted");
        // By what it takes, not by its ratio to what is packed: numpy.savez_compressed reaches 1030 : 1 with good
        // archives.
        if (info.size > most || total > most - info.size)
            fail_limit("the archive unpacks to more than " + std::to_string(most) + " bytes, " +
                       (most < limits.archive_bytes ? "which is the memory available" : "the limit for an archive"));
        total += info.size;
        members.push_back(std::move(member));
    }
    return members;
}

}  // namespace

NamedValues load_npz(const std::filesystem::path& path, const Limits& limits) {
    const auto file = MappedFile::open(path);
    std::string place;
    try {
        const ArchivePtr archive = open_archive(file->bytes());
        NamedValues values;
        for (const Member& member : checked_members(archive.get(), limits)) {
            place = "array " + quote(member.name);
            values.emplace_back(member.name, parse_npy(unpack(archive.get(), member.index, member.size), limits));
            place.clear();
        }
        return values;
    } catch (Error& error) {
        if (!place.empty()) error.at(place);
        error.at(path.string());
        throw;
    }
}

void save_npz(const std::filesystem::path& path, const NamedValues& values) {
    ZipStatus status;
    SourcePtr output(zip_source_buffer_create(nullptr, 0, 0, status.get()));
    if (!output) fail(ErrorCode::io_failure, "cannot start the archive: " + status.text());
    ArchivePtr archive(zip_open_from_source(output.get(), ZIP_TRUNCATE, status.get()));
    if (!archive) fail(ErrorCode::io_failure, "cannot start the archive: " + status.text());
    zip_source_keep(output.get());  // one reference for the archive, one to read the result from
    std::set<std::string_view> names;
    std::vector<std::string> contents;  // must outlive zip_close()
    contents.reserve(values.size());
    for (const auto& [name, value] : values) {
        if (!names.insert(name).second) fail_input("two arrays are called " + quote(name));
        if (!value.is_tensor()) fail_unsupported("array " + quote(name) + " is no tensor but " + value.describe());
        const std::string& bytes = contents.emplace_back(format_npy(value.tensor()));
        SourcePtr member(zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0));
        const zip_int64_t index =
            member ? zip_file_add(archive.get(), (name + std::string(suffix)).c_str(), member.get(), ZIP_FL_ENC_UTF_8)
                   : -1;
        if (index < 0)
            fail(ErrorCode::io_failure, "cannot store array " + quote(name) + ": " + zip_strerror(archive.get()));
        member.release();
        zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
        zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, 0x21,
                             0);  // 1980-01-01: same bytes each time
    }
    if (zip_close(archive.get()) != 0)
        fail(ErrorCode::io_failure, std::string("cannot write the archive: ") + zip_strerror(archive.get()));
    archive.release();

    AtomicFile file(path);
    if (zip_source_open(output.get()) != 0) {
        // An archive without members has no bytes: write the empty directory that ZIP prescribes.
        if (!values.empty()) fail(ErrorCode::io_failure, "cannot read the archive back from memory");
        file.write(std::string_view("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22));
    } else {
        std::vector<std::byte> chunk(1u << 20);
        for (;;) {
            const zip_int64_t got = zip_source_read(output.get(), chunk.data(), chunk.size());
            if (got < 0) fail(ErrorCode::io_failure, "cannot read the archive back from memory");
            if (got == 0) break;
            file.write(std::span<const std::byte>(chunk.data(), static_cast<std::size_t>(got)));
        }
        zip_source_close(output.get());
    }
    file.commit();
}

}  // namespace lapidary
