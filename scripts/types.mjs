// Checks every TypeScript project: the core's has no Node or DOM types, which keeps it pure.
import { spawnSync } from 'node:child_process'

const projects = ['core', 'main', 'renderer']
let isClean = true
for (const project of projects) {
  const run = spawnSync('npx', ['tsc', '--noEmit', '-p', `tsconfig.${project}.json`], {
    stdio: 'inherit',
  })
  if (run.status !== 0) isClean = false
}
process.exit(isClean ? 0 : 1)
