// sinew build: clips are compressed within what is promised, and the sizes and errors that it prints are those of the file.
#include <gtest/gtest.h>

#include <algorithm>

#include "moving_tube.h"
#include "program.h"
#include "sinew/character.h"
#include "sinew/compress.h"
#include "support/evaluate.h"
#include "support/raw_gltf.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class Build : public testing::Test {
 protected:
  Build() { write_glb(folder(), "tube", moving_tube()); }
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran ran(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"build", "tube.glb"});
    Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 0) << out.err;
    return out;
  }
  Json json(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    return ran(std::move(arguments)).json();
  }
  void refused(std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin(), {"build", "tube.glb"});
    const Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 2) << arguments.back();
    EXPECT_EQ(out.out, "");
    for (const std::string& word : words) EXPECT_NE(out.err.find(word), std::string::npos) << out.err;
    EXPECT_EQ(files_in(folder()), (std::vector<std::string>{"tube.glb"}));
  }

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> clip_names(const Json& printed) {
  std::vector<std::string> out;
  for (const Json& clip : printed["clips"]) out.push_back(clip["name"]);
  return out;
}

TEST_F(Build, CompressesAndSaysWhatTheFileHolds) {
  const Json out = json({});
  const Bytes bytes = must(read_file(folder() / "tube.sinew"));
  const Character character = must(open(bytes));
  ASSERT_EQ(out["clips"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& clip = out["clips"][i];
    EXPECT_EQ(clip["frames"], 61);
    EXPECT_EQ(clip["raw_28_bytes"], 2 * 61 * 28);
    EXPECT_EQ(clip["raw_40_bytes"], 2 * 61 * 40);
    EXPECT_EQ(clip["snapshot_bytes"], 252 * 61 * 12);
    EXPECT_EQ(clip["bytes"], character.clips()[i].packed_bytes.size());
    EXPECT_GT(clip["error"]["largest_mm"], 0);
    EXPECT_LE(clip["error"]["percentile_99_mm"], clip["error"]["largest_mm"]);
    EXPECT_LE(clip["error"]["largest"], out["tolerance"]);
    EXPECT_FALSE(clip["error"]["joint"].is_null() && clip["error"]["vertex"].is_null());
  }
  EXPECT_NEAR(out["tolerance"].get<double>(), height(character) * 0.01 / 180, 1e-9);
  EXPECT_GE(out["compression_seconds"], 0);
}

TEST_F(Build, TextHasATableOfSizesAndOneOfErrors) {
  const std::string text = ran({}).out;
  for (const char* part : {"tube.sinew: ", "Bytes of clips", "3,416", "4,880", "total", "Errors", " mm",
                           "of the height", "walk back", "compressed in"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(Build, ToleranceIsAShareOrALength) {
  const double tall = json({})["height"].get<double>();
  const auto tolerance = [&](const char* text) { return json({"--tolerance", text})["tolerance"].get<double>(); };
  EXPECT_NEAR(tolerance("1e-3"), 1e-3 * tall, 1e-9);
  for (const char* text : {"2mm", "0.2cm", "0.002m"}) EXPECT_NEAR(tolerance(text), 0.002, 1e-9);
  const auto bytes = [&](const char* text) {
    std::uint64_t sum = 0;
    const Json out = json({"--tolerance", text});
    for (const Json& clip : out["clips"]) {
      EXPECT_LE(clip["error"]["largest"], out["tolerance"]);
      sum += clip["bytes"].get<std::uint64_t>();
    }
    return sum;
  };
  EXPECT_LT(bytes("5mm"), bytes("0.01mm"));
}

TEST_F(Build, TolerancesThatAreNone) {
  for (const char* text : {"", "much", "0", "-1mm", "nan", "inf", "1km", "2", "0.1 mm", "1e-4mmm"})
    refused({"--tolerance=" + std::string(text)}, {"--tolerance"});
  refused({"--tolerance", "0.1mm", "--keyframes"}, {"--keyframes"});
}

TEST_F(Build, WhereNoBitsAreFewEnoughKeysStayAndNothingStrays) {
  for (const Json& clip : json({"--tolerance", "1e-12"})["clips"]) EXPECT_EQ(clip["error"]["largest"], 0);
}

TEST_F(Build, ClipsByNameAndPattern) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(clip_names(json({"--clips", "run,walk"})), (Names{"walk", "run"}));
  EXPECT_EQ(clip_names(json({"--clips", "walk*"})), (Names{"walk", "walk back"}));
  EXPECT_EQ(clip_names(json({"--clips", "*a*a*,r?n"})), (Names{"walk back", "run"}));
  const Bytes bytes = must(read_file(folder() / "tube.sinew"));
  EXPECT_EQ(must(open(bytes)).clips().size(), 2u);
  std::filesystem::remove(folder() / "tube.sinew");
  for (const char* none : {"jump", "walk,wal", "?un?"})
    refused({"--clips", none}, {"--clips", "\"walk\", \"walk back\", \"run\""});
}

TEST_F(Build, KeyframesAreStoredAsWriteGivesThem) {
  const Json out = json({"--keyframes"});
  EXPECT_FALSE(out.contains("clips"));
  const Bytes expected = must(write(through_file(moving_tube())));
  const std::vector<std::byte> wrote = read_bytes(folder() / "tube.sinew");
  ASSERT_EQ(wrote.size(), expected.size());
  EXPECT_TRUE(std::equal(wrote.begin(), wrote.end(), expected.begin()));
}

TEST_F(Build, PlotIsADrawingOfEachClip) {
  ran({"--plot", "errors.svg"});
  const std::vector<std::byte> bytes = read_bytes(folder() / "errors.svg");
  const std::string svg(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_TRUE(svg.starts_with("<?xml ")) << svg.substr(0, 40);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  std::size_t curves = 0;
  for (std::size_t at = svg.find("<polyline"); at != svg.npos; at = svg.find("<polyline", at + 1)) ++curves;
  EXPECT_EQ(curves, 3u);
  for (const char* part : {">walk back<", "time, s", "error, mm", "tolerance ", ">joint1<", ">shared<", " B<"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  std::filesystem::remove(folder() / "errors.svg");
  std::filesystem::remove(folder() / "tube.sinew");
  refused({"--plot", "errors.png"}, {"--plot", ".svg"});
  refused({"--plot", "errors.svg", "--keyframes"}, {"--keyframes"});
}

TEST_F(Build, NamesInAPlotCannotBreakIt) {
  write_glb(folder(), "tube", moving_tube({"<a> & \"b\"\n]]>"}));
  ran({"--plot", "errors.svg"});
  const std::vector<std::byte> bytes = read_bytes(folder() / "errors.svg");
  const std::string svg(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_NE(svg.find("&lt;a&gt; &amp; &quot;b&quot;\\n]]&gt;<"), std::string::npos) << svg;
}

TEST_F(Build, FilesWithoutClipsAndWithoutSize) {
  Scene scene = moving_tube();
  scene.clips.clear();
  write_glb(folder(), "tube", scene);
  EXPECT_FALSE(json({}).contains("clips"));
  Scene point;
  add_node(point, "Point");
  add_track(add_clip(point, "move"), 0, Path::translation, Interpolation::linear, {0, 1, 2},
            {0, 0, 0, 1, 0, 0, 1, 3, 0});
  write_glb(folder(), "tube", point);
  const Json out = json({});
  EXPECT_FLOAT_EQ(out["tolerance"].get<float>(), 0.01f / 180);
  EXPECT_EQ(out["clips"][0]["error"]["joint"], "Point");
}

}  // namespace
}  // namespace sinew::test
