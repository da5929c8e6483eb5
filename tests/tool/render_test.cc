// sinew render: pictures show the character, at its size, in its pose; films and sheets have their frames; and nothing
// that Vulkan's validation layer would speak of.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "program.h"
#include "render/codec.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using render::Picture;

class Render : public testing::Test {
 protected:
  Render() {
    write_glb(folder(), "strip", strip());
    ::setenv("SINEW_VALIDATION", "1", 1);  // a message is then a failure of the tool
  }
  ~Render() override { ::unsetenv("SINEW_VALIDATION"); }
  const std::filesystem::path& folder() const { return folder_.path(); }

  Ran ran(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"render", "strip.glb"});
    Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 0) << out.err;
    return out;
  }
  Picture picture(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-o", "out.png"});
    ran(arguments);
    return must(render::decode(read_bytes(folder() / "out.png")));
  }
  std::string bytes(const std::string& name) {
    const std::vector<std::byte> data = read_bytes(folder() / name);
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }

 private:
  TemporaryFolder folder_;
};

/// Share of pixels for which `holds`.
template <class F>
double share(const Picture& picture, F holds) {
  std::size_t count = 0;
  for (std::uint32_t y = 0; y < picture.height; ++y)
    for (std::uint32_t x = 0; x < picture.width; ++x) count += holds(picture.at(x, y));
  return static_cast<double>(count) / static_cast<double>(picture.width * picture.height);
}

double covered(const Picture& picture) {
  return share(picture, [](const std::uint8_t* p) { return p[3] == 255; });
}

double differing(const Picture& a, const Picture& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.pixels.size(); i += 4)
    count += std::abs(a.pixels[i] - b.pixels[i]) + std::abs(a.pixels[i + 3] - b.pixels[i + 3]) > 8;
  return static_cast<double>(count * 4) / static_cast<double>(a.pixels.size());
}

std::size_t occurrences(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_F(Render, PictureHasItsSizeAndTheCharacterInIt) {
  const Picture all = picture({"--size", "96x64", "--background", "transparent"});
  EXPECT_EQ(all.width, 96u);
  EXPECT_EQ(all.height, 64u);
  EXPECT_GT(covered(all), 0.1);
  EXPECT_LT(covered(all), 0.9);
  // The margin of the frame is free, and some side's neighbour is not: the camera is as near as it may be.
  for (const std::uint32_t x : {0u, 95u})
    for (std::uint32_t y = 0; y < 64; ++y) EXPECT_EQ(all.at(x, y)[3], 0) << x << ' ' << y;
  std::uint32_t top = 64;
  for (std::uint32_t i = 0; i < 96 * 64; ++i)
    if (all.at(i % 96, i / 96)[3] && top == 64) top = i / 96;
  EXPECT_LE(top, 8u);
}

TEST_F(Render, GroundAndLightAreThere) {
  const Picture with = picture({"--size", "64x64"}), without = picture({"--size", "64x64", "--no-ground"});
  EXPECT_EQ(covered(with), 1);
  EXPECT_GT(differing(with, without), 0.2);
  const Picture white = picture({"--size", "64x64", "--no-ground", "--background", "FF8000"});
  EXPECT_EQ(white.at(0, 0)[0], 0xFF);
  EXPECT_EQ(white.at(0, 0)[1], 0x80);
  EXPECT_EQ(white.at(0, 0)[2], 0x00);
}

TEST_F(Render, ThePictureFollowsTheClip) {
  const std::vector<std::string> still{"--size", "64x64", "--clip", "bend", "--background", "transparent", "--time"};
  const auto at = [&](const char* time) {
    std::vector<std::string> arguments = still;
    arguments.push_back(time);
    return picture(arguments);
  };
  const Picture start = at("0"), end = at("1");
  EXPECT_GT(differing(start, end), 0.05);
  EXPECT_EQ(differing(start, at("0")), 0);
}

TEST_F(Render, CamerasSeeDifferentSides) {
  const Picture front = picture({"--size", "64x64", "--camera", "front", "--background", "transparent"}),
                side = picture({"--size", "64x64", "--camera", "side", "--background", "transparent"}),
                degrees = picture({"--size", "64x64", "--camera", "0,8", "--background", "transparent"});
  EXPECT_EQ(differing(front, degrees), 0);
  EXPECT_LT(covered(side), covered(front) / 4) << "a strip is thin from its side";
}

/// The strip with a material, and texture coordinates (0.5, 0.5) at all vertices.
RawGltf with_material(const nlohmann::json& material) {
  RawGltf raw = to_raw(strip());
  raw.json["materials"] = {material};
  nlohmann::json& primitive = raw.json["meshes"][0]["primitives"][0];
  primitive["material"] = 0;
  primitive["attributes"]["TEXCOORD_0"] = raw.accessor(std::vector<float>(20, 0.5f), "VEC2");
  raw.json["textures"] = {{{"source", 0}}};
  return raw;
}

/// Means of red, green and blue over what is covered.
std::array<double, 3> mean_colour(const Picture& picture) {
  std::array<double, 3> sum{};
  double count = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); i += 4) {
    if (picture.pixels[i + 3] != 255) continue;
    for (std::size_t c = 0; c < 3; ++c) sum[c] += picture.pixels[i + c];
    ++count;
  }
  for (double& s : sum) s /= count;
  return sum;
}

TEST_F(Render, MaterialsGiveTheirColour) {
  const auto shown = [&](const RawGltf& raw) {
    write_bytes(folder() / "strip.glb", raw.glb());
    return picture({"--size", "48x48", "--background", "transparent"});
  };
  const auto red = mean_colour(shown(with_material({{"pbrMetallicRoughness", {{"baseColorFactor", {1, 0, 0, 1}}}}})));
  EXPECT_GT(red[0], 4 * red[1]);
  const std::vector<std::byte> green = must(render::encode_png(Picture(4, 4, {0, 255, 0, 255})));
  write_bytes(folder() / "a green.png", green);
  const nlohmann::json textured = {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}};
  for (const bool beside : {false, true}) {
    RawGltf raw = with_material(textured);
    raw.json["images"] = {beside ? nlohmann::json{{"uri", "a%20green.png"}}
                                 : nlohmann::json{{"bufferView", raw.view(green)}, {"mimeType", "image/png"}}};
    const auto colour = mean_colour(shown(raw));
    EXPECT_GT(colour[1], 4 * colour[0]) << beside;
  }
  RawGltf gone = with_material(textured);
  gone.json["images"] = {{{"uri", "gone.png"}}};
  write_bytes(folder() / "strip.glb", gone.glb());
  EXPECT_NE(ran({"--size", "48x48", "-o", "out.png"}).err.find("gone.png"), std::string::npos);
}

TEST_F(Render, MasksCutHoles) {
  const auto share_shown = [&](const char* mode, double alpha) {
    const RawGltf raw = with_material(
        {{"alphaMode", mode}, {"alphaCutoff", 0.5}, {"pbrMetallicRoughness", {{"baseColorFactor", {1, 1, 1, alpha}}}}});
    write_bytes(folder() / "strip.glb", raw.glb());
    return covered(picture({"--size", "48x48", "--background", "transparent"}));
  };
  EXPECT_GT(share_shown("MASK", 0.6), 0.1);
  EXPECT_EQ(share_shown("MASK", 0.4), 0);
  EXPECT_GT(share_shown("OPAQUE", 0.4), 0.1);
  EXPECT_EQ(share_shown("BLEND", 0.4), 0) << "nothing of it is opaque";
}

TEST_F(Render, OverlaysAndColoursShow) {
  const Picture plain = picture({"--size", "64x64"});
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--skeleton"}, {"--wireframe"}, {"--weights", "all"}, {"--weights", "0"}}) {
    std::vector<std::string> arguments{"--size", "64x64"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_GT(differing(plain, picture(arguments)), 0.004) << more[0];
  }
}

TEST_F(Render, FilmsHaveAllFrames) {
  const std::vector<std::string> film{"--film", "--clip", "bend", "--fps", "4", "--size", "32x32", "--json", "-o"};
  const auto made = [&](const std::string& name) {
    std::vector<std::string> arguments = film;
    arguments.push_back(name);
    EXPECT_EQ(ran(arguments).json()["frames"], 4) << name;
    return bytes(name);
  };
  const std::string webp = made("film.webp");
  EXPECT_TRUE(webp.starts_with("RIFF"));
  EXPECT_EQ(occurrences(webp, "ANMF"), 4u);
  EXPECT_TRUE(made("film.gif").starts_with("GIF89a"));
  EXPECT_EQ(made("film.mp4").find("ftyp"), 4u);
  EXPECT_EQ(files_in(folder()), (std::vector<std::string>{"film.gif", "film.mp4", "film.webp", "strip.glb"}));
}

TEST_F(Render, WithoutFfmpegItSaysWhatToDo) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder().c_str(), 1);
  const Ran out =
      sinew(folder(), {"render", "strip.glb", "--film", "--clip", "bend", "--size", "32x32", "-o", "film.gif"});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(out.status, 1);
  EXPECT_NE(out.err.find("film.gif: GIF and MP4 are made by ffmpeg, which is not installed"), std::string::npos)
      << out.err;
  EXPECT_EQ(files_in(folder()), std::vector<std::string>{"strip.glb"});
}

TEST_F(Render, SheetsAndComparisonsArePutTogether) {
  const Picture sheet = picture({"--sheet", "--times", "3", "--size", "40x48"});
  EXPECT_EQ(sheet.width, 120u);
  EXPECT_EQ(sheet.height, 48u);
  Scene shifted = strip();
  for (Vec3& p : shifted.meshes[0].primitives[0].positions) p.x += 0.25f;
  write_glb(folder(), "shifted", shifted);
  const Ran same = ran({"--compare", "strip.glb", "--heat", "--size", "32x32", "--json", "-o", "out.png"}),
            apart = ran({"--compare", "shifted.glb", "--heat", "--size", "32x32", "--json", "-o", "out.png"});
  EXPECT_EQ(same.json()["width"], 96);
  EXPECT_EQ(same.json()["largest_difference"], 0);
  EXPECT_NEAR(apart.json()["largest_difference"], 0.25 / std::sqrt(5.0), 1e-6);  // the strip is 1 wide and 2 high
}

TEST_F(Render, MisuseIsSaid) {
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> rows{
      {{"-o", "a.png", "--clip", "walk"}, {"--clip: ", "\"walk\"", "0 \"bend\""}},
      {{"-o", "a.png", "--size", "0x0"}, {"--size: ", "WxH"}},
      {{"-o", "a.png", "--size", "64"}, {"--size: ", "WxH"}},
      {{"-o", "a.png", "--size", "9000x64"}, {"--size: "}},
      {{"-o", "a.tiff"}, {"-o: ", ".tiff", ".png"}},
      {{"-o", "picture"}, {"-o: ", "no ending"}},
      {{"-o", "a.png", "--film", "--clip", "bend"}, {"-o: ", ".webp"}},
      {{"-o", "a.mp4"}, {"-o: ", "--film"}},
      {{"-o", "a.mp4", "--film", "--clip", "bend", "--size", "33x32"}, {"--size: ", "34x32"}},
      {{"-o", "a.webp", "--film"}, {"--film: ", "--clip"}},
      {{"-o", "a.webp", "--film", "--clip", "bend", "--time", "1"}, {"--time: "}},
      {{"-o", "a.webp", "--film", "--clip", "bend", "--fps", "0"}, {"--fps: "}},
      {{"-o", "a.webp", "--clip", "bend", "--fps", "10"}, {"--fps: ", "--film"}},
      {{"-o", "a.png", "--times", "3"}, {"--times: ", "--sheet"}},
      {{"-o", "a.png", "--heat"}, {"--heat: ", "--compare"}},
      {{"-o", "a.png", "--camera", "above"}, {"--camera: ", "three-quarter"}},
      {{"-o", "a.png", "--background", "red"}, {"--background: "}},
      {{"-o", "a.png", "--weights", "tail"}, {"--weights: ", "\"tail\""}},
  };
  for (const auto& [arguments, words] : rows) {
    std::vector<std::string> all{"render", "strip.glb"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ran out = sinew(folder(), all);
    EXPECT_EQ(out.status, 2) << out.err;
    EXPECT_EQ(out.error_lines(), 1u) << out.err;
    for (const std::string& word : words)
      EXPECT_NE(out.err.find(word), std::string::npos) << out.err << " lacks " << word;
  }
  EXPECT_EQ(sinew(folder(), {"render", "missing.glb", "-o", "a.png"}).status, 1);
  const TemporaryFolder beside;
  const std::string tube_file = write_glb(beside.path(), "tube", tube()).string();
  const Ran other = sinew(folder(), {"render", "strip.glb", "-o", "a.png", "--compare", tube_file, "--heat"});
  EXPECT_EQ(other.status, 1) << other.err;
  EXPECT_TRUE(other.err.starts_with("sinew: " + tube_file + ": part 0: has 252 vertices")) << other.err;
  EXPECT_EQ(sinew(folder(), {"render", "strip.glb", "-o", "nowhere/a.png", "--size", "32x32"}).status, 1);
  EXPECT_EQ(files_in(folder()), std::vector<std::string>{"strip.glb"});
}

TEST_F(Render, AFileWithoutAMeshIsBadDataAndItsJointsCanBeDrawn) {
  Scene scene = strip();
  scene.meshes.clear(), scene.skins.clear();
  scene.nodes[2].mesh = scene.nodes[2].skin = kNone;
  write_glb(folder(), "joints", scene);
  const std::vector<std::string> file{"joints.glb", "strip.glb"};
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"render", "joints.glb", "-o", "a.png"},
                                             {"render", "joints.glb", "-o", "a.webp", "--film", "--clip", "bend"},
                                             {"render", "strip.glb", "--compare", "joints.glb", "-o", "a.png"}}) {
    const Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 1) << out.err;
    EXPECT_EQ(out.out, "");
    EXPECT_EQ(out.err, "sinew: joints.glb: has no mesh to draw (add --skeleton to draw its joints)\n");
    EXPECT_EQ(files_in(folder()), file);
  }
  write_glb(folder(), "nothing", Scene());
  const Ran nothing = sinew(folder(), {"render", "nothing.glb", "-o", "a.png", "--skeleton"});
  EXPECT_EQ(nothing.status, 1);
  EXPECT_NE(nothing.err.find("nothing.glb: has no node with a mesh, and no joints"), std::string::npos) << nothing.err;
  // The command line comes first: it is wrong whatever the file is.
  EXPECT_EQ(sinew(folder(), {"render", "joints.glb", "-o", "a.tiff"}).status, 2);
  EXPECT_EQ(sinew(folder(), {"render", "joints.glb", "-o", "a.png", "--size", "0x0"}).status, 2);
  const Ran drawn = sinew(folder(), {"render", "joints.glb", "--skeleton", "-o", "a.png", "--size", "32x32"});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
}

TEST(Codec, PicturesComeBack) {
  Picture picture(5, 3, {10, 200, 30, 255});
  picture.at(2, 1)[0] = 250;
  EXPECT_EQ(must(render::decode(must(render::encode_png(picture)))).pixels, picture.pixels);
  picture.at(4, 2)[3] = 100;
  EXPECT_EQ(must(render::decode(must(render::encode_png(picture)))).pixels, picture.pixels);
  const Picture webp = must(render::decode(must(render::encode_webp(picture))));
  EXPECT_EQ(webp.width, 5u);
  EXPECT_NEAR(webp.at(0, 0)[1], 200, 12);
}

TEST(Codec, BrokenImagesAreErrors) {
  std::vector<std::byte> bytes = must(render::encode_png(Picture(64, 64, {1, 2, 3, 255})));
  bytes.resize(bytes.size() / 2);
  EXPECT_FALSE(render::decode(bytes));
  for (const std::string_view text : {"\xFF\xD8\xFF\xE0 no JPEG at all", "RIFF....WEBPVP8 ", "BM", ""}) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    const auto decoded = render::decode({data, text.size()});
    ASSERT_FALSE(decoded) << text;
    EXPECT_FALSE(decoded.error().what.empty());
  }
}

}  // namespace
}  // namespace sinew::test
