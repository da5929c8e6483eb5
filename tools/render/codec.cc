#include "render/codec.h"

#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include <csetjmp>
#include <cstring>

namespace sinew::render {

namespace {

bool starts_with(std::span<const std::byte> bytes, std::size_t at, const char* text) {
  const std::size_t length = std::strlen(text);
  return bytes.size() >= at + length && std::memcmp(bytes.data() + at, text, length) == 0;
}

Unexpected broken(const char* format, const std::string& why) {
  return fail(ErrorCode::syntax, "", std::string("a broken ") + format + ": " + why, "save the image again");
}

Result<void> check_size(std::size_t width, std::size_t height) {
  if (width > 0 && height > 0 && width <= kPixelLimit / height) return {};
  return fail(ErrorCode::too_large, "",
              "an image of " + std::to_string(width) + " x " + std::to_string(height) + " pixels",
              "the limit is 64 million pixels: make it smaller");
}

Result<Picture> decode_png(std::span<const std::byte> bytes) {
  png_image image;
  std::memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) return broken("PNG", image.message);
  if (const Result<void> good = check_size(image.width, image.height); !good) {
    png_image_free(&image);
    return Unexpected(good.error());
  }
  image.format = PNG_FORMAT_RGBA;
  Picture picture(image.width, image.height);
  if (!png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr)) return broken("PNG", image.message);
  return picture;
}

/// libjpeg leaves by its error_exit, which must not return: it jumps back to the reader.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];
};

struct JpegReader {
  jpeg_decompress_struct info{};
  JpegErrors errors{};
  Result<void> size;  // an error where the picture is too large
};

/// False where libjpeg met an error. No object with a destructor lives in here: a jump would pass it by.
bool read_jpeg(JpegReader& reader, std::span<const std::byte> bytes, Picture& picture) {
  jpeg_decompress_struct& info = reader.info;
  info.err = jpeg_std_error(&reader.errors.base);
  reader.errors.base.error_exit = [](j_common_ptr at) {
    auto* errors = reinterpret_cast<JpegErrors*>(at->err);
    at->err->format_message(at, errors->text);
    std::longjmp(errors->back, 1);
  };
  reader.errors.base.output_message = [](j_common_ptr) {};
  if (setjmp(reader.errors.back)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&info, TRUE);
  reader.size = check_size(info.image_width, info.image_height);
  if (reader.size) {
    info.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&info);
    picture.width = info.output_width, picture.height = info.output_height;
    picture.pixels.resize(std::size_t(picture.width) * picture.height * 4);
    while (info.output_scanline < info.output_height) {
      JSAMPROW row = picture.at(0, info.output_scanline);
      jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
  }
  jpeg_destroy_decompress(&info);
  return true;
}

Result<Picture> decode_jpeg(std::span<const std::byte> bytes) {
  JpegReader reader;
  Picture picture;
  if (!read_jpeg(reader, bytes, picture)) return broken("JPEG", reader.errors.text);
  if (!reader.size) return Unexpected(reader.size.error());
  return picture;
}

Result<Picture> decode_webp(std::span<const std::byte> bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  int width = 0, height = 0;
  if (!WebPGetInfo(data, bytes.size(), &width, &height)) return broken("WebP", "its header cannot be read");
  if (const Result<void> good = check_size(static_cast<std::size_t>(width), static_cast<std::size_t>(height)); !good)
    return Unexpected(good.error());
  Picture picture(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
  if (!WebPDecodeRGBAInto(data, bytes.size(), picture.pixels.data(), picture.pixels.size(), width * 4))
    return broken("WebP", "its data cannot be decoded");
  return picture;
}

}  // namespace

Result<Picture> decode(std::span<const std::byte> bytes) {
  if (starts_with(bytes, 1, "PNG\r\n")) return decode_png(bytes);
  if (starts_with(bytes, 0, "\xFF\xD8\xFF")) return decode_jpeg(bytes);
  if (starts_with(bytes, 0, "RIFF") && starts_with(bytes, 8, "WEBP")) return decode_webp(bytes);
  return fail(ErrorCode::unrecognized, "", "an image that is neither PNG nor JPEG nor WebP", "save it as PNG");
}

Result<std::vector<std::byte>> encode_png(const Picture& picture) {
  png_image image;
  std::memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  bool opaque = true;
  for (std::size_t i = 3; i < picture.pixels.size() && opaque; i += 4) opaque = picture.pixels[i] == 255;
  // Without its alpha an opaque picture is a quarter smaller.
  std::vector<std::uint8_t> rgb;
  if (opaque) {
    rgb.reserve(picture.pixels.size() / 4 * 3);
    for (std::size_t i = 0; i < picture.pixels.size(); i += 4)
      rgb.insert(rgb.end(), &picture.pixels[i], &picture.pixels[i] + 3);
  }
  image.format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  const std::uint8_t* pixels = opaque ? rgb.data() : picture.pixels.data();
  std::vector<std::byte> out(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = out.size();
  if (!png_image_write_to_memory(&image, out.data(), &size, 0, pixels, 0, nullptr))
    return fail(ErrorCode::io, "", std::string("the PNG cannot be made: ") + image.message, "");
  out.resize(size);
  return out;
}

Result<std::vector<std::byte>> encode_webp(const Picture& picture) {
  std::uint8_t* made = nullptr;
  const std::size_t size =
      WebPEncodeRGBA(picture.pixels.data(), static_cast<int>(picture.width), static_cast<int>(picture.height),
                     static_cast<int>(picture.width) * 4, 90, &made);
  if (size == 0)
    return fail(ErrorCode::unsupported, "", "the WebP cannot be made", "its limit is 16383 pixels a side: give PNG");
  const auto* bytes = reinterpret_cast<const std::byte*>(made);
  std::vector<std::byte> out(bytes, bytes + size);
  WebPFree(made);
  return out;
}

}  // namespace sinew::render
