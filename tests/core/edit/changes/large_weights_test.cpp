// SPDX-License-Identifier: Apache-2.0
// Constants from large .npy files stay on the disk until they are written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <lapidary/edit/apply_edits.h>
#include <lapidary/onnx_io/model_io.h>

#include "base/memory/process_memory.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr std::int64_t elements_of_array = std::int64_t{48} << 20;  // 192 MiB of float32

/// An array of zeros, but for the last, that takes no room on the disk.
void write_array_of_holes(const std::filesystem::path& file) {
    constexpr std::size_t header_bytes = 128;
    std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(elements_of_array) + ",), }";
    text.resize(header_bytes - 11, ' ');
    std::ofstream out(file, std::ios::binary);
    out << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(text.size() + 1) << '\0' << text
        << '\n';
    const float last = 7;
    out.seekp(static_cast<std::streamoff>(header_bytes) + (elements_of_array - 1) * 4);
    out.write(reinterpret_cast<const char*>(&last), sizeof last);
}

TEST(LargeWeights, AreReadWhenTheyAreWritten) {
#if !defined(__linux__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "only Linux forgets a peak, and sanitizers take memory too";
#endif
    const TemporaryFolder folder;
    write_array_of_holes(folder / "big.npy");
    Model model = test::model_of("(x: f32[" + std::to_string(elements_of_array) +
                                 "], s: f32[]) -> (y)\n y = Mul(x, s)\n");
    EditScript script = parse_edit_script("constant x = big.npy\nweight x = big.npy");
    script.folder = folder / ".";
    std::ofstream("/proc/self/clear_refs") << "5";
    const auto before = peak_resident_bytes();
    ASSERT_TRUE(before);
    apply_edits(model, script);
    SaveOptions save;
    save.external_data_min_bytes = 1 << 20;
    save_model(model, folder / "out.onnx", save);
    const auto after = peak_resident_bytes();
    ASSERT_TRUE(after);
    EXPECT_LT(*after - *before, std::uint64_t{64} << 20);

    const Model read = load_model(folder / "out.onnx");
    const Tensor& x = *read.graph.value(read.graph.find_value("x")).constant;
    ASSERT_EQ(x.size(), elements_of_array);
    EXPECT_EQ(x.data<float>().back(), 7);
}

}  // namespace
}  // namespace lapidary
