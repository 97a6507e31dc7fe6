import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fuzzApi, fuzzLine } from './api-fuzz.ts'
import { fuzzManifests, manifestLine } from './manifest-fuzz.ts'

// `scripts/fuzz.mjs` parses the options, and puts the program of the parser thread next to this one.
const [seed = 0, requests = 0, manifests = 0] = process.argv.slice(2, 5).map(Number)
const enforcesRbac = process.argv[5] === 'rbac'
const parserProgram = pathToFileURL(join(import.meta.dirname, 'parser.js'))

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const api = await fuzzApi({
  seed,
  requests,
  enforcesRbac,
  parserProgram,
  onProgress: (done) => {
    if (done % 10_000 === 0) print(`${done} requests`)
  },
})
const folder = await fuzzManifests({ seed, manifests, parserProgram })
for (const finding of [...api.findings, ...folder.findings]) print(finding)
print(fuzzLine(api, seed))
print(manifestLine(folder, seed))
process.exit(api.findings.length + folder.findings.length === 0 ? 0 : 1)
