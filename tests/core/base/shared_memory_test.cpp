// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/shared_memory.h>

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

std::size_t names_of(long process) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
        count += entry.path().filename().string().starts_with("lapidary-" +
                                                              std::to_string(process) + "-");
    return count;
}

TEST(SharedMemory, TheTakerHasTheBytesAndTheNameIsGone) {
    SharedMemory made = SharedMemory::create(100'000);
    EXPECT_TRUE(std::ranges::all_of(made.bytes(), [](std::byte b) { return b == std::byte{0}; }));
    made.bytes()[99'999] = std::byte{7};
    made.hand_on();
    const SharedMemory taken = SharedMemory::take(made.name(), 100'000);
    ASSERT_EQ(taken.bytes().size(), 100'000u);
    EXPECT_EQ(taken.bytes()[99'999], std::byte{7});
    taken.bytes()[0] = std::byte{1};  // a copy of its own from here on
    EXPECT_EQ(made.bytes()[0], std::byte{0});
    EXPECT_EQ(names_of(::getpid()), 0u);
    EXPECT_THROW(SharedMemory::take(made.name(), 100'000), Error);
}

TEST(SharedMemory, ANameThatIsNotHandedOnVanishes) {
    {
        const SharedMemory block = SharedMemory::create(1);
        EXPECT_EQ(names_of(::getpid()), 1u);
    }
    EXPECT_EQ(names_of(::getpid()), 0u);
}

TEST(SharedMemory, OnlyNamesOfItsOwnAreTaken) {
    for (const char* name : {"", "/", "/etc/passwd", "file:/etc/passwd", "file:../lapidary-1-1",
                             "/lapidary-1", "/lapidary-x-1", "/lapidary-1-2-3", "lapidary-1-1"})
        try {
            SharedMemory::take(name, 10);
            ADD_FAILURE() << name;
        } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::invalid_input) << name; }
    SharedMemory block = SharedMemory::create(4096);
    EXPECT_THROW(SharedMemory::take(block.name(), 8192), Error)
        << "reading past the end would be a signal";
}

TEST(SharedMemory, TooLargeIsAnError) {
    try {
        SharedMemory::create(std::size_t{1} << 60);
        FAIL();
    } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::limit_exceeded ||
                    error.code() == ErrorCode::io_failure)
            << error.what();
    }
    EXPECT_EQ(names_of(::getpid()), 0u);
}

TEST(SharedMemory, NamesOfADeadProcessAreRemoved) {
    const pid_t child = ::fork();
    if (child == 0) {
        SharedMemory::create(10).hand_on();
        SharedMemory::create(10).hand_on();
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(names_of(child), 2u);
    EXPECT_TRUE(SharedMemory::remove_left_by(child));
    EXPECT_EQ(names_of(child), 0u);
    EXPECT_FALSE(SharedMemory::remove_left_by(child));
}

}  // namespace
}  // namespace lapidary
