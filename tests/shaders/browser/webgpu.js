// WGSL in WebGPU. The compute stage as it is. The vertex stage's function is called from a kernel, for WebGPU captures no
// vertices; that the text is a vertex shader is checked by making a pipeline of it.
const kStorage = 0x80, kUniform = 0x40, kCopyFrom = 0x4, kCopyTo = 0x8, kMapRead = 0x1;

function wrapped(job) {
  const text = job.text.replace('@vertex', '').replace(/@builtin\((instance_index|vertex_index)\) /g, '');
  const more = text.includes('instance_index: u32') ? `, id.y${text.includes('vertex_index: u32') ? ', id.x' : ''}` : '';
  return `${text}
struct WrapVertex { position: vec4<f32>, normal: vec4<f32>, uv: vec2<f32>, joints: vec2<u32>, weights: vec4<f32> }
struct WrapMore { joints: vec2<u32>, weights_xy: vec2<f32>, weights_zw: vec2<f32> }
struct WrapOut { position: vec4<f32>, normal: vec4<f32>, uv: vec2<f32>, padding: vec2<f32> }
@group(1) @binding(0) var<storage, read> wrap_vertices: array<WrapVertex>;
@group(1) @binding(1) var<storage, read_write> wrap_out: array<WrapOut>;
${job.tangents ? `@group(1) @binding(2) var<storage, read> wrap_tangents: array<vec4<f32>>;
@group(1) @binding(3) var<storage, read_write> wrap_out_tangents: array<vec4<f32>>;` : ''}
${job.influences > 4 ? '@group(1) @binding(4) var<storage, read> wrap_more: array<WrapMore>;' : ''}
fn wrap_joints(j: vec2<u32>) -> vec4<u32> {
  return vec4<u32>(j.x & 0xffffu, j.x >> 16u, j.y & 0xffffu, j.y >> 16u);
}
@compute @workgroup_size(64)
fn wrap_main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&wrap_vertices)) { return; }
  let given = wrap_vertices[id.x];
  var input: Input;
  input.position = given.position${job.mixed ? '' : '.xyz'};
  input.normal = given.normal.xyz;
  input.uv = given.uv;
  input.joints = wrap_joints(given.joints);
  input.weights = given.weights;
  ${job.tangents ? 'input.tangent = wrap_tangents[id.x];' : ''}
  ${job.influences > 4 ? `input.joints_1 = wrap_joints(wrap_more[id.x].joints);
  input.weights_1 = vec4<f32>(wrap_more[id.x].weights_xy, wrap_more[id.x].weights_zw);` : ''}
  let output = sinew_skin_vertex(input${more});
  let to = id.y * arrayLength(&wrap_vertices) + id.x;
  wrap_out[to] = WrapOut(output.clip_position, vec4<f32>(output.world_normal, 0.0), output.uv, vec2<f32>(0.0, 0.0));
  ${job.tangents ? 'wrap_out_tangents[to] = output.world_tangent;' : ''}
}
`;
}

function attributes(job) {
  const buffers = [{ arrayStride: 64, attributes: [
    { shaderLocation: 0, offset: 0, format: job.mixed ? 'float32x4' : 'float32x3' }, { shaderLocation: 1, offset: 16, format: 'float32x3' },
    { shaderLocation: 2, offset: 32, format: 'float32x2' }, { shaderLocation: 3, offset: 40, format: 'uint16x4' },
    { shaderLocation: 4, offset: 48, format: 'float32x4' }] }];
  if (job.tangents) buffers.push({ arrayStride: 16, attributes: [{ shaderLocation: 5, offset: 0, format: 'float32x4' }] });
  if (job.influences > 4) buffers.push({ arrayStride: 24, attributes: [
    { shaderLocation: 6, offset: 0, format: 'uint16x4' }, { shaderLocation: 7, offset: 8, format: 'float32x4' }] });
  return buffers;
}

async function module(device, code) {
  const made = device.createShaderModule({ code });
  const { messages } = await made.getCompilationInfo();
  const errors = messages.filter(m => m.type === 'error').map(m => `${m.lineNum}: ${m.message}`);
  if (errors.length) throw new Error(`${errors.join('\n')}\n${code}`);
  return made;
}

async function makePipeline(device, job) {
  const vertexStage = job.stage === 'vertex';
  if (vertexStage)
    await device.createRenderPipelineAsync({
      layout: 'auto', primitive: { topology: 'triangle-list' },
      vertex: { module: await module(device, job.text), entryPoint: 'sinew_skin_vertex', buffers: attributes(job) },
      depthStencil: { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' } });
  return device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: await module(device, vertexStage ? wrapped(job) : job.text),
               entryPoint: vertexStage ? 'wrap_main' : 'sinew_skin_compute' } });
}

const pipelines = new Map();  // by shader, for compiling is what takes the time

async function run(device, job) {
  const vertexStage = job.stage === 'vertex';
  if (!pipelines.has(job.shader)) pipelines.set(job.shader, await makePipeline(device, job));
  const pipeline = pipelines.get(job.shader);
  const make = (size, usage) => device.createBuffer({ size: Math.max(16, Math.ceil(size / 4) * 4), usage });
  const filled = (name, usage) => {
    const bytes = job.bytes(name), buffer = make(bytes.byteLength, usage | kCopyTo);
    device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
  };
  const total = job.vertex_count * job.instances;
  const output = make(total * 48, kStorage | kCopyFrom), outputTangents = make(total * 16, kStorage | kCopyFrom);
  const entry = (binding, buffer) => ({ binding, resource: { buffer } });
  const storage = (binding, name) => entry(binding, filled(name, kStorage));
  const morphs = at => job.morphs ? [storage(at, 'deltas'), storage(at + 1, 'morph_weights')] : [];
  const groups = vertexStage
    ? [[entry(11, filled('uniforms', kUniform)), storage(12, 'palette'), ...morphs(13)],
       [storage(0, 'vertices'), entry(1, output),
        ...(job.tangents ? [storage(2, 'tangents'), entry(3, outputTangents)] : []),
        ...(job.influences > 4 ? [storage(4, 'more')] : [])]]
    : [[storage(0, 'vertices'), entry(1, output), storage(2, 'palette'), entry(3, filled('counts', kUniform)),
        ...(job.influences > 4 ? [storage(4, 'more')] : []),
        ...(job.tangents ? [storage(5, 'tangents'), entry(6, outputTangents)] : []), ...morphs(7)]];
  const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  groups.forEach((entries, group) =>
    pass.setBindGroup(group, device.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries })));
  pass.dispatchWorkgroups(Math.ceil(job.vertex_count / 64), job.instances);
  pass.end();
  const read = make(total * 64, kMapRead | kCopyTo);
  encoder.copyBufferToBuffer(output, 0, read, 0, total * 48);
  if (job.tangents) encoder.copyBufferToBuffer(outputTangents, 0, read, total * 48, total * 16);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(1);
  return read.getMappedRange().slice(0, total * (job.tangents ? 64 : 48));
}

export async function runAll(jobs) {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw Object.assign(new Error('there is no WebGPU adapter'), { absent: true });
  const device = await adapter.requestDevice();
  device.pushErrorScope('validation');
  const out = [];
  for (const job of jobs) out.push(await run(device, job));
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  return out;
}
