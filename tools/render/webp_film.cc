#include <webp/encode.h>
#include <webp/mux.h>

#include <cmath>

#include "render/film.h"

namespace sinew::render {

namespace {

using WriteBytes = std::function<Result<void>(std::span<const std::byte>)>;

class WebpFilm final : public Film {
 public:
  WebpFilm(WriteBytes write, FilmSize size) : write_(std::move(write)), rate_(size.frames_per_second) {
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options)) return;
    encoder_ = WebPAnimEncoderNew(static_cast<int>(size.width), static_cast<int>(size.height), &options);
  }
  WebpFilm(const WebpFilm&) = delete;
  WebpFilm& operator=(const WebpFilm&) = delete;
  ~WebpFilm() override { WebPAnimEncoderDelete(encoder_); }

  Result<void> add(const Picture& picture) override {
    WebPConfig config;
    WebPPicture frame;
    if (!encoder_ || !WebPConfigInit(&config) || !WebPPictureInit(&frame)) return failed("it cannot begin");
    config.quality = 85;
    config.method = 2;
    frame.width = static_cast<int>(picture.width);
    frame.height = static_cast<int>(picture.height);
    frame.use_argb = 1;
    const bool added = WebPPictureImportRGBA(&frame, picture.pixels.data(), frame.width * 4) &&
                       WebPAnimEncoderAdd(encoder_, &frame, milliseconds(count_), &config);
    WebPPictureFree(&frame);
    if (!added) return failed(WebPAnimEncoderGetError(encoder_));
    ++count_;
    return {};
  }

  Result<void> finish() override {
    WebPData data;
    WebPDataInit(&data);
    const bool made = encoder_ && WebPAnimEncoderAdd(encoder_, nullptr, milliseconds(count_), nullptr) &&
                      WebPAnimEncoderAssemble(encoder_, &data);
    if (!made) return failed(encoder_ ? WebPAnimEncoderGetError(encoder_) : "it cannot begin");
    const Result<void> written = write_({reinterpret_cast<const std::byte*>(data.bytes), data.size});
    WebPDataClear(&data);
    return written;
  }

 private:
  /// From the frame's number and not from a sum: the rate need not divide a thousand.
  int milliseconds(std::size_t frame) const { return static_cast<int>(std::lround(1000.0 * double(frame) / rate_)); }
  static Unexpected failed(const char* why) {
    return fail(ErrorCode::unsupported, "", std::string("the animated WebP cannot be made: ") + why,
                "make it smaller or shorter, or give .mp4");
  }

  WriteBytes write_;
  WebPAnimEncoder* encoder_ = nullptr;
  double rate_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Film> make_webp_film(WriteBytes write, FilmSize size) {
  return std::make_unique<WebpFilm>(std::move(write), size);
}

}  // namespace sinew::render
