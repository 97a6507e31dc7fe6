// `npm run compare`: a real kubelet and the program, scenario by scenario, on the same simulated containers (Linux).
// Use: npm run compare                       all of them; writes docs/kubelet-comparison.md
//      npm run compare -- deleted static     some, by the names in that page
//      npm run compare -- --repeat 10        the races, ten times on both; writes docs/kubelet-comparison-races.md
//      npm run compare -- --repeat 10 NAME…  some scenarios
//      npm run compare -- --random [--minutes 30] [--seed N] [--only 1,2,3]
//                                            the simulation's steps on both in real time; --only: only those steps
import { execFileSync, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

const root = resolve(import.meta.dirname, '..')
const use =
  'Use: npm run compare -- [NAME…] | --repeat N [NAME…] | --random [--minutes N] [--seed N] [--only 1,2,3]'

/** A whole number of at least 1; ends the program otherwise. */
function wholeNumber(text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  return refuse(`"${text}" is not a whole number of at least 1. ${use}`)
}

function refuse(message) {
  console.error(message)
  process.exit(2)
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        repeat: { type: 'string' },
        random: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '30' },
        seed: { type: 'string' },
        only: { type: 'string' },
      },
    })
  } catch (error) {
    return refuse(`${error.message} ${use}`)
  }
}

/** A module of test/kube. It may import others later, so the server stays until the process ends. */
async function load(name) {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  return server.ssrLoadModule(resolve(root, 'test', 'kube', name))
}

/** The date and the commit, for the pages that tell of runs by hand. */
function origin() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root })
  return `${new Date().toISOString().slice(0, 10)}, commit ${String(commit).trim()}`
}

/** All scenarios once, as in `npm test`. */
function runOnce(names) {
  const vitest = ['vitest', 'run', 'test/kube/compare.test.ts']
  const run = spawnSync('npx', vitest, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(names.length === 0
        ? { NODESCOPE_COMPARE_WRITE: '1' }
        : { NODESCOPE_COMPARE: names.join(',') }),
    },
  })
  return run.status ?? 1
}

/** Runs one of the long comparisons; an error is one sentence. */
async function runLong(start) {
  try {
    return (await start()) ? 0 : 1
  } catch (error) {
    console.error(error.message)
    return 2
  }
}

/** The races, or some scenarios, several times. */
async function repeat(names, times) {
  const { repeatOnBoth } = await load('repeat.ts')
  return repeatOnBoth({ times, names, origin: origin() })
}

/** The simulation's steps on both. */
async function random({ minutes, seed, only }) {
  const { compareRandomly } = await load('random.ts')
  return compareRandomly({
    minutes: wholeNumber(minutes),
    seed: seed === undefined ? Date.now() % 1_000_000 : wholeNumber(seed),
    ...(only === undefined ? {} : { only: only.split(',').map(wholeNumber) }),
  })
}

const { values, positionals: names } = parse()
if (values.random && (names.length > 0 || values.repeat !== undefined)) refuse(use)
if (values.random) process.exit(await runLong(() => random(values)))
if (values.repeat === undefined) process.exit(runOnce(names))
const times = wholeNumber(values.repeat)
process.exit(await runLong(() => repeat(names, times)))
