// `npm run fuzz`: random requests at a sandbox's API over HTTPS, and random manifests in a folder that is read.
// Use: npm run fuzz -- [--seed N] [--requests N] [--manifests N]
//      without --seed a fresh one is taken, and printed
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build as bundle } from 'vite'

function parse() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
        requests: { type: 'string', default: '100000' },
        manifests: { type: 'string', default: '200' },
      },
    })
    for (const [name, text] of Object.entries(values))
      if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}.`)
    return values
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

const { seed, requests, manifests } = parse()
const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'nodescope-fuzz-'))
let status = 1
try {
  await bundle({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node20.19',
      rolldownOptions: {
        input: {
          fuzz: join(root, 'test', 'fuzz', 'program.ts'),
          parser: join(root, 'src', 'main', 'parsing', 'parser-program.ts'),
        },
      },
    },
  })
  const run = spawnSync(process.execPath, [join(folder, 'fuzz.js'), seed, requests, manifests], {
    stdio: 'inherit',
  })
  status = run.status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)
