// Finds a Chromium for the end-to-end tests: an installed one, else the one from npm, else a download.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

function inPath(env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
}

/** Whether it starts: a browser without its libraries cannot even print its version. */
function runs(path, env) {
  const run = spawnSync(path, ['--headless', '--no-sandbox', '--version'], {
    env,
    stdio: 'ignore',
    timeout: 30_000,
  })
  return run.status === 0
}

/** Chromium from npm: no root and no network, and it brings the libraries that a bare system lacks. */
async function fromPackage(env) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { default: packed, inflate } = await import('@sparticuz/chromium')
  const path = await packed.executablePath()
  if (runs(path, env)) return { path, from: 'the npm package @sparticuz/chromium', libraries: '' }
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const unpacked = await inflate(join(dirname(entry), '..', 'bin', 'al2023.tar.br'))
  const libraries = join(unpacked, 'lib')
  if (!runs(path, { ...env, LD_LIBRARY_PATH: libraries })) return undefined
  return { path, from: 'the npm package @sparticuz/chromium with its own libraries', libraries }
}

async function ofPlaywright() {
  const { chromium } = await import('playwright')
  return chromium.executablePath()
}

/** The browser to use, its origin, and the folder of its libraries ('' for the system's); undefined: none. */
export async function findBrowser(env = process.env) {
  const given = env.CHROMIUM || env.PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH
  if (given && existsSync(given)) return { path: given, from: 'the environment', libraries: '' }
  const installed = inPath(env)
  if (installed !== undefined && runs(installed, env))
    return { path: installed, from: 'the PATH', libraries: '' }
  const own = await ofPlaywright()
  if (existsSync(own) && runs(own, env)) return { path: own, from: 'Playwright', libraries: '' }
  const packed = await fromPackage(env).catch((error) => {
    console.error(`@sparticuz/chromium cannot be used: ${error.message}`)
  })
  if (packed !== undefined) return packed
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', timeout: 300_000 })
  return existsSync(own) && runs(own, env)
    ? { path: own, from: 'Playwright, just downloaded', libraries: '' }
    : undefined
}
