// SPDX-License-Identifier: Apache-2.0
// Models as files: external data in every place and kind of file, special files, files that change.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <lapidary/onnx_io/model_io.h>

#include "base/files/mapped_file.h"
#include "support/onnx_bytes.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

using namespace test::onnx_bytes;
namespace fs = std::filesystem;

class OnnxFiles : public ::testing::Test {
protected:
    void SetUp() override { fs::create_directory(folder_); }

    fs::path put(const fs::path& path, const std::string& contents) {
        std::ofstream(path, std::ios::binary) << contents;
        return path;
    }
    static std::string entry(std::string_view key, std::string_view value) {
        return bytes(13, bytes(1, key) + bytes(2, value));
    }
    static std::string external(std::string_view location,
                                std::initializer_list<std::int64_t> dims = {4},
                                const std::string& more = {}) {
        return tensor_head("w", dims, 1) + entry("location", location) + more + number(14, 1);
    }
    static LoadOptions options() {
        LoadOptions out;
        out.infer_types = false;
        return out;
    }
    std::string refusal(const fs::path& path) {
        try {
            load_model(path, options());
        } catch (const Error& e) { return e.what(); }
        return "loaded";
    }
    std::string refusal_of(const std::string& tensor_proto) {
        return refusal(put(folder_ / "m.onnx", model_of(tensor_proto, 1)));
    }
    static std::vector<double> weight(const Model& m) {
        return to_doubles(*m.graph.value(m.graph.find_value("w")).constant);
    }

    TemporaryFolder root_;
    fs::path folder_ = root_ / "model";
};

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string four_floats = raw<float>({1, 2, 3, 4});
#ifdef _WIN32
const std::string no_such_file = std::error_code(2, std::system_category()).message();
#else
const std::string no_such_file = "No such file or directory";
#endif

TEST_F(OnnxFiles, ExternalDataBesideTheModel) {
    fs::create_directory(folder_ / "sub");
    put(folder_ / "w.bin", four_floats);
    put(folder_ / "sub/w.bin", four_floats);
    for (const char* location : {"w.bin", "./w.bin", "sub/w.bin", "sub/../w.bin"}) {
        const Model m =
            load_model(put(folder_ / "m.onnx", model_of(external(location), 1)), options());
        EXPECT_EQ(weight(m), (std::vector<double>{1, 2, 3, 4})) << location;
        EXPECT_EQ(m.external_bytes, 16u);
        ASSERT_EQ(m.external_files.size(), 1u);
        EXPECT_TRUE(fs::equivalent(m.external_files[0], folder_ / location));
    }
    const Model part = load_model(
        put(folder_ / "m.onnx",
            model_of(external("w.bin", {2}, entry("offset", "8") + entry("length", "8")), 1)),
        options());
    EXPECT_EQ(weight(part), (std::vector<double>{3, 4}));
}

TEST_F(OnnxFiles, FromTheFolderItself) {
    put(root_ / "outside.bin", four_floats);
    std::error_code no_links;
    fs::create_symlink("../outside.bin", folder_ / "link.bin", no_links);
    put(folder_ / "w.bin", four_floats);
    put(folder_ / "m.onnx", model_of(external("link.bin"), 1));
    put(folder_ / "good.onnx", model_of(external("w.bin"), 1));
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    if (!no_links) EXPECT_TRUE(mentions(refusal("m.onnx"), "symbolic link"));
    EXPECT_EQ(refusal("good.onnx"), "loaded");
    fs::current_path(before);
}

TEST_F(OnnxFiles, NothingOutsideTheFolderIsRead) {
    put(root_ / "w.bin", four_floats);
    fs::create_directory(root_ / "model_evil");
    put(root_ / "model_evil/w.bin", four_floats);
    std::error_code no_links;
    fs::create_directory_symlink(root_.path(), folder_ / "up", no_links);
    EXPECT_TRUE(mentions(refusal_of(external("../w.bin")), "outside the model's folder"));
    EXPECT_TRUE(
        mentions(refusal_of(external("../model_evil/w.bin")), "outside the model's folder"));
    const std::string absolute = refusal_of(external((root_ / "w.bin").generic_string()));
    EXPECT_TRUE(mentions(absolute, "outside the model's folder")) << absolute;
    if (!no_links) EXPECT_TRUE(mentions(refusal_of(external("up/w.bin")), "symbolic link"));
    EXPECT_TRUE(mentions(refusal_of(external(std::string_view("w.bin\0x", 7))), "NUL byte"));
    EXPECT_TRUE(mentions(refusal_of(external(std::string(5000, 'a'))), "5000 bytes, at most 4096"));
}

// The layout of huggingface_hub's cache: model and weights are links into a folder of blobs.
TEST_F(OnnxFiles, LinksToTheFolderOfTheFileThatTheModelLinksToAreFollowed) {
    std::error_code no_links;
    fs::create_directories(root_ / "blobs/inner");
    fs::create_directories(root_ / "snapshots/revision/onnx");
    put(root_ / "blobs/aa", model_of(external("m.onnx_data"), 1));
    put(root_ / "blobs/bb", four_floats);
    put(root_ / "blobs/inner/cc", four_floats);
    put(root_ / "secret", four_floats);
    const fs::path snapshot = root_ / "snapshots/revision/onnx";
    const auto link = [&](const fs::path& target, const fs::path& at) {
        fs::remove(at);
        fs::create_symlink(target, at, no_links);
    };
    link("../../../blobs/aa", snapshot / "m.onnx");
    if (no_links) GTEST_SKIP() << "this system makes no links";
    for (const char* target : {"../../../blobs/bb", "../../../blobs/inner/cc"}) {
        link(target, snapshot / "m.onnx_data");
        const Model m = load_model(snapshot / "m.onnx", options());
        EXPECT_EQ(weight(m), (std::vector<double>{1, 2, 3, 4}));
        ASSERT_EQ(m.external_files.size(), 1u);
        EXPECT_TRUE(fs::equivalent(m.external_files[0], snapshot / "m.onnx_data"));
        EXPECT_FALSE(fs::is_symlink(m.external_files[0])) << "named as it lies, not by the link";
    }
    // Links that lead anywhere else, by one step or several, by ".." or through folders that are
    // links.
    link("../blobs/../secret", root_ / "blobs/out");
    link("/", root_ / "blobs/root");
    for (const fs::path& target :
         {fs::path("../../../secret"), root_ / "secret", fs::path("../../../blobs/out"),
          fs::path("../../../blobs/../secret"), fs::path("m.onnx_data")}) {
        link(target, snapshot / "m.onnx_data");
        EXPECT_TRUE(mentions(refusal(snapshot / "m.onnx"), "symbolic link")) << target;
    }
    link("../../../blobs/root/dev/zero", snapshot / "m.onnx_data");
    EXPECT_TRUE(mentions(refusal(snapshot / "m.onnx"), "symbolic link"));
    link("../../../blobs/inner", snapshot / "m.onnx_data");
    EXPECT_TRUE(mentions(refusal(snapshot / "m.onnx"), "a folder, expected a regular file"));
    // Weights beside the link itself are read too.
    fs::remove(snapshot / "m.onnx_data");
    put(snapshot / "m.onnx_data", four_floats);
    EXPECT_EQ(refusal(snapshot / "m.onnx"), "loaded");
}

TEST_F(OnnxFiles, LinksThatStayInTheFolderAreFollowed) {
    std::error_code no_links;
    fs::create_directory(folder_ / "parts");
    put(folder_ / "parts/w.bin", four_floats);
    fs::create_symlink("parts/w.bin", folder_ / "w.bin", no_links);
    if (no_links) GTEST_SKIP() << "this system makes no links";
    fs::create_directory_symlink("parts", folder_ / "also");
    EXPECT_EQ(refusal_of(external("w.bin")), "loaded");
    EXPECT_EQ(refusal_of(external("also/w.bin")), "loaded");
    EXPECT_TRUE(mentions(refusal_of(external("also/../../w.bin")), "outside the model's folder"));
}

TEST_F(OnnxFiles, TensorsInEveryPositionAreCheckedTheSameWay) {
    const std::string evil = external("../w.bin");
    const std::string sparse = bytes(1, evil) +
                               bytes(2, tensor("", {4}, 7, raw<std::int64_t>({0, 1, 2, 3}))) +
                               number(3, 4);
    GraphParts inner;
    inner.nodes = {node("Identity", {"w"}, {"t"})};
    inner.initializers = {evil};
    inner.outputs = {bytes(1, "t")};
    const std::string constant =
        node("Constant", {}, {"y"}, "n", bytes(5, attribute_head("value", 4) + bytes(5, evil)));
    const std::string as_list =
        node("Foo", {}, {"y"}, "n", bytes(5, attribute_head("list", 9) + bytes(10, evil)));
    const std::string sparse_constant =
        node("Constant", {}, {"y"}, "n",
             bytes(5, attribute_head("sparse_value", 11) + bytes(22, sparse)));
    const std::string branch =
        node("If", {"c"}, {"y"}, "n",
             bytes(5, attribute_head("then_branch", 5) + bytes(6, inner.encode())) +
                 bytes(5, attribute_head("else_branch", 5) + bytes(6, inner.encode())));
    for (const std::string& n : {constant, as_list, sparse_constant, branch}) {
        GraphParts graph;
        graph.nodes = {n};
        graph.inputs = {value_info("c", 9, {})};
        graph.outputs = {bytes(1, "y")};
        EXPECT_TRUE(mentions(refusal(put(folder_ / "m.onnx", model(graph))),
                             "lies outside the model's folder"));
    }
    GraphParts graph;
    graph.nodes = {node("Identity", {"w"}, {"y"})};
    graph.outputs = {bytes(1, "y")};
    graph.extra = bytes(15, sparse);
    EXPECT_TRUE(mentions(refusal(put(folder_ / "m.onnx", model(graph))),
                         "lies outside the model's folder"));
    graph.extra.clear();
    graph.initializers = {tensor("w", {1}, 1, "1234")};
    const std::string function = bytes(1, "F") + bytes(5, "y") + bytes(7, constant) +
                                 bytes(9, number(2, 17)) + bytes(10, "loc");
    EXPECT_TRUE(mentions(refusal(put(folder_ / "m.onnx", model(graph, 17, bytes(25, function)))),
                         "lies outside the model's folder"));
    GraphParts training;
    training.initializers = {evil};
    EXPECT_TRUE(mentions(
        refusal(put(folder_ / "m.onnx", model(graph, 17, bytes(20, bytes(1, training.encode()))))),
        "lies outside the model's folder"));
    EXPECT_EQ(refusal(put(folder_ / "m.onnx", model(graph))), "loaded");
}

TEST_F(OnnxFiles, NumbersAreDecimalDigitsOnly) {
    put(folder_ / "w.bin", four_floats);
    for (const char* bad :
         {"", "-1", "+1", " 1", "1 ", "0x10", "1e3", "012", "12abc", "99999999999999999999999999"})
        EXPECT_TRUE(mentions(refusal_of(external("w.bin", {4}, entry("offset", bad))),
                             "expected a plain decimal number"))
            << bad;
    EXPECT_TRUE(mentions(refusal_of(external("w.bin", {4}, entry("offset", "1"))),
                         "16 bytes are needed from offset 1, the file has 16"));
    EXPECT_TRUE(mentions(refusal_of(external("w.bin", {4}, entry("offset", "17"))),
                         "offset 17 lies past the end"));
    EXPECT_TRUE(
        mentions(refusal_of(external("w.bin", {4}, entry("length", "12"))), "length is 12 bytes"));
    EXPECT_TRUE(
        mentions(refusal_of(external("w.bin", {4}, entry("location", "w.bin"))), "given twice"));
    EXPECT_EQ(refusal_of(external("w.bin", {4}, entry("offset", "0"))), "loaded");
}

TEST_F(OnnxFiles, UnreadableAndVanishedFiles) {
    put(folder_ / "w.bin", four_floats);
    EXPECT_TRUE(mentions(refusal_of(external("gone.bin")), no_such_file));
    EXPECT_TRUE(mentions(refusal(folder_ / "missing"), no_such_file));
    EXPECT_TRUE(mentions(refusal(folder_), "is a folder"));
    EXPECT_TRUE(mentions(refusal(put(folder_ / "empty", "")), "the file is empty"));
#ifndef _WIN32
    if (::geteuid() != 0) {
        fs::permissions(folder_ / "w.bin", fs::perms::none);
        EXPECT_TRUE(mentions(refusal_of(external("w.bin")), "Permission denied"));
    }
#endif
    const std::string text = model_of(external("w.bin"), 1);
    try {
        load_model_from_memory(std::as_bytes(std::span(text.data(), text.size())), options());
        ADD_FAILURE() << "external data without a folder";
    } catch (const Error& e) { EXPECT_TRUE(mentions(e.what(), "read from memory")); }
}

/// While it lives this process can open few files, where the system has a limit of them.
class FewDescriptors {
public:
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;
#ifdef _WIN32
    FewDescriptors() = default;
    ~FewDescriptors() = default;
#else
    FewDescriptors() {
        EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &limit_), 0);
        rlimit small = limit_;
        small.rlim_cur = 128;
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &small), 0);
    }
    ~FewDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &limit_), 0); }

private:
    rlimit limit_{};
#endif
};

TEST_F(OnnxFiles, TenThousandExternalFilesUseNoDescriptors) {
    [[maybe_unused]] const FewDescriptors few;
    GraphParts graph;
    for (int i = 0; i < 10000; ++i) {
        const std::string name = "w" + std::to_string(i);
        put(folder_ / name, raw<float>({static_cast<float>(i)}));
        graph.initializers.push_back(tensor_head(name, {1}, 1) + entry("location", name) +
                                     number(14, 1));
    }
    graph.nodes = {node("Identity", {"w9999"}, {"y"})};
    graph.outputs = {value_info("y", 1, {1})};
    const Model m = load_model(put(folder_ / "m.onnx", model(graph)), options());
    EXPECT_EQ(to_doubles(*m.graph.value(m.graph.find_value("w9999")).constant),
              (std::vector<double>{9999}));
}

TEST_F(OnnxFiles, OneFileForManyTensorsIsHeldOnce) {
    const std::size_t size = std::size_t{8} << 20;
    put(folder_ / "w.bin", std::string(size, '\0'));
    GraphParts graph;
    for (int i = 0; i < 1000; ++i)
        graph.initializers.push_back(
            tensor_head("w" + std::to_string(i), {static_cast<std::int64_t>(size / 4)}, 1) +
            entry("location", "w.bin") + number(14, 1));
    graph.nodes = {node("Identity", {"w0"}, {"y"})};
    graph.outputs = {bytes(1, "y")};
    const Model m = load_model(put(folder_ / "m.onnx", model(graph)), options());
    EXPECT_EQ(m.external_bytes, size);
    const void* first = m.graph.value(m.graph.find_value("w0")).constant->raw();
    for (int i = 0; i < 1000; ++i)
        ASSERT_EQ(m.graph.value(m.graph.find_value("w" + std::to_string(i))).constant->raw(),
                  first);
}

TEST_F(OnnxFiles, SizesAtTheEdgeOfProtobuf) {
    const std::string head = model_of(tensor("w", {1}, 1, "1234"), 1);
    for (const std::uint64_t size :
         {(std::uint64_t{1} << 31) - 1, std::uint64_t{1} << 31, std::uint64_t{3} << 30}) {
        const fs::path path = put(folder_ / "big.onnx", head);
        fs::resize_file(path, size);  // a hole: zeros that are no fields
        EXPECT_TRUE(
            mentions(refusal(path), "no valid field at byte " + std::to_string(head.size())))
            << size << refusal(path);
        // A weight that large, in one valid file: past what protobuf itself reads.
        const std::int64_t elements = static_cast<std::int64_t>(size / 4);
        const std::string field_head = tensor_head("w", {elements}, 1) + varint(9 << 3 | 2) +
                                       varint(static_cast<std::uint64_t>(elements) * 4);
        const std::uint64_t tensor_size =
            field_head.size() + static_cast<std::uint64_t>(elements) * 4;
        const std::string graph_rest =
            bytes(1, node("Identity", {"w"}, {"y"})) + bytes(12, bytes(1, "y"));
        const std::string tensor_tag = varint(5 << 3 | 2) + varint(tensor_size);
        const std::string graph = varint(7 << 3 | 2) +
                                  varint(graph_rest.size() + tensor_tag.size() + tensor_size) +
                                  graph_rest + tensor_tag + field_head;
        std::string start = number(1, 8) + bytes(8, number(2, 17));
        // Aligned, so that the weight is used where it is mapped: a copy would take gigabytes.
        std::string doc;
        while ((start.size() + bytes(6, doc).size() + graph.size()) % 4 != 0) doc += 'd';
        start += bytes(6, doc) + graph;
        put(path, start);
        fs::resize_file(path, start.size() + static_cast<std::uint64_t>(elements) * 4);
        EXPECT_EQ(load_model(path, options()).graph.node_count(), 1u);
    }
}

#ifndef _WIN32  // which has no such files; a mapped file cannot be shortened or replaced there

TEST_F(OnnxFiles, SpecialFilesAreRefusedAtOnce) {
    ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
    fs::create_symlink("nowhere", folder_ / "dangling");
    EXPECT_TRUE(mentions(refusal(folder_ / "fifo"), "FIFO"));
    EXPECT_TRUE(mentions(refusal("/dev/zero"), "character device"));
    EXPECT_TRUE(mentions(refusal(folder_ / "dangling"), "No such file"));
    EXPECT_TRUE(mentions(refusal("/proc/self/mem"), "empty"));
}

TEST_F(OnnxFiles, MappedFilesKnowThatTheyChanged) {
    const fs::path path = put(folder_ / "w.bin", std::string(std::size_t{5} << 20, 'x'));
    const auto file = MappedFile::open(path);
    EXPECT_EQ(file->bytes().size(), std::size_t{5} << 20);
    EXPECT_TRUE(file->is_unchanged());
    std::ofstream(path, std::ios::app) << "more";
    EXPECT_FALSE(file->is_unchanged());
    const auto replaced = MappedFile::open(path);
    fs::rename(put(folder_ / "other", std::string((std::size_t{5} << 20) + 4, 'y')), path);
    EXPECT_FALSE(replaced->is_unchanged());
    EXPECT_EQ(std::to_integer<char>(replaced->bytes()[0]), 'x');
    fs::remove(path);
    EXPECT_FALSE(replaced->is_unchanged());
}

TEST_F(OnnxFiles, TruncationWhileMappedIsNoCrash) {
    const std::size_t size = std::size_t{8} << 20;
    put(folder_ / "w.bin", std::string(size, '\x01'));
    const Model m =
        load_model(put(folder_ / "m.onnx",
                       model_of(external("w.bin", {static_cast<std::int64_t>(size / 4)}), 1)),
                   options());
    const auto file = MappedFile::open(folder_ / "w.bin");
    fs::resize_file(folder_ / "w.bin", 4096);
    const auto data = m.graph.value(m.graph.find_value("w")).constant->bytes();
    EXPECT_EQ(std::to_integer<int>(data[0]), 1);
    EXPECT_EQ(std::to_integer<int>(data[size - 1]), 0);
    EXPECT_EQ(std::to_integer<int>(data[size / 2]), 0);
    EXPECT_FALSE(file->is_unchanged());
    // back to its size: what was read is still not the file
    fs::resize_file(folder_ / "w.bin", size);
    EXPECT_EQ(std::to_integer<int>(file->bytes()[size - 1]), 0);
    EXPECT_FALSE(file->is_unchanged());
}

// The default action ends the process; a sanitizer reports the signal and exits instead.
bool died_of_bus_error(int status) {
    if (under_sanitizer && WIFEXITED(status) && WEXITSTATUS(status) != 0) return true;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS;
}

TEST(MappingGuardDeathTest, OtherBusErrorsStayFatal) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            static char page[8192];
            const MappingGuard guard(
                reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(page) + 4095) / 4096 *
                                        4096),
                4096);
            ::raise(SIGBUS);
            ::raise(SIGBUS);
        },
        died_of_bus_error, "");
}

#endif

}  // namespace
}  // namespace lapidary
