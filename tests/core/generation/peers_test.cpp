// SPDX-License-Identifier: Apache-2.0
// Other engines: their names, where they are searched, and what is said where they are not found.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/bench/peers.h>

#include "bench/peers/python_package.h"
#include "bench/peers/python_places.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(Peers, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names, titles;
    for (const PeerInfo& info : list_peers()) {
        names.insert(info.name);
        titles.insert(info.title);
        ASSERT_TRUE(find_peer(info.name));
        EXPECT_EQ(find_peer(info.name)->peer, info.peer);
        const PeerPackage& package = python_package(info.peer);
        EXPECT_EQ(package.title, info.title);
        ASSERT_NE(package.runs, nullptr) << info.name;
        EXPECT_NE(running_program(package).find("class Engine"), std::string::npos);
        if (package.decodes)
            EXPECT_NE(decoding_program(package).find("class Decoder"), std::string::npos);
    }
    EXPECT_EQ(names.size(), 5u);
    EXPECT_EQ(titles.size(), 5u);
    EXPECT_FALSE(find_peer("self"));
    EXPECT_FALSE(find_peer(""));
}

TEST(Peers, SayWhereTheyWereLookedForAndHowTheyAreInstalled) {
    const TemporaryFolder folder;
    const std::string place = (folder / "nothing").string();
    for (const PeerInfo& info : list_peers()) {
        if (info.peer == Peer::onnxruntime) continue;
        try {
            find_bench_peer(info.peer, place);
            ADD_FAILURE() << info.name << " was found";
        } catch (const Error& error) {
            const std::string message = error.what();
            for (const std::string& part :
                 {std::string(info.title), place, std::string("pip install"), std::string("--peer"),
                  std::string(python_package(info.peer).variable)})
                EXPECT_NE(message.find(part), std::string::npos) << part << " in " << message;
        }
    }
}

TEST(Peers, PythonIsSearchedInOrder) {
    PythonSearch search;
    search.python = "python3";
    std::string searched;
    const auto found = find_python_with("json", search, searched);
    if (found.empty()) GTEST_SKIP() << "no python3 in PATH";
    EXPECT_EQ(found, "python3");
    EXPECT_FALSE(package_folder(found, "json").empty());
    EXPECT_TRUE(package_folder(found, "no_such_package_is_there").empty());
    EXPECT_TRUE(find_python_with("no_such_package_is_there", search, searched).empty());
    EXPECT_EQ(searched, "python3");
    const TemporaryFolder folder;
    search.roots = {folder.path() / "absent", folder.path()};
    EXPECT_EQ(find_python_with("json", search, searched), "python3");
    EXPECT_EQ(searched, folder.path().string() + ", python3");
    search.from_environment = (folder / "elsewhere").string();
    EXPECT_TRUE(find_python_with("json", search, searched).empty());
    EXPECT_EQ(searched, search.from_environment) << "a place that was named is not searched beyond";
}

}  // namespace
}  // namespace lapidary
