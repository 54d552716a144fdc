// SPDX-License-Identifier: Apache-2.0
// fuzz_seeds GRAPHS CORPUS: makes the files of the corpus that only the engine can write. GRAPHS is
// a folder of graphs as text, one a file. Those that the engine accepts become models for the
// targets `model`, `shapes` and `levels`; arrays, tensors, a JPEG and the record of a run follow.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <jpeglib.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/ort_writer.h"
#include "support/pass_harness.h"
#include "worker/jobs/profile_job.h"

using namespace lapidary;

namespace {

using Path = std::filesystem::path;

void write_bytes(const Path& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

int write_models(const Path& graphs, const Path& corpus) {
    int written = 0;
    for (const auto& entry : std::filesystem::directory_iterator(graphs)) try {
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            const Model model = test::model_of(text.str());
            const std::string name = entry.path().stem().string();
            const Path path = corpus / "model" / (name + ".onnx");
            save_model(model, path);
            for (const char* target : {"shapes", "levels"})
                std::filesystem::copy_file(path, corpus / target / path.filename());
            if (++written % 8 == 0 && test::can_write_ort())
                write_bytes(corpus / "model" / (name + ".ort"), test::ort_file_of(model));
        } catch (const Error&) {  // a fixture of what is refused
        }
    return written;
}

void write_arrays(const Path& corpus) {
    NamedValues all;
    for (const DType type :
         {DType::f32, DType::f64, DType::i64, DType::u8, DType::f16, DType::i4, DType::boolean}) {
        const Tensor tensor(type, {2, 3});
        const std::string name(name_of(type));
        save_npy(corpus / "npy" / (name + ".npy"), tensor);
        save_tensor_proto(corpus / "tensor_proto" / (name + ".pb"), name, tensor);
        all.emplace_back(name, tensor);
    }
    save_npz(corpus / "npz" / "all.npz", all);
    save_npz(corpus / "recording" / "values.npz", all);
}

/// A picture of 9 x 7 pixels.
void write_jpeg(const Path& path) {
    jpeg_compress_struct encoder;
    jpeg_error_mgr errors;
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&encoder, &bytes, &size);
    encoder.image_width = 9;
    encoder.image_height = 7;
    encoder.input_components = 3;
    encoder.in_color_space = JCS_RGB;
    jpeg_set_defaults(&encoder);
    jpeg_start_compress(&encoder, TRUE);
    std::array<JSAMPLE, 27> pixels;
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<JSAMPLE>(9 * i);
    JSAMPROW row = pixels.data();
    while (encoder.next_scanline < encoder.image_height) jpeg_write_scanlines(&encoder, &row, 1);
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    write_bytes(path, std::as_bytes(std::span(bytes, size)));
    std::free(bytes);
}

void write_run_record(const Path& file) {
    app::ProfileJob job;
    job.model.sample = "mlp";
    job.model.model = std::make_shared<const Model>(build_sample("mlp"));
    job.settings.repetitions = 1;
    const Progress progress;
    const SharedMemory block = app::ProfileJob::block_of(job.run(app::JobContext{progress}));
    write_bytes(file, block.bytes());
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) return std::cerr << "usage: fuzz_seeds GRAPHS CORPUS\n", 2;
    const Path corpus = argv[2];
    for (const char* target : {"image", "model", "shapes", "levels", "npy", "npz", "tensor_proto",
                               "recording", "run_record"})
        std::filesystem::create_directories(corpus / target);
    const int models = write_models(argv[1], corpus);
    write_arrays(corpus);
    write_jpeg(corpus / "image" / "rgb.jpg");
    write_run_record(corpus / "run_record" / "mlp");
    std::cout << models << " models\n";
    return models > 0 ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
