// SPDX-License-Identifier: Apache-2.0
// Models larger than memory: weights in blocks are read, rounded and written one at a time.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize.h>

#include "base/files/mapped_file.h"
#include "base/memory/process_memory.h"
#include "quantize/weights/block_weight.h"
#include "quantize/writers/tensors_on_disk.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr std::int64_t rows_of_weight = 4096;
constexpr std::size_t weight_bytes = rows_of_weight * rows_of_weight * sizeof(float);
constexpr int large_weights = 8;

/// Products one after the other, with weights in a file that takes no room on the disk.
Model model_of_holes(const std::filesystem::path& file) {
    std::ofstream(file).close();
    std::filesystem::resize_file(file, large_weights * weight_bytes);
    const auto mapped = MappedFile::open(file, MappedFile::Reading::in_passing);
    Model model;
    model.ir_version = 8;
    model.opset_imports = {{"", 17}};
    GraphEdit edit(model.graph);
    edit.set_default_version(17);
    ValueId at = edit.add_input("x", Type::tensor(DType::f32, {1, rows_of_weight}));
    for (int i = 0; i < large_weights; ++i) {
        const std::byte* const data =
            mapped->bytes().data() + static_cast<std::size_t>(i) * weight_bytes;
        const Tensor weight = Tensor::borrow(DType::f32, {rows_of_weight, rows_of_weight},
                                             const_cast<std::byte*>(data), mapped);  // is only read
        at = edit.node("MatMul", {at, edit.add_initializer("w" + std::to_string(i), weight)});
    }
    edit.add_output(at);
    edit.finish();
    return model;
}

TEST(LargeModel, OneWeightAtATimeIsInMemory) {
#if !defined(__linux__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "only Linux forgets a peak, and sanitizers take memory too";
#endif
    const TemporaryFolder folder;
    const Model model = model_of_holes(folder / "holes");
    QuantizeOptions options;
    options.mode = QuantizeMode::weights;
    options.weight_bits = 4;
    std::ofstream("/proc/self/clear_refs") << "5";
    const auto before = peak_resident_bytes();
    ASSERT_TRUE(before);
    {
        const QuantizeResult made = quantize_model(model, options, nullptr);
        EXPECT_EQ(made.quantized, static_cast<std::size_t>(large_weights));
        save_model(made.model, folder / "q.onnx");
    }
    const auto after = peak_resident_bytes();
    ASSERT_TRUE(after);
    EXPECT_LT(*after - *before, 3 * weight_bytes) << "of " << large_weights << " weights";
    EXPECT_GT(std::filesystem::file_size(folder / "q.onnx"), large_weights * weight_bytes / 8);
}

TEST(LargeModel, TensorsOnDiskHaveTheSameElements) {
    BlockWeight weight;
    weight.values = Tensor(DType::u8, {1024, 257, 16});
    weight.scales = Tensor(DType::f32, {1024, 257});
    auto bytes = weight.values.mutable_data<std::uint8_t>();
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 255);
    auto scales = weight.scales.mutable_data<float>();
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<float>(i) / 3;
    BlockWeight kept = weight;
    {
        TensorsOnDisk unused(100);
        unused.keep({&kept.values, &kept.scales, &kept.zero_points});
        EXPECT_EQ(kept.values.identity(), weight.values.identity())
            << "a small model stays as it is";
        TensorsOnDisk on_disk(100, 50);
        on_disk.keep({&kept.values, &kept.scales, &kept.zero_points});
    }
    ASSERT_NE(kept.values.identity(), weight.values.identity());
    EXPECT_FALSE(kept.zero_points) << "absent before, absent after";
    EXPECT_EQ(kept.scales.shape(), weight.scales.shape());
    kept.scales.drop_pages();
    EXPECT_EQ(std::memcmp(kept.values.raw(), weight.values.raw(), weight.values.byte_size()), 0);
    EXPECT_EQ(std::memcmp(kept.scales.raw(), weight.scales.raw(), weight.scales.byte_size()), 0);
    Tensor small = Tensor::of<float>({2}, {1, 2});
    const void* const first = small.identity();
    TensorsOnDisk(100, 50).keep({&small});
    EXPECT_EQ(small.identity(), first) << "a file would be larger than it";
}

}  // namespace
}  // namespace lapidary
