import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { maxScenarioLength } from '../../../shared/ipc/limits.ts'
import type { OpenScenario } from '../../../shared/model/scenarios/scenario.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import type { SandboxOptions } from '../cluster/open-sandbox.ts'
import { readScenario } from './read-scenario.ts'
import type { ReadScenario } from './read-scenario.ts'
import { runSteps } from './run-steps.ts'
import type { StepProblem } from './run-steps.ts'
import { nodesOf, scenarioObjects } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import { isPodCondition } from './scenario-step.ts'
import { createObject, setControl } from './send-objects.ts'
import { fittingRows } from './shown-pods.ts'
import { manifestText } from './step-acts.ts'
import type { StepPlace } from './step-acts.ts'
import { untilAllHold } from './step-conditions.ts'

/** Reads the file. Error: a sentence. */
export async function readScenarioFile(path: string): Promise<Result<ReadScenario, string>> {
  try {
    const text = await readFile(path, 'utf8')
    if (text.length > maxScenarioLength) return err(`The scenario ${path} is larger than 4 MiB.`)
    return readScenario(basename(path), text)
  } catch (error) {
    return err(`The scenario ${path} cannot be read: ${fileErrorText(error)}.`)
  }
}

/** The virtual clock starts this much in the past, so that no timestamp is in the future for kubectl at the end. */
const startsEarlierMs = 15 * 60_000

/** What of a sandbox's options a scenario decides. `now`: ms, of the machine. */
export function scenarioStart(
  { spec }: Scenario,
  now: number,
): { readonly startAt: number; readonly seed: number | undefined } {
  const { startAt } = spec.clock ?? {}
  // Whole seconds, like the timestamps of the API: the same differences at each start.
  const usual = Math.floor((now - startsEarlierMs) / 1000) * 1000
  return { startAt: startAt === undefined ? usual : Date.parse(startAt), seed: spec.seed }
}

/** Writes the manifests of all nodes into new folders. Resolves with the nodes as a sandbox has them. */
export async function writeScenarioNodes(
  scenario: Scenario,
  folder: string,
): Promise<SandboxOptions['nodes']> {
  await rm(folder, { recursive: true, force: true })
  const written = []
  for (const { manifests = [], ...node } of nodesOf(scenario)) {
    const manifestsPath = join(folder, node.name)
    await mkdir(manifestsPath, { recursive: true, mode: 0o700 })
    for (const manifest of manifests)
      await writeFile(join(manifestsPath, manifest.file), manifestText(manifest))
    written.push({ ...node, manifestsPath })
  }
  return written
}

async function reachBeginning({ cluster, spec }: StepPlace): Promise<StepProblem | undefined> {
  const nodes = nodesOf({ metadata: { name: '' }, spec })
  const ready = nodes.map(({ name: node }) => ({ node, status: 'Ready' }))
  // Faults may keep a node from it.
  if (spec.faults === undefined && spec.steps !== undefined) {
    const message = await untilAllHold(cluster, ready)
    if (message !== '') return { field: 'spec.nodes', message }
  }
  for (const [index, object] of scenarioObjects({ metadata: { name: '' }, spec }).entries()) {
    const message = await createObject(cluster, object)
    const field = `spec.objects[${index}]`
    if (message !== '') return { field, message: `${field} is refused: ${message}` }
  }
  if (spec.faults === undefined) return undefined
  const message = await setControl(cluster, 'faultplans', { faults: spec.faults })
  return message === '' ? undefined : { field: 'spec.faults', message }
}

async function reachMoment({ cluster, spec }: StepPlace): Promise<StepProblem | undefined> {
  const { after, until } = spec.stopAt ?? {}
  const message =
    after !== undefined
      ? await setControl(cluster, 'clocks', { runFor: after })
      : until !== undefined
        ? await untilAllHold(cluster, [until])
        : ''
  return message === '' ? undefined : { field: 'spec.stopAt', message: `spec.stopAt: ${message}` }
}

async function shownPod({ cluster, spec: { show } }: StepPlace): Promise<string | null> {
  if (show === undefined || !isPodCondition(show)) return null
  const [row] = await fittingRows(cluster, show)
  return row?.key ?? null
}

/** The texts of a scenario, as the page shows them above its cluster. */
async function openView(
  { metadata, spec }: Scenario,
  place: StepPlace,
  steps: readonly string[],
): Promise<OpenScenario> {
  const { name, title = name, description = '' } = metadata
  const { lookAt = '', next = '', gotcha } = spec
  const pod = await shownPod(place)
  return {
    name,
    title,
    sentence: gotcha?.confusion ?? description,
    truth: gotcha?.truth ?? '',
    isGotcha: gotcha !== undefined,
    steps,
    lookAt,
    next,
    pod,
  }
}

/**
 * Brings a new sandbox, whose clock stands, into the scenario: objects, faults, steps, and time up to its moment. Error: a
 * sentence about what was refused, with file, line and column.
 */
export async function startScenario(
  cluster: OpenSandbox,
  { scenario, problem: locate }: ReadScenario,
  folders: ReadonlyMap<string, string>,
): Promise<Result<undefined, string>> {
  const { clock = {} } = scenario.spec
  const place: StepPlace = { cluster, spec: scenario.spec, folders }
  const begun = await reachBeginning(place)
  const { said, problem } =
    begun === undefined ? await runSteps(place) : { said: [], problem: begun }
  const failed = problem ?? (await reachMoment(place))
  if (failed !== undefined) {
    const { name } = scenario.metadata
    return err(locate(failed.field, `The scenario ${name} stopped: ${failed.message}`))
  }
  cluster.session.setScenario(await openView(scenario, place, said))
  cluster.virtualClock.setSpeed(clock.speed ?? 1)
  if (clock.paused !== true) cluster.virtualClock.run()
  return ok(undefined)
}
