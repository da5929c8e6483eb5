// validate.mjs FILES.json [--reject]: runs the Khronos validator on each file of the list.
// No file may have an error, but for kinds of error that its source file has as often; with --reject each must have an
// error of the kind that the list names.
// Run in the folder where gltf-validator is installed. Exit 77 (a skip) where it is not.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { createRequire } from 'node:module';

let validator;
try {
  validator = createRequire(path.join(process.cwd(), 'package.json'))('gltf-validator');
} catch {
  console.log('skipped: gltf-validator is not installed in ' + process.cwd());
  process.exit(77);
}

const [list, mode] = process.argv.slice(2);
const folder = path.dirname(list);
const files = JSON.parse(fs.readFileSync(list, 'utf8'));
const reject = mode === '--reject';

const kSeverities = ['errors', 'warnings', 'infos', 'hints'];
async function validate(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    maxIssues: 0,
    externalResourceFunction: (uri) => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri))),
  });
  const counts = { errors: {}, warnings: {}, infos: {}, hints: {} };
  for (const message of report.issues.messages) {
    const codes = counts[kSeverities[message.severity]];
    codes[message.code] = (codes[message.code] ?? 0) + 1;
  }
  return { counts, messages: report.issues.messages };
}

const describe = (codes) => Object.entries(codes).map(([code, count]) => `${code} x${count}`).join(', ') || 'none';

let failures = 0;
for (const { file, source, code } of files) {
  const { counts, messages } = await validate(path.join(folder, file));
  const allowed = source ? (await validate(source)).counts.errors : {};
  const extra = Object.entries(counts.errors).filter(([code, count]) => count > (allowed[code] ?? 0));
  const good = reject ? code in counts.errors : extra.length === 0;
  if (!good) ++failures;
  console.log(`${good ? 'ok  ' : 'FAIL'} ${file}: errors: ${describe(counts.errors)}; warnings: ${describe(counts.warnings)}` +
              (Object.keys(allowed).length ? `; its source has errors: ${describe(allowed)}` : ''));
  if (!good) {
    for (const message of messages.filter((m) => m.severity === 0).slice(0, 10))
      console.log(`     ${message.code} ${message.pointer ?? ''} ${message.message}`);
  }
}
console.log(`${files.length - failures} of ${files.length} files ${reject ? 'rejected' : 'accepted'} as they should be`);
process.exit(files.length > 0 && failures === 0 ? 0 : 1);
