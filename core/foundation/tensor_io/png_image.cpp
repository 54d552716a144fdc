// SPDX-License-Identifier: Apache-2.0
// The only file that uses libpng.
#include <csetjmp>
#include <cstring>
#include <string>

#include <png.h>

#include <lapidary/base/error.h>

#include "tensor_io/decoded_image.h"

namespace lapidary {
namespace {

/// Everything that must survive a longjmp() out of libpng lives here, outside the frame that jumps.
struct PngJob {
    std::span<const std::byte> file;
    const CancelToken* cancel = nullptr;
    std::size_t position = 0;
    char message[128] = "";
    png_structp png = nullptr;
    png_infop info = nullptr;
    DecodedImage image;
    png_uint_32 width = 0, height = 0;
    int passes = 1;
    ~PngJob() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp text) {
    auto* job = static_cast<PngJob*>(png_get_error_ptr(png));
    std::strncpy(job->message, text, sizeof job->message - 1);
    png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep target, std::size_t count) {
    auto* job = static_cast<PngJob*>(png_get_io_ptr(png));
    if (count > job->file.size() - job->position) png_error(png, "the file ends too early");
    std::memcpy(target, job->file.data() + job->position, count);
    job->position += count;
}

// The two functions below hold no object with a destructor, so a longjmp() over them is well
// defined.
bool read_header(PngJob& job) {
    if (setjmp(png_jmpbuf(job.png))) return false;
    png_read_info(job.png, job.info);
    job.width = png_get_image_width(job.png, job.info);
    job.height = png_get_image_height(job.png, job.info);
    return true;
}

bool start_rows(PngJob& job) {
    if (setjmp(png_jmpbuf(job.png))) return false;
    png_set_expand(job.png);
    png_set_strip_16(job.png);
    png_set_strip_alpha(job.png);
    png_set_gray_to_rgb(job.png);
    job.passes = png_set_interlace_handling(job.png);
    png_read_update_info(job.png, job.info);
    return true;
}

bool read_rows(PngJob& job) {
    if (setjmp(png_jmpbuf(job.png))) return false;
    for (int pass = 0; pass < job.passes; ++pass)
        for (png_uint_32 y = 0; y < job.height; ++y) {
            if (job.cancel->is_cancelled()) return false;
            png_read_row(job.png, job.image.pixels.data() + std::size_t(3) * job.width * y,
                         nullptr);
        }
    png_read_end(job.png, nullptr);
    return true;
}

}  // namespace

DecodedImage decode_png(std::span<const std::byte> file, const Limits& limits,
                        const CancelToken& cancel) {
    PngJob job;
    job.file = file;
    job.cancel = &cancel;
    const auto damaged = [&] {
        fail_input(std::string("the PNG image cannot be decoded: ") + job.message);
    };
    job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png ? png_create_info_struct(job.png) : nullptr;
    if (!job.info) fail_limit("there is no memory for decoding a PNG image");
    png_set_user_limits(job.png, 0x7fffffff, 0x7fffffff);  // check_image_size() is the limit
    png_set_read_fn(job.png, &job, on_read);
    if (!read_header(job)) damaged();
    check_image_size(job.width, job.height, limits);
    if (!start_rows(job)) damaged();
    if (png_get_rowbytes(job.png, job.info) != std::size_t(3) * job.width)
        fail_unsupported("the PNG image does not decode to 8-bit RGB");
    job.image.width = job.width;
    job.image.height = job.height;
    job.image.pixels.resize(std::size_t(3) * job.width * job.height);
    if (!read_rows(job)) {
        cancel.throw_if_cancelled();
        damaged();
    }
    return std::move(job.image);
}

}  // namespace lapidary
