// Finds the Electron binary, and downloads it once if it is missing. Never imports 'electron', whose
// entry would start a download of its own.
import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const packageFolder = join(root, 'node_modules', 'electron')
const failureNote = join(root, 'node_modules', '.cache', 'nodescope', 'electron-fetch-failed')

const fetchLimitSeconds = 90
const dayMs = 24 * 60 * 60 * 1000

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not there, or not to be run
  }
}

/** The executable that the environment names, or undefined. */
export function givenElectron(env = process.env) {
  const path = env.ELECTRON_EXEC_PATH
  return path !== undefined && path !== '' && isExecutable(path) ? resolve(path) : undefined
}

/** The binary that belongs to the installed package, or undefined while it was not fetched. */
export function installedElectron(env = process.env) {
  const pathFile = join(packageFolder, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : undefined
  const override = env.ELECTRON_OVERRIDE_DIST_PATH
  if (name === undefined && !override) return undefined
  const path = join(override || join(packageFolder, 'dist'), name ?? 'electron')
  return isExecutable(path) ? path : undefined
}

/** Whether a window could be shown here. */
export function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
}

/** Whether fetching failed within the last day: then a start does not wait for it again. */
export function hasFetchFailedLately(now = Date.now()) {
  const stat = statSync(failureNote, { throwIfNoEntry: false })
  return stat !== undefined && now - stat.mtimeMs < dayMs
}

/** Runs the package's own installer with a time limit. Resolves with why it failed, or undefined. */
export async function fetchElectron() {
  const installer = spawn(process.execPath, [join(packageFolder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  installer.stderr.on('data', (chunk) => (said += chunk))
  const reason = await new Promise((done) => {
    const limit = setTimeout(() => {
      installer.kill('SIGKILL')
      done(`it took longer than ${fetchLimitSeconds} s`)
    }, fetchLimitSeconds * 1000)
    const finish = (outcome) => {
      clearTimeout(limit)
      done(outcome)
    }
    installer.on('error', (error) => finish(error.message))
    installer.on('close', (code) => finish(code === 0 ? undefined : firstLine(said)))
  })
  if (reason === undefined) {
    rmSync(failureNote, { force: true })
  } else {
    mkdirSync(dirname(failureNote), { recursive: true })
    writeFileSync(failureNote, `${reason}\n`)
  }
  return reason
}

function firstLine(text) {
  const line = text
    .split('\n')[0]
    .replace(/^\w*Error: /, '')
    .trim()
  return line || 'the installer failed'
}
