// SPDX-License-Identifier: Apache-2.0
// NumPy .npz archives: ZIP files of .npy members. The only file that uses libzip. Nothing is ever
// unpacked to disk.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <zip.h>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "base/files/atomic_file.h"
#include "base/memory/available_memory.h"
#include "base/files/mapped_file.h"
#include "tensor_io/npy_read.h"

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
        if (zip_error_code_zip(&error_) == ZIP_ER_EXISTS)
            return "two of its members have the same name";
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
    ArchivePtr archive(
        zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, status.get()));
    if (!archive) fail_input("not a valid .npz archive: " + status.text());
    source.release();  // owned by the archive now
    return archive;
}

/// The tensor name of a member. Members are only ever held in memory, so "/layer/Add_output_0" is
/// fine; names that climb out of a folder are a sign of a forged file.
std::string tensor_name(std::string_view member) {
    if (member.size() <= suffix.size() || !member.ends_with(suffix))
        fail_input("the archive member " + quote(member) + " is not a .npy array");
    for (std::size_t begin = 0; begin <= member.size();) {
        const std::size_t end = std::min(member.find_first_of("/\\", begin), member.size());
        if (member.substr(begin, end - begin) == "..")
            fail_input("the archive member " + quote(member) +
                       " has a name that leaves the archive");
        begin = end + 1;
    }
    return std::string(member.substr(0, member.size() - suffix.size()));
}

/// A member that is unpacked piece by piece.
class MemberReader {
public:
    MemberReader(zip_t* archive, zip_uint64_t index, std::uint64_t size)
        : member_(zip_fopen_index(archive, index, 0)), size_(size) {
        if (!member_)
            fail_input(std::string("the archive member cannot be read: ") + zip_strerror(archive));
    }

    /// The next bytes, as many as `to` has.
    void fill(std::span<std::byte> to) {
        for (std::size_t done = 0; done < to.size();) {
            const std::size_t got = some(to.subspan(done));
            if (got == 0)
                fail_input("the archive member announces " + std::to_string(size_) +
                           " bytes and has " + std::to_string(read_));
            done += got;
        }
    }
    /// After the last of its bytes: there are no more, and their checksum is right.
    void finish() {
        std::byte beyond;
        if (some({&beyond, 1}) != 0)
            fail_input("the archive member is longer than the " + std::to_string(size_) +
                       " bytes it announces");
    }

private:
    std::size_t some(std::span<std::byte> to) {
        const zip_int64_t got = zip_fread(member_.get(), to.data(), to.size());
        if (got < 0)
            fail_input(std::string("the archive member is damaged: ") +
                       zip_error_strerror(zip_file_get_error(member_.get())));
        read_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }

    MemberPtr member_;
    std::uint64_t size_, read_ = 0;
};

struct Member {
    zip_uint64_t index = 0;
    std::string name;
    std::uint64_t size = 0;
};

/// From the directory of the archive.
std::vector<Member> listed_members(zip_t* archive) {
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    if (count > max_members)
        fail_limit("the archive has " + std::to_string(count) + " members, the limit is " +
                   std::to_string(max_members));
    std::vector<Member> members;
    std::set<std::string> names;
    for (zip_int64_t i = 0; i < count; ++i) {
        zip_stat_t info;
        const auto index = static_cast<zip_uint64_t>(i);
        constexpr zip_uint64_t needed =
            ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &info) != 0 ||
            (info.valid & needed) != needed)
            fail_input("the directory of the archive is damaged at member " + std::to_string(i));
        Member member{index, tensor_name(info.name), info.size};
        if (!names.insert(member.name).second)
            fail_input("the archive holds " + quote(info.name) + " twice");
        if (info.encryption_method != ZIP_EM_NONE)
            fail_unsupported("the archive member " + quote(info.name) + " is encrypted");
        members.push_back(std::move(member));
    }
    return members;
}

NpyHeader header_of(zip_t* archive, const Member& member, const Limits& limits) {
    MemberReader reader(archive, member.index, member.size);
    std::vector<std::byte> bytes;
    while (bytes.size() < npy_header_bytes(bytes, member.size)) {
        const std::size_t have = bytes.size();
        bytes.resize(static_cast<std::size_t>(npy_header_bytes(bytes, member.size)));
        reader.fill(std::span(bytes).subspan(have));
    }
    try {
        return parse_npy_header(bytes, member.size, limits);
    } catch (const Error&) {
        // A wrong checksum at the end gives a better message for a damaged member.
        constexpr std::uint64_t worth_reading = 1u << 20;
        if (member.size <= worth_reading) {
            std::vector<std::byte> rest(static_cast<std::size_t>(member.size) - bytes.size());
            reader.fill(rest);
            reader.finish();
        }
        throw;
    }
}

/// The unpacked size of an archive, added up before anything is unpacked.
class UnpackedBytes {
public:
    explicit UnpackedBytes(const Limits& limits)
        : limit_(limits.archive_bytes), most_(std::min(limit_, available_memory())) {}

    /// Limits the unpacked size, not the compression ratio: numpy.savez_compressed reaches 1030 : 1
    /// with valid archives.
    void add(std::uint64_t bytes) {
        if (bytes > most_ || total_ > most_ - bytes)
            fail_limit(
                "the archive unpacks to more than " + std::to_string(most_) + " bytes, " +
                (most_ < limit_ ? "which is the memory available" : "the limit for an archive"));
        total_ += bytes;
    }

private:
    std::uint64_t limit_, most_, total_ = 0;
};

/// An archive whose errors name file and array.
class Archive {
public:
    Archive(const std::filesystem::path& path, const ArrayReading& reading)
        : path_(path), reading_(reading) {}

    /// `take(archive, member, header)` for each member that is wanted, in order.
    template <typename Take>
    void each_wanted(Take&& take) {
        const auto file = MappedFile::open(path_);
        std::string place;
        try {
            const ArchivePtr archive = open_archive(file->bytes());
            UnpackedBytes unpacked(reading_.limits);
            std::vector<std::pair<Member, NpyHeader>> wanted;
            for (Member& member : listed_members(archive.get())) {
                reading_.cancel.throw_if_cancelled();
                place = "array " + quote(member.name);
                NpyHeader header = header_of(archive.get(), member, reading_.limits);
                const bool is_wanted =
                    !reading_.wants || reading_.wants({member.name, header.dtype, header.shape});
                place.clear();
                if (!is_wanted) continue;
                unpacked.add(member.size);
                wanted.emplace_back(std::move(member), std::move(header));
            }
            for (const auto& [member, header] : wanted) {
                place = "array " + quote(member.name);
                take(archive.get(), member, header);
                place.clear();
            }
        } catch (Error& error) {
            if (!place.empty()) error.at(place);
            error.at(path_.string());
            throw;
        }
    }

private:
    const std::filesystem::path& path_;
    const ArrayReading& reading_;
};

}  // namespace

NamedValues load_npz(const std::filesystem::path& path, const ArrayReading& reading) {
    NamedValues values;
    Archive(path, reading)
        .each_wanted([&](zip_t* archive, const Member& member, const NpyHeader& header) {
            MemberReader reader(archive, member.index, member.size);
            std::vector<std::byte> passed(header.data_offset);
            reader.fill(passed);
            const auto next = [&](std::span<std::byte> to) { reader.fill(to); };
            values.emplace_back(member.name, read_npy_elements(header, next, reading.cancel));
            reader.finish();
        });
    return values;
}

NamedValues load_npz(const std::filesystem::path& path, const Limits& limits) {
    return load_npz(path, ArrayReading{limits, {}, {}});
}

std::vector<ArrayHeader> npz_headers(const std::filesystem::path& path,
                                     const ArrayReading& reading) {
    std::vector<ArrayHeader> headers;
    ArrayReading looking = reading;
    looking.wants = [&](const ArrayHeader& header) {
        headers.push_back(header);
        return false;
    };
    Archive(path, looking).each_wanted([](zip_t*, const Member&, const NpyHeader&) {});
    return headers;
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
        if (!value.is_tensor())
            fail_unsupported("array " + quote(name) + " is no tensor but " + value.describe());
        const std::string& bytes = contents.emplace_back(format_npy(value.tensor()));
        SourcePtr member(zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0));
        const zip_int64_t index =
            member ? zip_file_add(archive.get(), (name + std::string(suffix)).c_str(), member.get(),
                                  ZIP_FL_ENC_UTF_8)
                   : -1;
        if (index < 0)
            fail(ErrorCode::io_failure,
                 "cannot store array " + quote(name) + ": " + zip_strerror(archive.get()));
        member.release();
        zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
        zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, 0x21,
                             0);  // 1980-01-01: same bytes each time
    }
    if (zip_close(archive.get()) != 0)
        fail(ErrorCode::io_failure,
             std::string("cannot write the archive: ") + zip_strerror(archive.get()));
    archive.release();

    AtomicFile file(path);
    if (zip_source_open(output.get()) != 0) {
        // An archive without members has no bytes: write the empty directory that ZIP prescribes.
        if (!values.empty())
            fail(ErrorCode::io_failure, "cannot read the archive back from memory");
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
