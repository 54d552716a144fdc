// SPDX-License-Identifier: Apache-2.0
// The only file that uses libjpeg.
#include <csetjmp>
#include <cstdio>
#include <string>

#include <jpeglib.h>
#include <jerror.h>

#include <lapidary/base/error.h>

#include "tensor_io/decoded_image.h"

namespace lapidary {
namespace {

// a progressive file of a few bytes may ask for the whole image again and again
constexpr int max_scans = 500;

struct JpegJob {
    jpeg_error_mgr errors;  // first member: libjpeg hands back its address
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX] = "";
    const CancelToken* cancel = nullptr;
    jpeg_decompress_struct decoder{};
    jpeg_progress_mgr progress{};
    DecodedImage image;
    ~JpegJob() { jpeg_destroy_decompress(&decoder); }
};

void on_error(j_common_ptr codec) {
    auto* job = reinterpret_cast<JpegJob*>(codec->err);
    codec->err->format_message(codec, job->message);
    std::longjmp(job->jump, 1);
}

/// Warnings mean that data is missing or wrong and grey was filled in: no image to measure a model
/// with.
void on_message(j_common_ptr codec, int level) {
    if (level < 0) on_error(codec);
}

void on_progress(j_common_ptr codec) {
    auto* decoder = reinterpret_cast<j_decompress_ptr>(codec);
    const auto* job = static_cast<const JpegJob*>(codec->client_data);
    if (decoder->input_scan_number > max_scans || job->cancel->is_cancelled())
        ERREXIT(codec, JERR_BAD_PROGRESSION);
}

// No object with a destructor lives in the functions that longjmp() leaves.
bool read_header(JpegJob& job, std::span<const std::byte> file) {
    if (setjmp(job.jump)) return false;
    jpeg_create_decompress(&job.decoder);
    job.decoder.client_data = &job;
    job.progress.progress_monitor = on_progress;
    job.decoder.progress = &job.progress;
    jpeg_mem_src(&job.decoder, reinterpret_cast<const unsigned char*>(file.data()),
                 static_cast<unsigned long>(file.size()));
    jpeg_read_header(&job.decoder, TRUE);
    return true;
}

bool read_rows(JpegJob& job) {
    if (setjmp(job.jump)) return false;
    job.decoder.out_color_space = JCS_RGB;
    jpeg_start_decompress(&job.decoder);
    while (job.decoder.output_scanline < job.decoder.output_height) {
        if (job.cancel->is_cancelled()) return false;
        JSAMPROW row = job.image.pixels.data() +
                       std::size_t(3) * job.decoder.output_width * job.decoder.output_scanline;
        jpeg_read_scanlines(&job.decoder, &row, 1);
    }
    jpeg_finish_decompress(&job.decoder);
    return true;
}

}  // namespace

DecodedImage decode_jpeg(std::span<const std::byte> file, const Limits& limits,
                         const CancelToken& cancel) {
    JpegJob job;
    job.cancel = &cancel;
    job.decoder.err = jpeg_std_error(&job.errors);
    job.errors.error_exit = on_error;
    job.errors.emit_message = on_message;
    const auto damaged = [&] {
        fail_input(std::string("the JPEG image cannot be decoded: ") + job.message);
    };
    if (!read_header(job, file)) damaged();
    check_image_size(job.decoder.image_width, job.decoder.image_height, limits);
    if (job.decoder.jpeg_color_space == JCS_CMYK || job.decoder.jpeg_color_space == JCS_YCCK)
        fail_unsupported("CMYK JPEG images are not supported, convert the image to RGB");
    job.image.width = job.decoder.image_width;
    job.image.height = job.decoder.image_height;
    job.image.pixels.resize(std::size_t(3) * job.decoder.image_width * job.decoder.image_height);
    if (!read_rows(job)) {
        cancel.throw_if_cancelled();
        damaged();
    }
    return std::move(job.image);
}

}  // namespace lapidary
