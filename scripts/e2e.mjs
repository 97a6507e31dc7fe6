// `npm run e2e`: the journeys through the built program, on each host that can run here.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { findBrowser } from './browser.mjs'
import { build, isBuildStale } from './build.mjs'
import { givenElectron, hasDisplay, installedElectron } from './electron-binary.mjs'

const root = resolve(import.meta.dirname, '..')

if (isBuildStale()) {
  const built = build()
  if (built.status !== 0) process.exit(built.status)
}

const browser = await findBrowser()
if (browser === undefined) {
  console.error(
    'No Chromium can be had here: install one, or name it with CHROMIUM=/path/to/chromium.',
  )
  process.exit(1)
}
console.log(`e2e on the web host: Chromium from ${browser.from} (${browser.path})`)

const installed = hasDisplay() ? installedElectron() : undefined
const electron = givenElectron() ?? installed
console.log(
  electron === undefined
    ? 'e2e on Electron: left out, since its binary or a display is missing'
    : `e2e on Electron: ${electron}`,
)

const projects = electron === undefined ? ['web'] : ['web', 'electron']
const run = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'playwright', 'cli.js'),
    'test',
    ...projects.map((project) => `--project=${project}`),
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      E2E_CHROMIUM: browser.path,
      ...(browser.libraries === '' ? {} : { E2E_CHROMIUM_LIBRARIES: browser.libraries }),
      ...(electron === undefined ? {} : { E2E_ELECTRON: electron }),
    },
  },
)
process.exit(run.status ?? 1)
