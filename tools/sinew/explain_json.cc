// sinew explain --json.
#include "explain.h"
#include "inspect.h"

namespace sinew::tool {

namespace {

Json keys_json(const KeyTrace& keys) {
  return {{"path", to_string(keys.path)},
          {"interpolation", to_string(keys.interpolation)},
          {"packed", keys.packed},
          {"key_count", keys.key_count},
          {"keys", {keys.before, keys.after}},
          {"times", {keys.time_before, keys.time_after}},
          {"factor", keys.factor},
          {"values", {Json(keys.value_before), Json(keys.value_after)}}};
}

Json morphs_json(const std::vector<MorphTrace>& morphs) {
  Json out = Json::array();
  for (const MorphTrace& morph : morphs)
    out.push_back({{"target", morph.target},
                   {"weight", morph.weight},
                   {"delta", to_json(morph.delta)},
                   {"track", morph.keys ? keys_json(*morph.keys) : Json(nullptr)}});
  return out;
}

Json joints_json(const Skeleton& skeleton, const std::vector<JointTrace>& joints) {
  Json out = Json::array();
  for (const JointTrace& joint : joints) {
    Json tracks = Json::array();
    for (const KeyTrace& keys : joint.keys) tracks.push_back(keys_json(keys));
    out.push_back({{"row", joint.row},
                   {"parent", skeleton.parents[joint.row]},
                   {"name", skeleton.names[joint.row]},
                   {"node", skeleton.source_nodes[joint.row]},
                   {"tracks", tracks},
                   {"local", to_json(joint.local)},
                   {"model_from_joint", to_json(joint.model_from_joint)}});
  }
  return out;
}

Json influences_json(const Skeleton& skeleton, const std::vector<InfluenceTrace>& influences) {
  Json out = Json::array();
  for (const InfluenceTrace& influence : influences)
    out.push_back({{"palette_entry", influence.entry},
                   {"row", influence.row},
                   {"name", skeleton.names[influence.row]},
                   {"weight", influence.weight},
                   {"joint_from_mesh", to_json(influence.joint_from_mesh)},
                   {"bound", to_json(influence.bound)},
                   {"palette", to_json(influence.palette)},
                   {"alone", to_json(influence.alone)}});
  return out;
}

}  // namespace

Json explain_json(const std::string& file, const Character& character, const Part& part, const Moment& moment,
                  const VertexTrace& traced) {
  const Skeleton& skeleton = character.skeleton();
  Json out{{"asset", file}, {"clip", nullptr}, {"clip_index", nullptr}, {"time", moment.time}};
  if (moment.clip) {
    out["clip"] = moment.clip->name;
    out["clip_index"] = moment.clip->source_clip;
  }
  out.update({{"part", &part - character.parts().data()},
              {"node", part.source_node},
              {"node_name", node_name(character, part)},
              {"mesh", part.source_mesh},
              {"primitive", part.source_primitive},
              {"vertex", traced.source_vertex},
              {"runtime_vertex", traced.vertex},
              {"stored", to_json(traced.stored)},
              {"stored_normal", traced.stored_normal ? to_json(*traced.stored_normal) : Json(nullptr)},
              {"morphs", morphs_json(traced.morphs)},
              {"morphed", to_json(traced.morphed)},
              {"joints", joints_json(skeleton, traced.joints)},
              {"influences", influences_json(skeleton, traced.influences)},
              {"sum", to_json(traced.sum)},
              {"skinned", to_json(traced.skinned)},
              {"normal", traced.normal ? to_json(*traced.normal) : Json(nullptr)}});
  return out;
}

}  // namespace sinew::tool
