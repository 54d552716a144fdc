// SPDX-License-Identifier: Apache-2.0
// What a process may still take: the machine, control groups of both versions around it, resource
// limits.
#include <gtest/gtest.h>

#include <fstream>

#include "base/memory/available_memory.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class AvailableMemory : public ::testing::Test {
protected:
    void put(const std::string& name, const std::string& text) {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    std::uint64_t available() { return available_memory(folder_.path()); }
    TemporaryFolder folder_;
};

TEST_F(AvailableMemory, IsWhatTheMachineHas) {
    put("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    2000 kB\n");
    EXPECT_EQ(available(), 2'048'000u);
    EXPECT_GT(available_memory(), 0u);
}

TEST_F(AvailableMemory, IsWhatEveryGroupAroundLeaves) {
    put("proc/meminfo", "MemAvailable: 2000 kB\n");
    put("proc/self/cgroup", "0::/outer/inner\n");
    put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
    put("sys/fs/cgroup/outer/inner/memory.current", "900000\n");
    EXPECT_EQ(available(), 2'048'000u);
    put("sys/fs/cgroup/outer/memory.max", "1000000\n");
    put("sys/fs/cgroup/outer/memory.current", "900000\n");
    EXPECT_EQ(available(), 100'000u);
    put("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 50000\n");
    EXPECT_EQ(available(), 150'000u) << "caches of files are given back";
    put("sys/fs/cgroup/outer/memory.current", "1200000\n");
    EXPECT_EQ(available(), 0u);
}

TEST_F(AvailableMemory, OfTheMachineIsTheLimitOfTheGroup) {
    put("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 2000 kB\n");
    EXPECT_EQ(machine_memory(folder_.path()), 9'216'000u);
    put("proc/self/cgroup", "0::/inner\n");
    put("sys/fs/cgroup/inner/memory.max", "1000000\n");
    put("sys/fs/cgroup/inner/memory.current", "900000\n");
    EXPECT_EQ(machine_memory(folder_.path()), 1'000'000u);
    EXPECT_GE(machine_memory(), available_memory());
}

TEST_F(AvailableMemory, IsWhatAGroupOfVersionOneLeaves) {
    put("proc/meminfo", "MemAvailable: 2000 kB\n");
    put("proc/self/cgroup", "3:cpu:/x\n2:memory,hugetlb:/box\n");
    put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "700000\n");
    put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "100000\n");
    EXPECT_EQ(available(), 600'000u);
}

}  // namespace
}  // namespace lapidary
