// SPDX-License-Identifier: Apache-2.0
// Blocks in the bytes of others, against looking at all pairs.
#include <gtest/gtest.h>

#include <random>

#include "exec/memory/address_owners.h"

namespace lapidary {
namespace {

TEST(AddressOwners, NamesWhoseBytesABlockLiesIn) {
    AddressOwners owners;
    EXPECT_EQ(owners.add(0, 100, 0, 9), std::nullopt);
    EXPECT_EQ(owners.add(10, 20, 1, 3), 0u);
    EXPECT_EQ(owners.add(15, 5, 2, 3), 1u);
    EXPECT_EQ(owners.add(40, 5, 2, 3), 0u);
    EXPECT_EQ(owners.add(200, 50, 3, 4), std::nullopt);
    EXPECT_EQ(owners.add(15, 5, 4, 5), 0u) << "block 1 and 2 have gone";
    EXPECT_EQ(owners.add(150, 100, 4, 5), 4u) << "begins inside of it";
    EXPECT_EQ(owners.add(20, 0, 5, 6), std::nullopt) << "no bytes";
    EXPECT_EQ(owners.add(0, 400, 10, 11), std::nullopt);
}

TEST(AddressOwners, FindsAHostWhereThereIsOne) {
    struct Block {
        std::uint64_t offset, bytes;
        std::size_t last;
    };
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        AddressOwners owners;
        std::vector<Block> blocks;
        for (std::size_t step = 0; step < 60; ++step) {
            const Block b{random() % 64, random() % 24, step + random() % 8};
            const auto host = owners.add(b.offset, b.bytes, step, b.last);
            const auto overlaps = [&](const Block& a) {
                return a.last >= step && a.offset < b.offset + b.bytes &&
                       b.offset < a.offset + a.bytes && a.bytes != 0 && b.bytes != 0;
            };
            const auto covers = [&](const Block& a) { return overlaps(a) && a.offset <= b.offset; };
            std::optional<std::size_t> latest, any;
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                if (covers(blocks[i])) latest = i;
                if (overlaps(blocks[i])) any = i;
            }
            ASSERT_EQ(host.has_value(), any.has_value());
            if (latest) ASSERT_EQ(host, latest);
            else if (host) ASSERT_TRUE(overlaps(blocks[*host]));
            blocks.push_back(b);
        }
    }
}

}  // namespace
}  // namespace lapidary
