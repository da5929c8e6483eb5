// Meshes: primitives with their attributes, indices and morph targets, plain or from a Draco stream.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "interchange/decode.h"
#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

constexpr const char* kWriteAgain = "write the file again by a program that follows glTF 2.0";

/// One primitive while it is read.
struct Source {
  Json json, attributes;
  DracoMesh draco;
  bool compressed = false;
};

/// The values of attribute `name`, whose accessor is `reference`: out of the Draco stream where it holds them.
bool attribute(Import& task, Source& source, std::string_view name, Json reference, Elements& out) {
  if (!source.compressed || !source.draco.has(name)) {
    if (!task.data.elements(reference, out)) return false;
    task.data.count_attribute(std::int32_t(reference.number()));
    return true;
  }
  task.data.mention(reference);
  const std::int32_t index = task.reader.index(reference, task.accessors.size(), "accessor");
  if (index == kNone) return false;
  const Json accessor = task.accessors[std::size_t(index)];
  const bool normalized = task.reader.boolean(accessor, "normalized", false);
  if (!task.reader.ok() || !source.draco.elements(task, name, normalized, out)) return false;
  const std::uint64_t stated = task.reader.size(accessor, "count", out.count);
  if (name == "POSITION" && stated != out.count) {
    task.reader.note(Severity::info, "draco.vertex_count", 1, 0, [&] {
      return Told{accessor.path(),
                  text("says ", stated, " vertices, but the Draco stream holds ", out.count, "; the stream counts"),
                  {}};
    });
  }
  return task.reader.ok();
}

void note_quantization(Import& task, const Elements& elements, Json where) {
  if (task.quantization || elements.component == Component::f32) return;
  task.reader.note(Severity::warning, "types.quantization", where.path(),
                   text(elements.where, " is of type ", to_string(elements.component),
                        ", which needs KHR_mesh_quantization in extensionsRequired"),
                   "declare the extension");
}

bool check_count(Import& task, const Elements& elements, std::uint64_t expected, Json where) {
  if (elements.count == expected) return true;
  return task.reader.fail(
      ErrorCode::inconsistent, where.path(),
      text(elements.where, " has ", elements.count, " values where the primitive has ", expected, " vertices"),
      kWriteAgain);
}

/// A vertex attribute of floats, if the primitive has it; `core` are the types that need no extension.
template <class Vector>
bool read_attribute(Import& task, Source& source, std::string_view name, std::optional<std::uint64_t> vertices,
                    Allowed allowed, bool small_is_core, std::vector<Vector>& out) {
  const Json reference = source.attributes[name];
  if (!reference) return true;
  Elements elements;
  if (!attribute(task, source, name, reference, elements)) return false;
  if (vertices && !check_count(task, elements, *vertices, reference)) return false;
  const bool core = small_is_core && elements.normalized &&
                    (elements.component == Component::u8 || elements.component == Component::u16);
  if (!core) note_quantization(task, elements, reference);
  return read(task.reader, elements, allowed, reference, out);
}

/// The number of a set: 1 of `JOINTS_1`. Nothing else may stand there, no leading zero either.
std::optional<std::size_t> set_number(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  std::size_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error != std::errc() || end != digits.data() + digits.size() || (digits.size() > 1 && digits[0] == '0'))
    return std::nullopt;
  return out;
}

/// Weights as integers that are not normalized are an old exporter's mistake: they are meant as shares of the largest.
bool read_weights(Import& task, Elements elements, Json where, std::vector<Vec4>& out) {
  if (elements.component != Component::f32 && elements.component != Component::u32 && !elements.normalized) {
    task.reader.note(Severity::warning, "types.weights_not_normalized", where.path(),
                     text(elements.where, " holds ", to_string(elements.component),
                          " weights that are not marked as normalized; they are read as if they were"),
                     "mark them");
    elements.normalized = true;
  }
  if (elements.component == Component::i8 || elements.component == Component::i16)
    return task.reader.fail(ErrorCode::bad_type, where.path(),
                            text(elements.where, " holds signed weights (", to_string(elements.component), ")"),
                            kWriteAgain);
  return read(task.reader, elements, Allowed::normalized, where, out);
}

bool read_set(Import& task, Source& source, Json joints, Json weights, const std::string& number,
              std::uint64_t vertices, Scene::InfluenceSet& out) {
  Elements elements;
  return attribute(task, source, "JOINTS_" + number, joints, elements) &&
         check_count(task, elements, vertices, joints) && read_joints(task.reader, elements, joints, out.joints) &&
         attribute(task, source, "WEIGHTS_" + number, weights, elements) &&
         check_count(task, elements, vertices, weights) && read_weights(task, elements, weights, out.weights);
}

bool read_influences(Import& task, Source& source, Scene::Primitive& primitive) {
  struct Half {
    std::size_t number;
    bool joints;
    Json reference;
  };
  std::vector<Half> halves;
  for (std::size_t i = 0; i < source.attributes.size(); ++i) {
    const std::string_view name = source.attributes.key(i);
    if (const auto n = set_number(name, "JOINTS_")) halves.push_back({*n, true, source.attributes[i]});
    if (const auto n = set_number(name, "WEIGHTS_")) halves.push_back({*n, false, source.attributes[i]});
  }
  const auto order = [](const Half& a, const Half& b) {
    return std::pair(a.number, !a.joints) < std::pair(b.number, !b.joints);
  };
  std::sort(halves.begin(), halves.end(), order);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const Half& half = halves[i];
    const std::string number = std::to_string(half.number);
    if (half.joints && i + 1 < halves.size() && halves[i + 1].number == half.number && !halves[i + 1].joints) {
      primitive.influences.emplace_back();
      if (!read_set(task, source, half.reference, halves[i + 1].reference, number, primitive.positions.size(),
                    primitive.influences.back()))
        return false;
      ++i;
      continue;
    }
    task.data.mention(half.reference);
    task.reader.note(Severity::warning, "weights.lone_set", 1, 0, [&] {
      return Told{half.reference.path(),
                  text("has no ", half.joints ? "WEIGHTS_" : "JOINTS_", number, " beside it and is not read"),
                  "add the other half or remove it"};
    });
  }
  return true;
}

/// Normals and tangents of unit length, tangents' handedness +1 or -1: what is not is told, once.
void check_directions(Import& task, const Source& source, const Scene::Primitive& primitive) {
  constexpr float kTolerance = 0.05f;  // of the squared length; bytes are no better than this
  std::size_t normals = 0, tangents = 0;
  for (const Vec3& n : primitive.normals) normals += std::size_t(!(std::fabs(glm::dot(n, n) - 1) <= kTolerance));
  for (const Vec4& t : primitive.tangents) {
    const float squared = t.x * t.x + t.y * t.y + t.z * t.z;
    tangents += std::size_t(!(std::fabs(squared - 1) <= kTolerance) || std::fabs(t.w) != 1);
  }
  if (normals)
    task.reader.note(Severity::warning, "normals.not_unit", normals, 0, [&] {
      return Told{source.attributes["NORMAL"].path(),
                  text(normals, " of ", primitive.normals.size(), " normals are not of unit length"), "normalise them"};
    });
  if (tangents)
    task.reader.note(Severity::warning, "tangents.not_unit", tangents, 0, [&] {
      return Told{
          source.attributes["TANGENT"].path(),
          text(tangents, " of ", primitive.tangents.size(), " tangents are not of unit length with w = 1 or -1"),
          "make them again"};
    });
}

/// What the file holds beside what a Scene does: it passes through in the document.
void note_unread_attributes(Import& task, const Source& source) {
  constexpr std::string_view kRead[] = {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_0"};
  for (std::size_t i = 0; i < source.attributes.size(); ++i) {
    const std::string_view name = source.attributes.key(i);
    if (std::find(std::begin(kRead), std::end(kRead), name) != std::end(kRead) || set_number(name, "JOINTS_") ||
        set_number(name, "WEIGHTS_"))
      continue;
    const Json reference = source.attributes[i];
    task.data.mention(reference);
    task.reader.note(Severity::info, "mesh.unread_attribute", 1, 0, [&] {
      return Told{reference.path(), "stays in the document; skinning does not need it", {}};
    });
  }
}

bool read_vertices(Import& task, Source& source, Scene::Primitive& primitive) {
  Reader& reader = task.reader;
  const Json position = source.attributes["POSITION"];
  if (!position) {
    reader.note(Severity::info, "mesh.no_positions", source.json.path(),
                "has no POSITION, so nothing of it can be shown");
    for (std::size_t i = 0; i < source.attributes.size(); ++i) task.data.mention(source.attributes[i]);
    return true;
  }
  if (!read_attribute(task, source, "POSITION", std::nullopt, Allowed::quantized, false, primitive.positions))
    return false;
  const std::uint64_t vertices = primitive.positions.size();
  const bool read_all =
      read_attribute(task, source, "NORMAL", vertices, Allowed::normalized, false, primitive.normals) &&
      read_attribute(task, source, "TANGENT", vertices, Allowed::normalized, false, primitive.tangents) &&
      read_attribute(task, source, "TEXCOORD_0", vertices, Allowed::quantized, true, primitive.uvs) &&
      read_influences(task, source, primitive);
  if (!read_all) return false;
  check_directions(task, source, primitive);
  note_unread_attributes(task, source);
  const Json accessors = task.accessors;
  const Json accessor = position.is_number() && position.number() < double(accessors.size())
                            ? accessors[std::size_t(position.number())]
                            : Json();
  if (accessor["min"].size() != 3 || accessor["max"].size() != 3)
    reader.note(Severity::info, "mesh.no_bounds", 1, 0, [&] {
      return Told{accessor.path(), "lacks the min and max that glTF asks of positions; sinew does not need them", {}};
    });
  return reader.ok();
}

/// The largest number that an index of that type can be: where strips begin anew, which glTF forbids.
std::uint32_t restart_index(Component component) {
  return component == Component::u8 ? 0xFFu : component == Component::u16 ? 0xFFFFu : 0xFFFFFFFFu;
}

bool read_indices_of(Import& task, Source& source, Scene::Primitive& primitive) {
  Reader& reader = task.reader;
  const Json reference = source.json["indices"];
  std::optional<Component> stored;
  if (source.compressed) {
    if (reference) task.data.mention(reference);
    primitive.indices = source.draco.indices();
  } else if (reference && primitive.positions.empty()) {
    task.data.mention(reference);
    return reader.ok();
  } else if (reference) {
    Elements elements;
    if (!task.data.elements(reference, elements) || !read_indices(reader, elements, reference, primitive.indices))
      return false;
    stored = elements.component;
  }
  std::uint32_t largest = 0;
  for (std::uint32_t index : primitive.indices) largest = std::max(largest, index);
  if (!primitive.indices.empty() && largest >= primitive.positions.size()) {
    const auto at =
        std::size_t(std::max_element(primitive.indices.begin(), primitive.indices.end()) - primitive.indices.begin());
    return reader.fail(
        ErrorCode::out_of_range, source.json.path() + ".indices",
        text("index ", at, " is ", largest, ", but the primitive has ", primitive.positions.size(), " vertices"),
        "restore the file from its source, or write it again");
  }
  if (stored && !primitive.indices.empty() && largest == restart_index(*stored)) {
    reader.note(Severity::warning, "mesh.restart_index", reference.path(),
                text("holds ", largest, ", the largest ", to_string(*stored),
                     ", which glTF forbids; it is read as vertex ", largest),
                "write the indices in a wider type");
  }
  const std::size_t corners = primitive.indices.empty() ? primitive.positions.size() : primitive.indices.size();
  const std::size_t whole = primitive.topology == Topology::triangles ? 3
                            : primitive.topology == Topology::lines   ? 2
                                                                      : 1;
  if (corners % whole != 0) {
    reader.note(Severity::warning, "mesh.incomplete_shape", source.json.path(),
                text("has ", corners, " corners, which is not a multiple of ", whole, "; the last shape is incomplete"),
                "write the mesh again");
  }
  return true;
}

/// Differences of one attribute of one target. Those without a base attribute have nothing to add to.
bool read_difference(Import& task, const Json target, std::string_view name, std::size_t base, std::uint64_t vertices,
                     std::vector<Vec3>& out) {
  const Json reference = target[name];
  if (!reference) return true;
  if (base == 0 && vertices != 0) {
    task.reader.note(Severity::warning, "morph.no_base", reference.path(),
                     text("the primitive has no ", name, " that it could be added to; it is not read"),
                     "remove it or add the base");
    task.data.mention(reference);
    return true;
  }
  Elements elements;
  if (!task.data.elements(reference, elements) || !check_count(task, elements, vertices, reference)) return false;
  task.data.count_attribute(std::int32_t(reference.number()));
  if (!elements.has_data()) return true;  // all zero: adds nothing
  note_quantization(task, elements, reference);
  return read(task.reader, elements, Allowed::quantized, reference, out);
}

bool read_targets(Import& task, Source& source, Scene::Primitive& primitive) {
  Reader& reader = task.reader;
  const Json targets = reader.array(source.json, "targets");
  if (!reader.ok()) return false;
  const std::uint64_t vertices = primitive.positions.size();
  if (!reader.take(targets.size() * sizeof(Scene::MorphTarget), targets.path(), targets.size(), "morph targets"))
    return false;
  primitive.targets.resize(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Json target = targets[i];
    Scene::MorphTarget& out = primitive.targets[i];
    if (target.type() != JsonType::object)
      return reader.fail(ErrorCode::bad_type, target.path(),
                         text("is ", to_string(target.type()), " where an object belongs"), kWriteAgain);
    const bool read_all =
        read_difference(task, target, "POSITION", primitive.positions.size(), vertices, out.positions) &&
        read_difference(task, target, "NORMAL", primitive.normals.size(), vertices, out.normals) &&
        read_difference(task, target, "TANGENT", primitive.tangents.size(), vertices, out.tangents);
    if (!read_all) return false;
    for (std::size_t a = 0; a < target.size(); ++a) {
      const std::string_view name = target.key(a);
      if (name == "POSITION" || name == "NORMAL" || name == "TANGENT") continue;
      task.data.mention(target[a]);
      reader.note(Severity::info, "mesh.unread_attribute", 1, 0, [&] {
        return Told{target[a].path(), "stays in the document; skinning does not need it", {}};
      });
    }
  }
  return true;
}

bool read_primitive(Import& task, Json json, Scene::Primitive& primitive) {
  Reader& reader = task.reader;
  constexpr std::uint64_t kTriangles = 4, kModes = 7;
  Source source;
  source.json = json;
  source.attributes = reader.object(json, "attributes");
  if (!reader.ok()) return false;
  if (!source.attributes)
    return reader.fail(ErrorCode::bad_value, json.path() + ".attributes", "is missing; a primitive needs vertices",
                       kWriteAgain);
  const std::uint64_t mode = reader.size(json, "mode", kTriangles);
  if (mode >= kModes)
    return reader.fail(ErrorCode::bad_value, json.path() + ".mode", text("is ", mode, "; glTF knows 0 to 6"),
                       kWriteAgain);
  primitive.topology = Topology(mode);
  primitive.material = reader.index(json, "material", task.materials.size(), "material");
  if (auto error = reader.take_error())
    reader.note(Severity::warning, "mesh.material", error->where, error->what, "point it to a material that is there");
  if (const Json draco = json["extensions"]["KHR_draco_mesh_compression"]) {
    if (!source.draco.decode(task, draco)) return false;
    source.compressed = true;
  }
  return read_vertices(task, source, primitive) && read_indices_of(task, source, primitive) &&
         read_targets(task, source, primitive);
}

/// All primitives of a mesh morph by the same weights, so they get the same number of targets.
bool even_targets(Import& task, Json json, Scene::Mesh& mesh) {
  std::size_t most = 0;
  for (const Scene::Primitive& p : mesh.primitives) most = std::max(most, p.targets.size());
  for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
    const std::size_t count = mesh.primitives[i].targets.size();
    if (count == most) continue;
    task.reader.note(Severity::warning, "morph.unequal_targets", 1, 0, [&] {
      return Told{
          text(json.path(), ".primitives[", i, "]"),
          text("has ", count, " morph targets where another primitive has ", most, "; the missing ones change nothing"),
          "give all primitives of a mesh the same targets"};
    });
    if (!task.reader.take((most - count) * sizeof(Scene::MorphTarget), json.path(), most, "morph targets"))
      return false;
    mesh.primitives[i].targets.resize(most);
  }
  if (!mesh.weights.empty() && mesh.weights.size() != most) {
    task.reader.note(Severity::warning, "morph.weight_count", json.path() + ".weights",
                     text("has ", mesh.weights.size(), " weights for ", most,
                          " morph targets; missing ones are 0, further ones are not read"),
                     "write one a target");
    mesh.weights.resize(most);
  }
  return true;
}

bool read_mesh(Import& task, Json json, Scene::Mesh& mesh) {
  Reader& reader = task.reader;
  mesh.name = reader.string(json, "name");
  mesh.weights = reader.number_list(json, "weights");
  const Json primitives = reader.array(json, "primitives");
  if (!reader.ok()) return false;
  if (primitives.size() == 0)
    return reader.fail(ErrorCode::bad_value, json.path() + ".primitives",
                       "is missing or empty; a mesh needs at least one", kWriteAgain);
  if (!reader.take(primitives.size() * sizeof(Scene::Primitive), primitives.path(), primitives.size(), "primitives"))
    return false;
  mesh.primitives.resize(primitives.size());
  for (std::size_t i = 0; i < primitives.size(); ++i)
    if (!read_primitive(task, primitives[i], mesh.primitives[i])) return false;
  const Json names = json["extras"]["targetNames"];  // what most exporters write; extras may hold anything
  if (names.type() == JsonType::array) {
    for (std::size_t i = 0; i < names.size(); ++i)
      mesh.target_names.emplace_back(names[i].type() == JsonType::string ? names[i].string() : std::string_view());
  }
  return even_targets(task, json, mesh);
}

}  // namespace

bool read_meshes(Import& task) {
  Reader& reader = task.reader;
  const Json list = task.meshes;
  if (!reader.ok() || !reader.take(list.size() * sizeof(Scene::Mesh), "meshes", list.size(), "meshes")) return false;
  task.scene.meshes.resize(list.size());
  task.skin_joints.assign(list.size(), kNone);
  for (const Scene::Node& node : task.scene.nodes) {
    if (node.mesh == kNone || node.skin == kNone) continue;
    const auto joints = std::int32_t(task.scene.skins[std::size_t(node.skin)].joints.size());
    std::int32_t& least = task.skin_joints[std::size_t(node.mesh)];
    least = least == kNone ? joints : std::min(least, joints);
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!read_mesh(task, list[i], task.scene.meshes[i])) return false;
    for (std::size_t p = 0; p < task.scene.meshes[i].primitives.size(); ++p)
      if (!check_influences(task, i, p)) return false;
  }
  return true;
}

}  // namespace sinew::gltf
