// `npm run simulate`: nodes to which everything happens that can happen, on a virtual clock, checked after every step.
// Use: npm run simulate -- --seed N --hours H [--nodes N] [--runs N] [--only 1,2,3]
//      without --seed a fresh one is taken, and printed; --runs takes the next seeds after it;
//      --only takes only those steps of a run, to find out which of them matter
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build as bundle } from 'vite'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'nodescope-simulation-'))
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
        input: { simulate: join(root, 'src', 'main', 'simulation', 'program.ts') },
      },
    },
  })
  const run = spawnSync(process.execPath, [join(folder, 'simulate.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  status = run.status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)
