// Builds if needed, chooses the host, runs it, and exits with its exit code.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { build, isBuildStale } from './build.mjs'
import {
  fetchElectron,
  givenElectron,
  hasDisplay,
  hasFetchFailedLately,
  installedElectron,
} from './electron-binary.mjs'

const root = resolve(import.meta.dirname, '..')

/** An Electron that exits within this time cannot run on this machine. */
const earlyEndMs = 10_000

/** To stderr, because the host prints facts to stdout. */
function say(sentence) {
  console.error(sentence)
}

function wantsWeb(argv, env) {
  const variable = env.NODESCOPE_WEB
  return (
    ['--web', '--help', '-h', '--version'].some((flag) => argv.includes(flag)) ||
    variable === '1' ||
    variable === 'true' ||
    argv.some((argument) => /^--(serve-cri|export)(=|$)/.test(argument)) ||
    (env.NODESCOPE_SERVE_CRI ?? '') !== ''
  )
}

/** The Electron to run, or the reason for the web host; `reason` is empty with --web. */
export async function chooseHost(argv, env = process.env) {
  if (wantsWeb(argv, env)) return { electron: undefined, reason: '' }
  const given = givenElectron(env)
  if (given !== undefined) return { electron: given, reason: '' }
  if (!hasDisplay(env)) return { electron: undefined, reason: 'there is no display here' }
  const installed = installedElectron(env)
  if (installed !== undefined) return { electron: installed, reason: '' }
  if (hasFetchFailedLately())
    return { electron: undefined, reason: 'Electron could not be fetched within the last day' }
  say('Fetching Electron, once …')
  const failure = await fetchElectron()
  const fetched = installedElectron(env)
  return fetched === undefined
    ? { electron: undefined, reason: `Electron could not be fetched (${failure ?? 'no binary'})` }
    : { electron: fetched, reason: '' }
}

/** Where relative paths on the command line count from: npm starts us in the package's folder. */
function callersFolder(env) {
  return env.INIT_CWD ?? process.cwd()
}

/**
 * npm runs this script in a shell. A signal to npm ends that shell without forwarding it: the end of the shell counts as
 * the signal.
 */
function onShellGone(listener) {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== shell) listener()
  }, 300)
  return () => clearInterval(watch)
}

function run(command, args, ofHost = {}) {
  const env = { ...process.env, ...ofHost }
  // Set in the terminals of Electron programs; it would make Electron run as plain Node.
  delete env.ELECTRON_RUN_AS_NODE
  const child = spawn(command, args, { stdio: 'inherit', env, cwd: callersFolder(process.env) })
  let isAsked = false
  const forward = (signal) => {
    isAsked = true
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  const stopWatching = onShellGone(() => forward('SIGTERM'))
  return new Promise((done) => {
    const finish = (outcome) => {
      stopWatching()
      for (const signal of signals) process.off(signal, forward)
      done({ isAsked, ...outcome })
    }
    child.on('error', (error) => finish({ code: 127, signal: null, error }))
    child.on('close', (code, signal) => finish({ code, signal, error: undefined }))
  })
}

/** A crash or a missing library, not an exit code that the program chose. */
function couldNotRun({ code, signal, isAsked }, ranMs) {
  return !isAsked && ranMs < earlyEndMs && (signal !== null || code === 126 || code === 127)
}

function exitCodeOf({ code, signal }) {
  return code ?? 128 + (constants.signals[signal] ?? 0)
}

/** `note`: printed by the host once the arguments are valid. */
async function runWeb(argv, note = '') {
  const host = join(root, 'out', 'main', 'host.js')
  return exitCodeOf(await run(process.execPath, [host, ...argv], { NODESCOPE_LAUNCH_NOTE: note }))
}

/** Switches for Chromium, and a note about them. Chromium cannot sandbox its processes as root. */
export function chromiumSwitches(platform, userId) {
  return platform === 'linux' && userId === 0
    ? {
        switches: ['--no-sandbox'],
        sentence:
          'Running as root: Electron starts without the Chromium sandbox (--no-sandbox). Start Nodescope as another user to use the sandbox.',
      }
    : { switches: [], sentence: '' }
}

async function runElectron(electron, argv) {
  const { switches, sentence } = chromiumSwitches(process.platform, process.getuid?.())
  if (sentence !== '') say(sentence)
  const startedAt = Date.now()
  const outcome = await run(electron, [...switches, root, ...argv])
  if (!couldNotRun(outcome, Date.now() - startedAt)) return exitCodeOf(outcome)
  say(
    `Electron cannot run here (${outcome.signal ?? `exit ${outcome.code}`}): the dashboard is for a browser.`,
  )
  return runWeb(argv)
}

export async function launch(argv) {
  if (isBuildStale()) {
    say('Building Nodescope …')
    const built = build('pipe')
    if (built.status !== 0) {
      say(`${built.output}\nThe build failed.`)
      process.exit(built.status)
    }
  }
  const { electron, reason } = await chooseHost(argv)
  const note = reason === '' ? '' : `The dashboard is for a browser: ${reason}.`
  process.exitCode =
    electron === undefined ? await runWeb(argv, note) : await runElectron(electron, argv)
}
