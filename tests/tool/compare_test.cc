// sinew compare: the numbers are those of verify, and the pictures have their times, their scale and the heat where it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "moving_tube.h"
#include "program.h"
#include "render/codec.h"
#include "support/raw_gltf.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using render::Picture;

class Compare : public testing::Test {
 protected:
  Compare() {
    ::setenv("SINEW_VALIDATION", "1", 1);  // a message is then a failure of the tool
    write_glb(folder(), "tube", moving_tube());
    built({"--tolerance", "2mm"});
  }
  ~Compare() override { ::unsetenv("SINEW_VALIDATION"); }
  const std::filesystem::path& folder() const { return folder_.path(); }
  void built(std::vector<std::string> more) {
    more.insert(more.begin(), {"build", "tube.glb"});
    EXPECT_EQ(sinew(folder(), more).status, 0);
  }
  Ran compare(std::vector<std::string> more, int status = 0) {
    more.insert(more.begin(), {"compare", "tube.glb", "tube.sinew"});
    Ran out = sinew(folder(), more);
    EXPECT_EQ(out.status, status) << out.out << out.err;
    return out;
  }
  Picture picture(std::vector<std::string> more) {
    more.insert(more.end(), {"-o", "out.png"});
    compare(more);
    return must(render::decode(read_bytes(folder() / "out.png")));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Compare, NumbersAreThoseOfVerify) {
  const Json compared = compare({"--json"}).json(),
             verified = sinew(folder(), {"verify", "tube.glb", "tube.sinew", "--json", "--tolerance", "2mm"}).json();
  ASSERT_EQ(compared["clips"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(compared["clips"][i]["error"], verified["clips"][i]["error"]);
  EXPECT_TRUE(compared["picture"].is_null());
  const Json one = compare({"--json", "--clip", "run"}).json();
  ASSERT_EQ(one["clips"].size(), 1u);
  EXPECT_EQ(one["clips"][0], compared["clips"][2]);
  EXPECT_NE(compare({}).out.find("walk back"), std::string::npos);
}

TEST_F(Compare, SheetHasAColumnATimeAndAScaleBelow) {
  const Picture sheet = picture({"--clip", "run", "--times", "3", "--size", "48x64", "--tolerance", "2mm"});
  EXPECT_EQ(sheet.width, 3 * 48u);
  EXPECT_GT(sheet.height, 3 * 64u);
  EXPECT_LE(sheet.height, 3 * 64u + 40);
  const Json drawn = compare({"--times", "3", "--size", "48x64", "--json", "-o", "again.png"}).json()["picture"];
  EXPECT_EQ(drawn["width"], sheet.width);
  EXPECT_EQ(drawn["height"], sheet.height);
  EXPECT_EQ(drawn["times"], 3);
  EXPECT_NE(drawn["clip"], "");
}

/// Pixels of the third row that are much redder than blue.
std::size_t hot_pixels(const Picture& sheet, std::uint32_t row_height) {
  std::size_t count = 0;
  for (std::uint32_t y = 2 * row_height; y < 3 * row_height; ++y)
    for (std::uint32_t x = 0; x < sheet.width; ++x) count += sheet.at(x, y)[0] > sheet.at(x, y)[2] + 60;
  return count;
}

TEST_F(Compare, HeatIsWhereItIsOnTheScale) {
  const auto hot = [&](const char* tolerance) {
    return hot_pixels(picture({"--clip", "run", "--times", "3", "--size", "48x64", "--tolerance", tolerance}), 64);
  };
  // Of a scale that ends at what was reached, some vertices are near the end; of one of metres, none.
  EXPECT_GT(hot("2mm"), 0u);
  EXPECT_EQ(hot("1m"), 0u);
  built({"--keyframes"});
  EXPECT_EQ(hot("2mm"), 0u);
}

TEST_F(Compare, FilmsHaveThreePicturesInARow) {
  const Json film = compare({"--clip", "run", "--fps", "3", "--size", "32x48", "--json", "-o", "out.webp"}).json();
  EXPECT_EQ(film["picture"]["width"], 96);
  EXPECT_EQ(film["picture"]["height"].get<int>() % 2, 0);
  EXPECT_EQ(film["picture"]["times"], 6);
  const std::vector<std::byte> bytes = read_bytes(folder() / "out.webp");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_TRUE(text.starts_with("RIFF"));
}

TEST_F(Compare, WithoutMeshesThereAreNumbers) {
  Scene scene = moving_tube();
  scene.meshes.clear(), scene.skins.clear();
  scene.nodes[2].mesh = scene.nodes[2].skin = kNone;
  write_glb(folder(), "tube", scene);
  built({});
  EXPECT_EQ(compare({"--json"}).json()["clips"].size(), 3u);
  const Ran out = compare({"-o", "out.png"}, 1);
  EXPECT_NE(out.out.find("walk back"), std::string::npos);
  EXPECT_NE(out.err.find("tube.glb: has no mesh: there is nothing to draw"), std::string::npos) << out.err;
  EXPECT_FALSE(std::filesystem::exists(folder() / "out.png"));
}

TEST_F(Compare, MisuseIsSaid) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& word, int status = 2) {
    const Ran out = compare(more, status);
    EXPECT_EQ(out.out, "");
    EXPECT_EQ(out.error_lines(), 1u) << out.err;
    EXPECT_NE(out.err.find(word), std::string::npos) << out.err;
  };
  refused({"--clip", "jump"}, "\"walk back\"");
  refused({"-o", "out.jpg"}, ".jpg");
  refused({"-o", "out.png", "--fps", "10"}, "--fps");
  refused({"-o", "out.webp", "--times", "4"}, "--times");
  refused({"--size", "64x64"}, "add -o OUT");
  refused({"-o", "out.png", "--size", "much"}, "WxH");
  refused({"-o", "tube.sinew"}, "there is no format .sinew");
  refused({"--tolerance", "1km"}, "--tolerance");
  write_glb(folder(), "tube", chain(3));
  refused({}, "was built from another source", 1);
  EXPECT_EQ(files_in(folder()), (std::vector<std::string>{"tube.glb", "tube.sinew"}));
  std::filesystem::rename(folder() / "tube.glb", folder() / "tube.png");  // told apart by content, not by name
  const Ran itself = sinew(folder(), {"compare", "tube.png", "tube.sinew", "-o", "tube.png"});
  EXPECT_EQ(itself.status, 2);
  EXPECT_NE(itself.err.find("tube.png: -o: is one of the files compared"), std::string::npos) << itself.err;
}

}  // namespace
}  // namespace sinew::test
