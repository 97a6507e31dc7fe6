// `npm run compare`: a real kubelet and the program, scenario by scenario, on the same simulated containers (Linux).
// Use: npm run compare                       all of them; writes docs/kubelet-comparison.md
//      npm run compare -- deleted static     some, by the names in that page
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const names = process.argv.slice(2)
const vitest = ['vitest', 'run', '--project', 'kube', 'test/kube/compare.test.ts']
const run = spawnSync('npx', vitest, {
  cwd: resolve(import.meta.dirname, '..'),
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(names.length === 0
      ? { NODESCOPE_COMPARE_WRITE: '1' }
      : { NODESCOPE_COMPARE: names.join(',') }),
  },
})
process.exit(run.status ?? 1)
