// `npm run build`: bundles main, preload and page, and copies the shipped files next to them.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')
const stamp = join(root, 'out', '.built')

/** The sources of the build. */
const sources = [
  'src',
  'docs/kubelet',
  'scripts/handbook',
  'scenarios',
  'electron.vite.config.ts',
  'package-lock.json',
]

function newestChange(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(path).map((name) => newestChange(join(path, name)))
  return Math.max(stat.mtimeMs, ...inside)
}

/** Whether out/ is missing or older than its sources. */
export function isBuildStale() {
  if (!existsSync(stamp)) return true
  const builtAt = statSync(stamp).mtimeMs
  return sources.some((source) => newestChange(join(root, source)) > builtAt)
}

/** Builds; `stdio` is that of the bundler. Returns its exit code and its output. */
export function build(stdio = 'inherit') {
  const startedAt = new Date()
  const bundler = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  rmSync(stamp, { force: true })
  const run = spawnSync(process.execPath, [bundler, 'build'], {
    cwd: root,
    stdio: ['ignore', stdio, stdio],
    encoding: 'utf8',
  })
  if (run.status !== 0) return { status: run.status ?? 1, output: `${run.stdout}${run.stderr}` }
  const assets = join(root, 'out', 'assets')
  rmSync(assets, { recursive: true, force: true })
  cpSync(join(root, 'scenarios'), join(assets, 'scenarios'), { recursive: true })
  // The time before the build, because later changes are not in it.
  writeFileSync(stamp, '')
  utimesSync(stamp, startedAt, startedAt)
  return { status: 0, output: '' }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(build().status)
