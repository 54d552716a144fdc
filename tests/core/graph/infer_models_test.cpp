// SPDX-License-Identifier: Apache-2.0
// Inference on models of other people: it agrees with what they declare and with outputs recorded
// from runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "graph/verify.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> real_models() {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(test_data() / "models" / "real", ignored)) {
        if (entry.path().extension() == ".onnx") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

Model load_untyped(const fs::path& path) {
    LoadOptions options;
    options.infer_types = false;
    return load_model(path, options);
}

/// Takes away what the file says about values that nodes write, so that only inference is left.
void forget_declarations(Model& model) {
    GraphEdit edit(model.graph);
    for (ValueId id : model.graph.values()) {
        if (model.graph.value(id).kind != ValueKind::node_output) continue;
        edit.set_declared(id, false);
        edit.set_type(id, Type());
    }
}

/// Its Gemm multiplies a tensor of rank 3, a product of a faulty fusion; ONNX Runtime refuses it
/// too.
bool is_invalid(const fs::path& path) { return path.filename() == "cct-2-32-32-128.onnx"; }

TEST(InferModels, AgreeWithTheirDeclarations) {
    const auto models = real_models();
    if (models.empty()) GTEST_SKIP() << "no models under " << test_data();
    for (const fs::path& path : models) {
        SCOPED_TRACE(path.filename().string());
        Model model = load_untyped(path);
        if (is_invalid(path)) {
            EXPECT_THROW(infer_types(model), Error);
            continue;
        }
        const std::size_t before = model.warnings.size();
        Model bare = model;
        ASSERT_NO_THROW(infer_types(model));
        verify(model);
        for (std::size_t i = before; i < model.warnings.size(); ++i) {
            ADD_FAILURE() << model.warnings[i].where << ": " << model.warnings[i].message;
        }
        forget_declarations(bare);
        ASSERT_NO_THROW(infer_types(bare));
        for (ValueId id : model.graph.outputs()) {
            const Type &declared = model.graph.value(id).type,
                       &inferred = bare.graph.value(id).type;
            if (!declared.is_tensor() || inferred.kind == Type::Kind::unknown) continue;
            EXPECT_EQ(inferred.dtype, declared.dtype) << model.graph.value(id).name;
        }
    }
}

TEST(InferModels, AgreeWithRecordedRuns) {
    const auto models = real_models();
    if (models.empty()) GTEST_SKIP() << "no models under " << test_data();
    std::size_t compared = 0, open = 0;
    for (const fs::path& path : models) {
        const fs::path cases = test_data() / "models" / "ref" / path.stem();
        if (!fs::is_directory(cases)) continue;
        for (const auto& entry : fs::directory_iterator(cases)) {
            const fs::path folder = entry.path();
            if (!fs::exists(folder / "inputs.npz") || !fs::exists(folder / "expected.npz"))
                continue;
            SCOPED_TRACE(folder.string());
            Model model = load_untyped(path);
            forget_declarations(model);
            InferOptions options;
            for (const auto& [name, value] : load_npz(folder / "inputs.npz")) {
                const ValueId id = model.graph.find_value(name);
                if (id && value.is_tensor()) options.input_shapes[name] = value.tensor().shape();
            }
            ASSERT_NO_THROW(infer_types(model, options));
            for (const auto& [name, value] : load_npz(folder / "expected.npz")) {
                const ValueId id = model.graph.find_value(name);
                if (!id || !value.is_tensor()) continue;
                const Type& type = model.graph.value(id).type;
                ++compared;
                if (!type.is_tensor() || !type.shape) {
                    ++open;
                    continue;
                }
                ASSERT_EQ(type.shape->size(), value.tensor().shape().size())
                    << name << " " << to_string(type);
                for (std::size_t i = 0; i < type.shape->size(); ++i) {
                    const Dim& dim = (*type.shape)[i];
                    if (dim.is_known())
                        EXPECT_EQ(dim.value(), value.tensor().shape()[i]) << name << " axis " << i;
                    else ++open;
                }
            }
        }
    }
    EXPECT_GT(compared, 80u);
    EXPECT_LT(open, compared / 4) << "dimensions that stay open although the inputs are known";
}

}  // namespace
}  // namespace lapidary
