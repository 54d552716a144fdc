// SPDX-License-Identifier: Apache-2.0
// Saving: atomic, complete, never over the source, weights beside the file, names of subgraphs kept
// apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <lapidary/graph/graph_diff.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>

#include "base/files/atomic_file.h"
#include "graph/verify.h"
#include "onnx_io/weights/weights_files.h"
#include "support/onnx_bytes.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using namespace test::onnx_bytes;
namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class OnnxSave : public ::testing::Test {
protected:
    static LoadOptions plain() {
        LoadOptions options;
        options.infer_types = false;
        return options;
    }
    static Model load(const std::string& bytes) {
        return load_model_from_memory(std::as_bytes(std::span(bytes.data(), bytes.size())),
                                      plain());
    }
    Model load(const fs::path& path) { return load_model(path, plain()); }
    /// Files of the folder, sorted by name.
    std::vector<std::string> listing() const {
        std::vector<std::string> out;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            out.push_back(entry.path().filename().string());
        std::ranges::sort(out);
        return out;
    }
    static Model weights_model(float first = 1) {
        GraphParts graph;
        std::vector<float> large(1000, first);
        graph.initializers = {tensor("large", {1000}, 1, raw(large)),
                              tensor("small", {2}, 1, raw<float>({1, 2}))};
        graph.nodes = {node("Identity", {"large"}, {"y"}), node("Identity", {"small"}, {"z"})};
        graph.outputs = {value_info("y", 1, {1000}), value_info("z", 1, {2})};
        return load(model(graph));
    }
    template <typename F>
    static std::string refusal(F&& action) {
        try {
            action();
        } catch (const Error& e) { return e.what(); }
        return "done";
    }

    TemporaryFolder folder_;
};

TEST_F(OnnxSave, KeepsWhatItDoesNotUnderstand) {
    GraphParts graph;
    // NodeProto.device_configurations
    const std::string device = bytes(10, bytes(1, "config0"));
    const std::string denoted =
        bytes(1, "x") +
        bytes(2, bytes(1, number(1, 1) + bytes(2, bytes(1, bytes(2, "N") + bytes(3, "DATA_BATCH")) +
                                                      bytes(1, number(1, 3)))) +
                     bytes(6, "IMAGE"));
    graph.nodes = {
        node("Relu", {"x"}, {"v"}, "n",
             bytes(6, "node doc") + bytes(9, bytes(1, "k") + bytes(2, "v")) + device),
        node(
            "Constant", {}, {"c"}, "",
            bytes(5, attribute_head("value", 4) + bytes(13, "attribute doc") + bytes(777, "later") +
                         bytes(5, tensor("inner name", {1}, 1, "1234") + bytes(12, "tensor doc")))),
        node("Add", {"v", "w"}, {"u"}), node("Add", {"u", "c"}, {"y"})};
    graph.initializers = {tensor("w", {1}, 1, "1234") + bytes(12, "weight doc") +
                          bytes(16, bytes(1, "a") + bytes(2, "b")) + bytes(900, "t")};
    graph.inputs = {denoted + bytes(3, "input doc") + bytes(4, bytes(1, "m") + bytes(2, "n"))};
    graph.outputs = {value_info("y", 1, {-1, 3})};
    graph.value_infos = {value_info("v", 1, {-1, 3}) + bytes(801, "q"),
                         bytes(1, "u") + bytes(2, bytes(7, bytes(1, "d") + bytes(2, "opaque")))};
    graph.extra = bytes(10, "graph doc") +
                  bytes(14, bytes(1, "v") + bytes(2, bytes(1, "SCALE_TENSOR") + bytes(2, "w"))) +
                  bytes(16, bytes(1, "g") + bytes(2, "h")) + bytes(950, "z");
    GraphParts training;
    training.nodes = {node("Identity", {"w"}, {"t"})};
    const Model original =
        load(model(graph, 17,
                   bytes(20, bytes(2, training.encode())) + bytes(26, bytes(1, "config0")) +
                       bytes(14, bytes(1, "p") + bytes(2, "q"))));
    save_model(original, folder_ / "a.onnx");
    const Model again = load(folder_ / "a.onnx");
    EXPECT_EQ(differences(original, again), std::vector<std::string>{});
    const std::string written = slurp(folder_ / "a.onnx");
    for (const char* text :
         {"config0", "node doc", "inner name", "tensor doc", "attribute doc", "weight doc",
          "input doc", "graph doc", "SCALE_TENSOR", "DATA_BATCH", "IMAGE", "opaque", "later"})
        EXPECT_NE(written.find(text), std::string::npos) << text;
}

TEST_F(OnnxSave, SparseAndDefaultsAndFunctions) {
    GraphParts graph;
    graph.nodes = {node("F", {"x"}, {"v"}, "", bytes(7, "loc")), node("Add", {"v", "w"}, {"y"})};
    graph.inputs = {value_info("x", 1, {4})};
    graph.initializers = {tensor("x", {4}, 1, raw<float>({1, 2, 3, 4}))};
    graph.outputs = {value_info("y", 1, {4})};
    graph.extra =
        bytes(15, bytes(1, tensor("w", {1}, 1, "1234")) +
                      bytes(2, tensor("", {1}, 7, raw<std::int64_t>({2}))) + number(3, 4));
    const std::string function =
        bytes(1, "F") + bytes(4, "a") + bytes(5, "b") + bytes(6, "slope") +
        bytes(7, node("LeakyRelu", {"a"}, {"b"}, "",
                      bytes(5, attribute_head("alpha", 1) + bytes(21, "beta")))) +
        bytes(8, "doc") + bytes(9, number(2, 17)) + bytes(10, "loc") +
        bytes(11, attribute_head("beta", 1) + varint(2 << 3 | 5) + raw<float>({0.5f})) +
        bytes(12, value_info("b", 1, {4})) + bytes(14, bytes(1, "k") + bytes(2, "v"));
    std::string text =
        model(graph, 17, bytes(8, bytes(1, "loc") + number(2, 1)) + bytes(25, function));
    EXPECT_TRUE(mentions(refusal([&] { load(text); }), "lacks attribute \"slope\""));
    graph.nodes[0] += bytes(5, attribute_head("slope", 2) + number(3, 1));
    const Model original =
        load(model(graph, 17, bytes(8, bytes(1, "loc") + number(2, 1)) + bytes(25, function)));
    save_model(original, folder_ / "a.onnx");
    EXPECT_EQ(differences(original, load(folder_ / "a.onnx")), std::vector<std::string>{});
}

TEST_F(OnnxSave, ExternalDataOnRequest) {
    SaveOptions options;
    options.external_data_min_bytes = 100;
    save_model(weights_model(), folder_ / "a.onnx", options);
    EXPECT_EQ(listing(), (std::vector<std::string>{"a.onnx", "a.onnx.data"}));
    EXPECT_EQ(fs::file_size(folder_ / "a.onnx.data"), 4000 + onnx_io::weights_mark.size());
    EXPECT_LT(fs::file_size(folder_ / "a.onnx"), 1000u);
    const Model again = load(folder_ / "a.onnx");
    EXPECT_EQ(again.external_bytes, 4000 + onnx_io::weights_mark.size());
    EXPECT_EQ(differences(weights_model(), again), std::vector<std::string>{});
}

TEST_F(OnnxSave, SavingAgainReplacesOldWeights) {
    SaveOptions options;
    options.external_data_min_bytes = 100;
    save_model(weights_model(1), folder_ / "a.onnx", options);
    save_model(weights_model(2), folder_ / "a.onnx", options);
    EXPECT_EQ(listing(), (std::vector<std::string>{"a.onnx", "a.onnx.1.data"}));
    EXPECT_EQ(differences(weights_model(2), load(folder_ / "a.onnx")), std::vector<std::string>{});
    // A stranger's file of that name stays.
    std::ofstream(folder_ / "b.onnx.data") << "precious";
    save_model(weights_model(3), folder_ / "b.onnx", options);
    save_model(weights_model(4), folder_ / "b.onnx", options);
    EXPECT_EQ(slurp(folder_ / "b.onnx.data"), "precious");
    EXPECT_EQ(differences(weights_model(4), load(folder_ / "b.onnx")), std::vector<std::string>{});
}

TEST_F(OnnxSave, NeverOverItsSource) {
    SaveOptions options;
    options.external_data_min_bytes = 100;
    save_model(weights_model(), folder_ / "a.onnx", options);
    const Model model = load(folder_ / "a.onnx");
    fs::create_hard_link(folder_ / "a.onnx", folder_ / "same.onnx");
    std::error_code no_links;
    fs::create_symlink("a.onnx", folder_ / "link.onnx", no_links);
    const std::string before = slurp(folder_ / "a.onnx"), weights = slurp(folder_ / "a.onnx.data");
    std::vector<const char*> names{"a.onnx", "same.onnx", "a.onnx.data"};
    if (!no_links) names.push_back("link.onnx");
    for (const char* name : names)
        EXPECT_TRUE(mentions(refusal([&] { save_model(model, folder_ / name); }),
                             "belongs to the model that is being saved"))
            << name;
    EXPECT_EQ(slurp(folder_ / "a.onnx"), before);
    EXPECT_EQ(slurp(folder_ / "a.onnx.data"), weights);
    SaveOptions over;
    over.overwrite_source = true;
    save_model(model, folder_ / "a.onnx", over);
    EXPECT_EQ(differences(weights_model(), load(folder_ / "a.onnx")), std::vector<std::string>{});
    EXPECT_TRUE(fs::exists(folder_ / "same.onnx"));
}

#ifndef _WIN32  // which has no such files, no fork() and no such modes

TEST_F(OnnxSave, RefusesFoldersFifosAndDevices) {
    fs::create_directory(folder_ / "d");
    ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
    EXPECT_TRUE(
        mentions(refusal([&] { save_model(weights_model(), folder_ / "d"); }), "is a folder"));
    EXPECT_TRUE(mentions(refusal([&] { save_model(weights_model(), folder_ / "fifo"); }),
                         "expected a regular file"));
    EXPECT_TRUE(mentions(refusal([&] { save_model(weights_model(), "/dev/null"); }),
                         "expected a regular file"));
    EXPECT_TRUE(
        mentions(refusal([&] { save_model(weights_model(), folder_ / "no/such/folder.onnx"); }),
                 "No such file"));
    EXPECT_EQ(listing(), (std::vector<std::string>{"d", "fifo"}));
}

TEST_F(OnnxSave, AFailedWriteLeavesTheOldFileAndNoLeftovers) {
    save_model(weights_model(1), folder_ / "a.onnx");
    const std::string before = slurp(folder_ / "a.onnx");
    for (const rlim_t limit : {rlim_t{0}, rlim_t{1}, rlim_t{3000}}) {
        const pid_t child = ::fork();
        if (child == 0) {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit bound{limit, limit};
            ::setrlimit(RLIMIT_FSIZE, &bound);
            int code = 1;
            try {
                SaveOptions options;
                if (limit == 1) options.external_data_min_bytes = 100;
                save_model(weights_model(2), folder_ / "a.onnx", options);
            } catch (const Error& e) {
                code = e.code() == ErrorCode::io_failure && mentions(e.what(), "File too large")
                           ? 0
                           : 2;
            }
            ::_exit(code);
        }
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << limit;
        EXPECT_EQ(slurp(folder_ / "a.onnx"), before);
        EXPECT_EQ(listing(), (std::vector<std::string>{"a.onnx"}));
    }
}

#endif

TEST_F(OnnxSave, CancelledSavesLeaveNothing) {
    Progress progress;
    progress.report = [&](std::string_view, double) { progress.cancel.cancel(); };
    try {
        save_model(weights_model(), folder_ / "a.onnx", {}, progress);
        ADD_FAILURE() << "not cancelled";
    } catch (const Error& e) { EXPECT_EQ(e.code(), ErrorCode::cancelled); }
    EXPECT_TRUE(listing().empty());
}

TEST_F(OnnxSave, OddFileNames) {
    std::vector<const char*> names{"mod\xc3\xa8le \xe6\xa8\xa1.onnx", "-rf", "nfd e\xcc\x81.onnx"};
#ifndef _WIN32  // which takes neither of them
    names.insert(names.end(), {"new\nline.onnx", "trailing."});
#endif
    for (const char* name : names) {
        SaveOptions options;
        options.external_data_min_bytes = 100;
        save_model(weights_model(), folder_ / name, options);
        EXPECT_EQ(differences(weights_model(), load(folder_ / name)), std::vector<std::string>{})
            << name;
    }
}

TEST_F(OnnxSave, CapturedValuesFollowRenames) {
    GraphParts branch, graph;
    branch.nodes = {node("Neg", {"v"}, {"other"}), node("Add", {"other", "v"}, {"t"})};
    branch.outputs = {bytes(1, "t")};
    const std::string branches =
        bytes(5, attribute_head("then_branch", 5) + bytes(6, branch.encode())) +
        bytes(5, attribute_head("else_branch", 5) + bytes(6, branch.encode()));
    graph.nodes = {node("Relu", {"x"}, {"v"}), node("If", {"c"}, {"y"}, "if0", branches)};
    graph.inputs = {value_info("x", 1, {2}), value_info("c", 9, {})};
    graph.outputs = {value_info("y", 1, {2})};
    Model model = load(test::onnx_bytes::model(graph));
    GraphEdit edit(model.graph);
    edit.rename(model.graph.find_value("v"), "other");  // the branches have a value of that name
    edit.record("rename");
    save_model(model, folder_ / "a.onnx");
    const Model again = load(folder_ / "a.onnx");
    verify(again);
    const Graph& main = again.graph;
    EXPECT_EQ(main.value(main.node(main.nodes()[0]).outputs[0]).name, "other");
    const GraphPtr inner = main.node(main.nodes()[1]).graph_attribute("then_branch");
    const Node& neg = inner->node(inner->nodes()[0]);
    EXPECT_EQ(inner->value(neg.inputs[0]).kind, ValueKind::captured);
    EXPECT_EQ(inner->value(neg.inputs[0]).outer, main.find_value("other"));
    EXPECT_NE(inner->value(neg.outputs[0]).name, "other");
    EXPECT_EQ(inner->node(inner->nodes()[1]).inputs[0], neg.outputs[0]);
}

// ONNX Runtime before 1.22 loads no BeamSearch whose decoder reads an outer value that it does not
// declare.
TEST_F(OnnxSave, BodiesOfOtherDomainsDeclareWhatTheyCapture) {
    GraphParts body, graph;
    body.nodes = {node("Neg", {"w"}, {"t"})};
    body.outputs = {bytes(1, "t")};
    const std::string decoder = bytes(5, attribute_head("decoder", 5) + bytes(6, body.encode())) +
                                bytes(7, "com.microsoft");
    graph.nodes = {node("Relu", {"x"}, {"w"}),
                   node("GreedySearch", {"w"}, {"y"}, "search", decoder)};
    graph.inputs = {value_info("x", 1, {2})};
    graph.outputs = {value_info("y", 1, {2})};
    Model model = load(test::onnx_bytes::model(graph));
    GraphEdit edit(model.graph);
    const NodeId search = model.graph.nodes()[1];
    auto typed = std::make_shared<Graph>(*model.graph.node(search).graph_attribute("decoder"));
    GraphEdit inner(*typed);
    inner.set_type(typed->find_value("w"), Type::tensor(DType::f32, SymbolicShape{2}));
    edit.set_attribute(search, Attribute{"decoder", AttributeValue(GraphPtr(typed)), {}, {}});
    edit.record("type the body");
    save_model(model, folder_ / "a.onnx");
    std::ifstream file(folder_ / "a.onnx", std::ios::binary);
    const std::string written(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(written.find(bytes(13, value_info("w", 1, {2}))), std::string::npos)
        << "a value_info of the body";
    const Model again = load(folder_ / "a.onnx");
    EXPECT_TRUE(again.warnings.empty()) << again.warnings.front().message;
}

TEST_F(OnnxSave, OutputsOfUnknownRankKeepTheDeclaredOne) {
    GraphParts graph;
    graph.nodes = {node("Relu", {"x"}, {"y"})};
    graph.inputs = {value_info("x", 1, {2, 3})};
    graph.outputs = {value_info("y", 1, {2, 3})};
    Model model = load(test::onnx_bytes::model(graph));
    GraphEdit edit(model.graph);
    edit.set_type(model.graph.outputs()[0],
                  Type::tensor(DType::f32));  // as inference leaves what it cannot know
    edit.record("forget");
    save_model(model, folder_ / "a.onnx");
    const Model again = load(folder_ / "a.onnx");
    const Type& type = again.graph.value(again.graph.outputs()[0]).type;
    ASSERT_TRUE(type.shape);
    EXPECT_EQ(type.shape->size(), 2u);
    EXPECT_TRUE((*type.shape)[0].is_unknown()) << "the sizes are not claimed";
}

TEST_F(OnnxSave, ValueFiles) {
    const fs::path path = folder_ / "input_0.pb";
    const Tensor t = Tensor::of<std::int64_t>({2}, {3, -4});
    save_tensor_proto(path, "x", t);
    const auto [name, value] = load_value_proto(path, Type::tensor(DType::i64));
    EXPECT_EQ(name, "x");
    EXPECT_TRUE(same_contents(value.tensor(), t));
    const auto put = [&](const std::string& contents) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << contents;
    };
    put(bytes(1, "s") + number(2, 1) + bytes(3, tensor("", {1}, 1, "1234")) +
        bytes(3, tensor("", {2}, 1, "12345678")));
    const auto sequence = load_value_proto(path, Type::sequence(Type::tensor(DType::f32)));
    EXPECT_EQ(sequence.first, "s");
    ASSERT_EQ(sequence.second.sequence().items.size(), 2u);
    EXPECT_EQ(sequence.second.sequence().items[1].tensor().shape(), Shape{2});
    put(bytes(1, "o") + number(2, 1) + bytes(3, tensor("", {1}, 1, "1234")));
    EXPECT_TRUE(
        load_value_proto(path, Type::optional(Type::tensor(DType::f32))).second.is_tensor());
    put(bytes(1, "o") + number(2, 1));
    EXPECT_TRUE(load_value_proto(path, Type::optional(Type::tensor(DType::f32))).second.is_empty());
    Type map;
    map.kind = Type::Kind::map;
    put(bytes(1, "m") + number(2, 7) + bytes(3, varint(5) + varint(6)) +
        bytes(5, bytes(3, tensor("", {}, 1, raw<float>({1}))) +
                     bytes(3, tensor("", {}, 1, raw<float>({2})))));
    const auto read = load_value_proto(path, map).second;
    EXPECT_EQ(read.map().int_keys, (std::vector<std::int64_t>{5, 6}));
    EXPECT_EQ(to_doubles(read.map().values), (std::vector<double>{1, 2}));
    put(tensor("x", {std::int64_t{1} << 40}, 1, "1234"));
    try {
        load_value_proto(path, Type::tensor(DType::f32));
        ADD_FAILURE() << "4 TiB loaded";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::invalid_input);
        EXPECT_TRUE(mentions(e.what(), "need 4398046511104 bytes, raw_data has 4")) << e.what();
    }
}

#ifndef _WIN32

TEST_F(OnnxSave, AtomicFilesKeepModeAndFollowLinks) {
    const fs::path path = folder_ / "f";
    std::ofstream(path) << "old";
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
    fs::create_symlink("f", folder_ / "link");
    {
        AtomicFile abandoned(path);
        abandoned.write("half");
    }
    EXPECT_EQ(slurp(path), "old");
    AtomicFile file(folder_ / "link");
    file.write("new");
    EXPECT_EQ(slurp(path), "old");
    file.commit();
    EXPECT_TRUE(file.is_in_place());
    EXPECT_EQ(slurp(path), "new");
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(fs::status(path).permissions(),
              fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
    EXPECT_EQ(listing(), (std::vector<std::string>{"f", "link"}));
}

#endif

}  // namespace
}  // namespace lapidary
