// SPDX-License-Identifier: Apache-2.0
// Files in parts: cut, sent, put together again; names of other machines; archives.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/base64.h>
#include <lapidary/internal/content_hash.h>

#include "support/test_data.h"
#include "worker/remote/file_parts.h"
#include "worker/remote/file_store.h"
#include "worker/remote/tar_archive.h"
#include "worker/remote/target.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

std::string random_bytes(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
}

void write_bytes(const fs::path& file, const std::string& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

std::string read_bytes(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Hands the parts of the group that are missing to the store; returns their bytes.
std::size_t hand_over(const FileStore& store, const FileGroup& group,
                      const std::vector<std::string>& missing) {
    std::set<std::string> wanted(missing.begin(), missing.end());
    std::size_t bytes = 0;
    for (const std::string& name : group.names)
        cut_file(group.folder / name, {}, [&](std::span<const std::byte> part) {
            if (wanted.erase(sha256_hex(part)) == 0) return;
            bytes += part.size();
            store.keep_part(part);
        });
    return bytes;
}

TEST(FileStore, PutsFilesTogetherOfWhatIsThere) {
    const TemporaryFolder here, there;
    const std::string weights = random_bytes(std::size_t{6} << 20, 1);
    write_bytes(here / "net.onnx", weights);
    write_bytes(here / "other.onnx", random_bytes(1234, 2) + weights);
    const FileStore store(there.path());

    const FileGroup first = files_of(here / "net.onnx", false, {});
    const auto parts = parts_of(first, {});
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_GT(parts[0].parts.size(), 1u);
    PlacedFiles placed = store.place(parts, {});
    EXPECT_TRUE(placed.folder.empty());
    EXPECT_EQ(placed.missing.size(), parts[0].parts.size());
    // a connection that ended in between: what arrived is not sent again
    placed.missing.resize(2);
    hand_over(store, first, placed.missing);
    placed = store.place(parts, {});
    EXPECT_EQ(placed.missing.size(), parts[0].parts.size() - 2);
    hand_over(store, first, placed.missing);
    placed = store.place(parts, {});
    ASSERT_TRUE(placed.missing.empty());
    EXPECT_EQ(read_bytes(fs::path(placed.folder) / "net.onnx"), weights);
    EXPECT_TRUE(fs::is_empty(there / "parts"));

    // the same weights elsewhere in another file: most parts are there
    const FileGroup second = files_of(here / "other.onnx", false, {});
    const auto other = parts_of(second, {});
    const PlacedFiles beside = store.place(other, {});
    EXPECT_LT(hand_over(store, second, beside.missing), weights.size() / 2);
    const PlacedFiles whole = store.place(other, {});
    ASSERT_TRUE(whole.missing.empty());
    EXPECT_EQ(read_bytes(fs::path(whole.folder) / "other.onnx"), read_bytes(here / "other.onnx"));
    EXPECT_NE(whole.folder, placed.folder);
}

TEST(FileStore, SendsAgainWhatWasDamaged) {
    const TemporaryFolder here, there;
    write_bytes(here / "data" / "a.bin", random_bytes(1000, 3));
    write_bytes(here / "data" / "below" / "b.bin", random_bytes(2000, 4));
    write_bytes(here / "data" / "empty.bin", "");
    const FileStore store(there.path());
    const FileGroup group = files_of(here / "data", false, {});
    EXPECT_EQ(group.names, (std::vector<std::string>{"a.bin", "below/b.bin", "empty.bin"}));
    const auto parts = parts_of(group, {});
    hand_over(store, group, store.place(parts, {}).missing);
    const PlacedFiles placed = store.place(parts, {});
    ASSERT_FALSE(placed.folder.empty());
    EXPECT_EQ(store.place(parts, {}).folder, placed.folder);

    write_bytes(fs::path(placed.folder) / "a.bin", "short");
    const PlacedFiles again = store.place(parts, {});
    EXPECT_EQ(again.missing, std::vector<std::string>{parts[0].parts[0].hash});
    hand_over(store, group, again.missing);
    EXPECT_EQ(store.place(parts, {}).folder, placed.folder);
    EXPECT_EQ(read_bytes(fs::path(placed.folder) / "a.bin"), random_bytes(1000, 3));
    EXPECT_EQ(read_bytes(fs::path(placed.folder) / "below" / "b.bin"), random_bytes(2000, 4));

    // of the same size, as a disk has it that lost its power
    write_bytes(fs::path(placed.folder) / "below" / "b.bin", std::string(2000, '\0'));
    const PlacedFiles zeros = store.place(parts, {});
    EXPECT_EQ(zeros.missing, std::vector<std::string>{parts[1].parts[0].hash});
    hand_over(store, group, zeros.missing);
    EXPECT_EQ(store.place(parts, {}).folder, placed.folder);
    EXPECT_EQ(read_bytes(fs::path(placed.folder) / "below" / "b.bin"), random_bytes(2000, 4));
}

TEST(FileStore, RefusesNamesThatLeadOut) {
    const TemporaryFolder there;
    const FileStore store(there.path());
    for (const char* const name :
         {"", "/etc/passwd", "../a", "a/../../b", "a//b", "a/.", "a\\b", "c:d", "a\nb", "a/"}) {
        try {
            store.place({{name, {}}}, {});
            ADD_FAILURE() << name;
        } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::invalid_input); }
    }
    EXPECT_THROW(store.place({{"a", {{"no hash", 1}}}}, {}), Error);
    EXPECT_THROW(store.place({{"a", {}}, {"a", {}}}, {}), Error);
}

TEST(TargetNames, AreRead) {
    EXPECT_EQ(read_target("board"), (Target{"board", ""}));
    EXPECT_EQ(read_target("pi@192.168.0.7:/data/lapidary"),
              (Target{"pi@192.168.0.7", "/data/lapidary"}));
    EXPECT_EQ(read_target("pi@board:~/cache").text(), "pi@board:~/cache");
    for (const char* const text :
         {"", "-oProxyCommand=reboot", "pi@-board", "@board", "pi@", "a b", "board:", "board:a b",
          "board:$HOME", "board:`id`", "board:a'b", "board:a;b", "board:../x", "board:~pi/x",
          "board:a/~/b", "pi;id@board", "board:/a/../b", "a@b@c"}) {
        try {
            read_target(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::invalid_input) << text; }
    }
}

TEST(TarArchive, IsReadByTar) {
    const TemporaryFolder folder;
    const std::string name = "lib/" + std::string(90, 'n') + "/" + std::string(60, 'm') + ".so";
    {
        std::ofstream out(folder / "a.tar", std::ios::binary);
        out << tar_header("bin/program", 5, true) << "hello" << tar_padding(5)
            << tar_header(name, 0, false) << tar_end();
    }
    const std::string command =
        "tar -xf '" + (folder / "a.tar").string() + "' -C '" + folder.path().string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read_bytes(folder / "bin/program"), "hello");
    EXPECT_NE(fs::status(folder / "bin/program").permissions() & fs::perms::owner_exec,
              fs::perms::none);
    EXPECT_TRUE(fs::is_regular_file(folder / name));
    EXPECT_THROW(tar_header(std::string(300, 'n'), 0, false), Error);
}

TEST(Base64, GoesThereAndBack) {
    for (std::size_t count = 0; count < 9; ++count) {
        const std::string bytes = random_bytes(count, static_cast<unsigned>(count));
        const auto span = std::as_bytes(std::span(bytes));
        const std::vector<std::byte> back = from_base64(to_base64(span));
        EXPECT_TRUE(std::ranges::equal(back, span)) << count;
    }
    const std::string text = "foobar";  // RFC 4648, section 10
    EXPECT_EQ(to_base64(std::as_bytes(std::span(text))), "Zm9vYmFy");
    EXPECT_EQ(to_base64(std::as_bytes(std::span(text).first(4))), "Zm9vYg==");
}

}  // namespace
}  // namespace lapidary::app
