// SPDX-License-Identifier: Apache-2.0
// What the interfaces to the operating system promise, in words that hold on each of them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/internal/program_file.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/internal/shared_memory.h>

#include "base/files/atomic_file.h"
#include "base/memory/available_memory.h"
#include "base/cpu_features.h"
#include "base/files/folder_handle.h"
#include "base/memory/large_pages.h"
#include "base/machine_description.h"
#include "base/memory/page_memory.h"
#include "base/process/piped_process.h"
#include "base/memory/process_memory.h"
#include "base/process/process_times.h"
#include "base/process/shared_library.h"
#include "base/threads/thread_affinity.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A program that is there on each system, and an argument by which it prints a line and ends well.
std::vector<std::string> printing_program() {
#ifdef _WIN32
    return {"cmd.exe", "/c", "echo one line"};
#else
    return {"sh", "-c", "echo one line"};
#endif
}

TEST(SystemInterfaces, MappedPagesAreZerosAndZerosAgain) {
    const std::size_t bytes = 16 * page_size();
    for (const PageUse use : {PageUse::dense, PageUse::sparse}) {
        auto* const data = static_cast<unsigned char*>(map_pages(bytes, Pages::usual, use));
        ASSERT_NE(data, nullptr);
        populate_pages(data, bytes);
        for (std::size_t i = 0; i < bytes; i += 512) ASSERT_EQ(data[i], 0) << i;
        std::memset(data, 7, bytes);
        clear_pages(data, bytes);
        for (std::size_t i = 0; i < bytes; i += 512) ASSERT_EQ(data[i], 0) << i;
        data[0] = 1;
        discard_pages(data, bytes);
        data[0] = 2;
        EXPECT_EQ(data[0], 2);
        unmap_pages(data, bytes);
    }
}

TEST(SystemInterfaces, LargeBlocksCanBeWritten) {
    LargePages block(3 * large_page + 64);
    ASSERT_NE(block.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % large_page, 0u);
    for (std::int64_t piece = 0; piece < block.pieces(); ++piece) block.back(piece);
    std::memset(block.data(), 1, 3 * large_page + 64);
}

TEST(SystemInterfaces, FiguresOfTheMachineArePlausible) {
    EXPECT_GT(installed_memory(), std::uint64_t{64} << 20);
    EXPECT_GT(available_memory(), std::uint64_t{1} << 20);
    EXPECT_LE(available_memory(), machine_memory());
    EXPECT_FALSE(cpu_name().empty());
    EXPECT_FALSE(operating_system().empty());
    EXPECT_GE(cache_sizes().l2, cache_sizes().l1);
    EXPECT_GT(resident_bytes(), 0);
    EXPECT_GE(peak_resident_bytes().value_or(0), std::uint64_t{1} << 20);
}

TEST(SystemInterfaces, ProcessorTimeGrowsWithWork) {
    const double before = processor_seconds(), load = process_load().cpu_ms;
    volatile double sum = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (processor_seconds() < before + 0.05 && std::chrono::steady_clock::now() < end)
        for (int i = 0; i < 100000; ++i) sum = sum + i;
    EXPECT_GE(processor_seconds(), before + 0.05);
    EXPECT_GT(process_load().cpu_ms, load);
    const auto times = system_times();
    ASSERT_TRUE(times.has_value());
    EXPECT_GE(times->all, times->busy);
}

TEST(SystemInterfaces, AThreadStaysWhereItIsPut) {
    const auto before = thread_processors();
    ASSERT_TRUE(before.has_value());
    ASSERT_GT(before->count(), 0);
    ProcessorSet one;
    for (int p = 0; p < ProcessorSet::most && one.count() == 0; ++p)
        if (before->contains(p)) one.add(p);
    ASSERT_TRUE(set_thread_processors(one));
    EXPECT_EQ(thread_processors()->words(), one.words());
    EXPECT_TRUE(set_thread_processors(*before));
    EXPECT_EQ(thread_processors()->words(), before->words());
    EXPECT_FALSE(set_thread_processors(ProcessorSet()));
}

TEST(SystemInterfaces, ALibraryThatIsNotThereHasAReason) {
    std::string reason;
    EXPECT_FALSE(SharedLibrary::open("/no/such/library.so", SymbolScope::local, reason));
    EXPECT_FALSE(reason.empty());
    EXPECT_FALSE(without_file_name(reason, "/no/such/library.so").empty());
}

TEST(SystemInterfaces, TheProgramKnowsItsFile) {
    EXPECT_TRUE(fs::is_regular_file(program_file())) << program_file();
    EXPECT_TRUE(is_executable(program_file()));
    EXPECT_FALSE(is_executable(program_file().parent_path() / "no such program"));
}

TEST(SystemInterfaces, AProgramIsReadToItsEnd) {
    PipedProcess process(printing_program());
    process.close_input();
    std::string out, err;
    while (process.read(out, err, std::chrono::milliseconds(50))) {}
    EXPECT_EQ(out.substr(0, 8), "one line");
    EXPECT_FALSE(process.has_output());
    EXPECT_EQ(process.wait(), 0);
}

TEST(SystemInterfaces, AProgramThatIsNotThereIsNamed) {
    try {
        PipedProcess process({"no-such-program-anywhere"});
        FAIL() << "it was started";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io_failure);
        EXPECT_NE(error.message().find("no-such-program-anywhere cannot be started: "),
                  std::string::npos);
    }
}

TEST(SystemInterfaces, FilesAppearWhole) {
    const ScratchFolder folder;
    const fs::path path = folder.path() / "out.txt";
    {
        AtomicFile file(path);
        file.write("half");
        EXPECT_FALSE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
    for (const std::string text : {"first\nline", "second"}) {
        AtomicFile file(path);
        file.write(text);
        file.commit();
        EXPECT_TRUE(file.is_in_place());
        EXPECT_EQ(text_of(MappedFile::open(path)->bytes()), text);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1)
        << "something is left";
    EXPECT_THROW(AtomicFile{folder.path()}, Error);
}

TEST(SystemInterfaces, FilesThatWereReadAreNotReplaced) {
    const ScratchFolder folder;
    const fs::path path = folder.path() / "in.txt";
    put(path, "mine");
    const InputProtection guard(InputProtection::Of::all_that_is_read);
    MappedFile::open(path);
    EXPECT_THROW(AtomicFile{path}, Error);
}

TEST(SystemInterfaces, LargeFilesAreMappedAndKnown) {
    const ScratchFolder folder;
    const fs::path path = folder.path() / "large.bin";
    put(path, std::string(std::size_t{5} << 20, 'x'));
    const auto file = MappedFile::open(path);
    EXPECT_TRUE(file->is_mapped());
    EXPECT_EQ(file->bytes().size(), std::size_t{5} << 20);
    EXPECT_EQ(file->bytes().back(), std::byte{'x'});
    EXPECT_TRUE(file->is_unchanged());
    EXPECT_EQ(file->link_count(), 1u);
    EXPECT_THROW(MappedFile::open(folder.path()), Error);
    EXPECT_THROW(MappedFile::open(folder.path() / "none"), Error);
}

TEST(SystemInterfaces, AFolderOpensWhatLiesBeneathItAlone) {
    const ScratchFolder folder;
    fs::create_directories(folder.path() / "model" / "weights");
    put(folder.path() / "secret", "no");
    put(folder.path() / "model" / "weights" / "a.bin", "yes");
    FolderHandle handle;
    OpenFailure failure;
    ASSERT_TRUE(handle.open(folder.path() / "model", failure)) << failure.reason;
    const auto file = handle.map("weights/a.bin", failure);
    ASSERT_NE(file, nullptr) << failure.reason;
    EXPECT_EQ(text_of(file->bytes()), "yes");
    EXPECT_NE(handle.map("weights/../weights/a.bin", failure), nullptr) << failure.reason;
    EXPECT_STREQ(handle.kind_of_no_file("weights"), "a folder");
    EXPECT_EQ(handle.kind_of_no_file("weights/a.bin"), nullptr);
    EXPECT_EQ(handle.map("../secret", failure), nullptr);
    EXPECT_EQ(failure.kind, OpenFailure::Kind::outside);
    EXPECT_EQ(handle.map("weights/none", failure), nullptr);
    EXPECT_EQ(failure.kind, OpenFailure::Kind::system);
    EXPECT_FALSE(failure.reason.empty());
    FolderHandle none;
    EXPECT_FALSE(none.open(folder.path() / "no such folder", failure));
}

TEST(SystemInterfaces, ALinkIsNotFollowed) {
    const ScratchFolder folder;
    put(folder.path() / "a.bin", "yes");
    std::error_code failed;
    fs::create_symlink(folder.path() / "a.bin", folder.path() / "link.bin", failed);
    if (failed) GTEST_SKIP() << "no symbolic links here: " << failed.message();
    FolderHandle handle;
    OpenFailure failure;
    ASSERT_TRUE(handle.open(folder.path(), failure));
    EXPECT_EQ(handle.map("link.bin", failure), nullptr);
    EXPECT_EQ(failure.kind, OpenFailure::Kind::symbolic_link);
}

TEST(SystemInterfaces, ABlockIsHandedOn) {
    std::string name;
    {
        SharedMemory block = SharedMemory::create(100000);
        std::memset(block.bytes().data(), 5, block.bytes().size());
        name = block.name();
        block.hand_on();
    }
    {
        const SharedMemory taken = SharedMemory::take(name, 100000);
        EXPECT_EQ(taken.bytes().front(), std::byte{5});
        EXPECT_EQ(taken.bytes().back(), std::byte{5});
        EXPECT_THROW(SharedMemory::take(name, 100000), Error) << "its name is still there";
    }
    EXPECT_THROW(SharedMemory::take("passwd", 10), Error);
    {
        const SharedMemory unused = SharedMemory::create(10);
        name = unused.name();
    }
    EXPECT_THROW(SharedMemory::take(name, 10), Error) << "its name outlived it";
}

}  // namespace
}  // namespace lapidary
