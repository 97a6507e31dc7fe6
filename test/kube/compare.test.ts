import { readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentTaint } from '../../src/main/nodes/node-description.ts'
import { canonicalJson } from '../../src/main/kubelet/pod/canonical-json.ts'
import { isJsonObject } from '../../src/shared/json.ts'
import { reportComparison, reportImpossible, reportMissing } from './comparison.ts'
import { findParts } from './control-plane.ts'
import { canSetMemory, cannotSetMemory } from './cri/node-memory.ts'
import { canUnshare, cannotUnshare } from './cri/real-kubelet.ts'
import { podCalls, type PodCalls } from './integration/api-calls.ts'
import { startKubeApiserver } from './integration/api-servers.ts'
import type { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { comparisonPage, type Verdict } from './integration/comparison-page.ts'
import { startMainCluster } from './integration/main-cluster.ts'
import { inLanes } from './integration/in-lanes.ts'
import type { NodeOptions, NodeUnderTest } from './integration/node-under-test.ts'
import { comparableObservations, nodeFacts } from './integration/observations.ts'
import { RealNode, startOverCri } from './integration/real-node.ts'
import {
  addressPattern,
  commonConfigs,
  podConfigs,
  type PodConfigs,
} from './integration/runtime-configs.ts'
import { commonCalls, podRuntimeCalls } from './integration/runtime-calls.ts'
import { mainNode } from './integration/scenario-run.ts'
import type { Outcome, Scenario } from './integration/scenario-run.ts'
import { suites } from './integration/suites.ts'

// A real kubelet and the program, each with a kube-apiserver and a simulated runtime of its own, which both reach over
// CRI: the same scenarios at the same time. Compared are the states of the pods as a watch shows them, their events, the
// calls about them in the audit log, and what the runtime is asked to do. `npm run compare` runs it alone.

const page = resolve(import.meta.dirname, '..', '..', 'docs', 'kubelet-comparison.md')
const chosen = (process.env['NODESCOPE_COMPARE'] ?? '').split(',').filter((key) => key !== '')

function isChosen({ key, onlyOurs }: Scenario): boolean {
  return onlyOurs === undefined && (chosen.length === 0 || chosen.includes(key))
}

const wanted = Object.values(suites).flat().filter(isChosen)
const scenarios = wanted.filter(({ setsMemory = false }) => !setsMemory || canSetMemory())
const unknown = chosen.filter((key) => !wanted.some((scenario) => scenario.key === key))
if (unknown.length > 0)
  throw new Error(
    `No scenario for both kubelets is named ${unknown.join(', ')}; the names are in docs/kubelet-comparison.md.`,
  )
const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)
const canRun = !('missing' in found) && canUnshare()
// Hooks do not run where all tests are skipped.
if ('missing' in found) reportMissing('real kubelet and ours', found.missing)
else if (!canRun) reportImpossible('real kubelet and ours', cannotUnshare)
else if (scenarios.length < wanted.length)
  reportImpossible('real kubelet and ours under memory pressure', cannotSetMemory)

/** A scenario on one of the two. */
interface Played extends Outcome {
  readonly calls: Readonly<Record<string, PodCalls>>
  /** Calls of CRI, by the pod's name. */
  readonly runtime: Readonly<Record<string, readonly string[]>>
  /** What these calls make, by the pod's name. */
  readonly configs: PodConfigs
  /** From its start until nothing was left to observe. */
  readonly seconds: number
}

type Result = { readonly played: Played } | { readonly error: unknown }

const clusters: ClusterUnderTest[] = []
/** Of each run of a scenario, the last one first. */
const results: Record<'real' | 'ours', Map<Scenario, readonly Result[]>> = {
  real: new Map(),
  ours: new Map(),
}
/** How much sooner or later a scenario may end; both kubelets are on one busy machine. */
const paceSeconds = 45
const registered = new Map<string, unknown>()
/** How often a scenario that differs is run again. */
const mostRepeats = 2
/** How to run a scenario again on each of the two. */
const runs: ((scenario: Scenario, again: Scenario) => Promise<void>)[] = []
let repeated = 0
const verdicts: Verdict[] = []
const totals = { states: 0, events: 0, calls: 0, theirCalls: 0, runtimeCalls: 0 }

async function attempt(cluster: ClusterUnderTest, scenario: Scenario): Promise<Result> {
  try {
    const startedAt = performance.now()
    const outcome = await cluster.runScenario(scenario)
    const seconds = (performance.now() - startedAt) / 1000
    const { node = mainNode, key } = scenario
    const { machine } = cluster.kubelet(node)
    const recorded = machine?.runtime.calls ?? []
    const runtime = podRuntimeCalls(recorded, key, scenario.sandboxesOverlap)
    const configs = podConfigs(recorded, key, dirname(machine?.socketPath ?? ''))
    const audit = await readFile(cluster.server.auditLog ?? '', 'utf8')
    // Its processor time is for the others.
    if (scenario.node !== undefined) await cluster.kubelet(node).stop()
    return { played: { ...outcome, seconds, runtime, configs, calls: podCalls(audit, node, key) } }
  } catch (error) {
    return { error }
  }
}

/** A repeated scenario has a namespace of its own, and a node if it had one the first time. */
function nameOfRepeat(name: string, repeat: number): string {
  return `${name}-again-${repeat}`
}

const repeatPattern = /-again-\d+/g

/** A container or sandbox: of both nodes the same only if all scenarios made theirs in the same order. */
const idPattern = /(?<!sha256:)\b[\da-f]{64}\b/g

/** The addresses, the identifiers and the size of the machine are not what is compared. */
function withoutMachine(result: Result, address: string): Result {
  if ('error' in result) return result
  const text = JSON.stringify(result.played)
    .replaceAll(repeatPattern, '')
    .replaceAll(address, 'the node’s address')
    .replaceAll(addressPattern, 'an address')
    .replaceAll(idPattern, 'an id')
    .replaceAll(/capacity: \d+/g, 'capacity: that of the node')
  return { played: JSON.parse(text) as Played }
}

/** What a node tells of itself once it is Ready, without the program's own label and taint. */
function registeredNode(cluster: ClusterUnderTest): unknown {
  const [node] = cluster.observer.of('nodes', { name: mainNode }).slice(-1)
  if (node === undefined) throw new Error('no Node was registered')
  const { labels, annotations, taints, conditions } = nodeFacts(node.object)
  const isForeign = (entry: unknown): boolean => !JSON.stringify(entry).includes(agentTaint.key)
  return {
    labels: Object.entries(isJsonObject(labels) ? labels : {}).filter(isForeign),
    annotations,
    taints: Array.isArray(taints) ? taints.filter(isForeign) : taints,
    conditions,
  }
}

async function runAll(
  which: 'real' | 'ours',
  start: (options: NodeOptions) => Promise<NodeUnderTest>,
): Promise<void> {
  const repeats = Array.from({ length: mostRepeats }, (_, index) => index + 1)
  const ownNodes = scenarios.flatMap(({ node }) =>
    node === undefined ? [] : [node, ...repeats.map((repeat) => nameOfRepeat(node, repeat))],
  )
  const server = await startKubeApiserver(process.env, [mainNode, ...ownNodes])
  const { cluster, address } = await startMainCluster(server, start)
  clusters.push(cluster)
  registered.set(which, registeredNode(cluster))
  const run = async (scenario: Scenario, as = scenario): Promise<void> => {
    const result = withoutMachine(await attempt(cluster, as), address)
    results[which].set(scenario, [result, ...(results[which].get(scenario) ?? [])])
  }
  runs.push(run)
  const isAlone = ({ node }: Scenario): boolean => node !== undefined
  const [alone, together] = [scenarios.filter(isAlone), scenarios.filter((one) => !isAlone(one))]
  // At once: as many as leave a machine of two cores idle for a third of the time; with more of them more differ and are run again.
  await inLanes(24, together, (scenario) => run(scenario))
  // The longest ones are the last of the list.
  await inLanes(8, alone.toReversed(), (scenario) => run(scenario))
}

/**
 * Some moments are races that a real kubelet, too, ends now in one way and now in the other, the more so on a busy machine.
 * So a scenario that differs is run again, in another namespace (and on another node of its own), with few others. It is
 * the same if the program did once what the kubelet did once; `npm run compare -- --repeat N` compares how often.
 */
async function repeatDifferent(): Promise<void> {
  for (let repeat = 1; repeat <= mostRepeats; repeat += 1) {
    const different = scenarios.filter((one) => samePair(one) === undefined)
    repeated += different.length
    await inLanes(4, different, async (scenario) => {
      const { key, node } = scenario
      process.stdout.write(`${key} is run again: ${differenceOf(scenario)}\n`)
      const again = {
        ...scenario,
        key: nameOfRepeat(key, repeat),
        ...(node === undefined ? {} : { node: nameOfRepeat(node, repeat) }),
      }
      await Promise.all(runs.map((run) => run(scenario, again)))
    })
  }
}

/** In what the last runs of the two differ, or why one has none. */
function differenceOf(scenario: Scenario): string {
  try {
    const [ours, theirs] = [playedBy('ours', scenario), playedBy('real', scenario)]
    return comparedFacts(scenario, ours, theirs)
      .filter((fact) => canonicalJson(fact.ours) !== canonicalJson(fact.theirs))
      .map(({ what }) => what)
      .join(', ')
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : String(error)
  }
}

interface Pair {
  readonly ours: Played
  readonly theirs: Played
}

/** A run of each that are the same. */
function samePair(scenario: Scenario): Pair | undefined {
  const [ours, real] = (['ours', 'real'] as const).map((which) =>
    (results[which].get(scenario) ?? []).flatMap((result) =>
      'played' in result ? [result.played] : [],
    ),
  )
  return ours
    ?.flatMap((one) => (real ?? []).map((other) => ({ ours: one, theirs: other })))
    .find((pair) =>
      comparedFacts(scenario, pair.ours, pair.theirs).every(
        (fact) => canonicalJson(fact.ours) === canonicalJson(fact.theirs),
      ),
    )
}

interface ComparedFact {
  readonly what: string
  readonly ours: unknown
  readonly theirs: unknown
}

function comparedFacts(
  scenario: Scenario,
  played: Played,
  theirPlayed: Played,
): readonly ComparedFact[] {
  const {
    pods: theirPods,
    calls: theirCalls,
    seconds: _,
    paces: _theirs,
    ...theirRest
  } = theirPlayed
  const { runtime: theirRuntime, configs: theirConfigs, ...theirs } = theirRest
  const { pods, calls, seconds: __, paces: _ours, ...rest } = played
  const { runtime, configs, ...ours } = rest
  const isCut = scenario.cutAt !== undefined
  return [
    { what: 'outcome', ours, theirs },
    // Otherwise it did not happen on either.
    { what: 'phases', ours: theirs.phases, theirs: scenario.phases },
    { what: 'pods', ours: Object.keys(pods), theirs: Object.keys(theirPods) },
    ...Object.entries(pods).map(([name, observations]) => ({
      what: name,
      ...comparableObservations(observations, theirPods[name] ?? []),
    })),
    { what: 'API calls', ours: kindsOf(calls), theirs: kindsOf(theirCalls) },
    {
      what: 'calls of CRI',
      ours: isCut ? commonCalls(runtime, theirRuntime) : runtime,
      theirs: isCut ? commonCalls(theirRuntime, runtime) : theirRuntime,
    },
    {
      what: 'configs of CRI',
      ours: commonConfigs(configs, theirConfigs),
      theirs: commonConfigs(theirConfigs, configs),
    },
  ]
}

function playedBy(which: 'real' | 'ours', scenario: Scenario): Played {
  const [result] = results[which].get(scenario) ?? []
  if (result === undefined) throw new Error(`${scenario.title} did not run`)
  if ('error' in result) throw result.error
  return result.played
}

function kindsOf(calls: Played['calls']): unknown {
  return Object.entries(calls).map(([pod, { kinds }]) => [pod, kinds])
}

function countOf(calls: Played['calls']): number {
  return Object.values(calls).reduce((sum, { count }) => sum + count, 0)
}

describe.skipIf(!canRun)('the program does as a real kubelet', () => {
  beforeAll(async () => {
    if ('missing' in found) return
    const file = found.files.get('kubelet') ?? ''
    await Promise.all([
      runAll('ours', startOverCri),
      runAll('real', (options) => RealNode.start(file, options)),
    ])
    await repeatDifferent()
  }, 900_000)

  it.for([...scenarios])('$title', (scenario, { task }) => {
    const { ours, theirs } = samePair(scenario) ?? {
      ours: playedBy('ours', scenario),
      theirs: playedBy('real', scenario),
    }
    for (const fact of comparedFacts(scenario, ours, theirs))
      expect.soft(fact.ours, fact.what).toEqual(fact.theirs)
    const { seconds, calls } = ours
    const { seconds: theirSeconds, calls: theirCalls, runtime: theirRuntime } = theirs
    const states = Object.entries(ours.pods)
      .map(([name, seen]) => comparableObservations(seen, theirs.pods[name] ?? []).theirs.length)
      .reduce((sum, count) => sum + count, 0)
    // A grace period or a retry of another length, or a wait for the next periodic sync.
    expect.soft(Math.abs(seconds - theirSeconds), 'the pace').toBeLessThan(paceSeconds)
    const verdict = {
      scenario,
      // A soft expectation that fails is known here already.
      isSame: task.result?.state !== 'fail',
      states,
      events: theirs.events.length,
      seconds,
      theirSeconds,
      paces: ours.paces,
      theirPaces: theirs.paces,
      runtimeCalls: Object.values(theirRuntime).flat().length,
      calls: countOf(calls),
      theirCalls: countOf(theirCalls),
    }
    verdicts.push(verdict)
    if (!verdict.isSame) return
    totals.states += states
    totals.events += verdict.events
    totals.calls += verdict.calls
    totals.runtimeCalls += verdict.runtimeCalls
    totals.theirCalls += verdict.theirCalls
  })

  it('registers its Node with the same labels, annotations, taints and conditions', () => {
    expect(registered.get('ours')).toEqual(registered.get('real'))
  })

  it('is told in docs/kubelet-comparison.md', async () => {
    const text = comparisonPage(suites, verdicts)
    if (process.env['NODESCOPE_COMPARE_WRITE'] === '1') await writeFile(page, text)
    if (chosen.length > 0) return
    const left = wanted.filter((one) => !scenarios.includes(one))
    const isCompared = (line: string): boolean =>
      !left.some(({ key }) => line.includes(`\`${key}\``))
    // The numbers depend on which passing states a watch saw.
    const withoutNumbers = (all: string): string =>
      all.split('\n').filter(isCompared).join('\n').replaceAll(/\d+/g, 'n')
    expect(withoutNumbers(await readFile(page, 'utf8'))).toEqual(withoutNumbers(text))
  })
})

afterAll(async () => {
  for (const cluster of clusters) await cluster.stop()
  if (canRun) {
    const { states, events, calls, theirCalls, runtimeCalls } = totals
    reportComparison(
      'real kubelet and ours',
      `${verdicts.filter(({ isSame }) => isSame).length} of ${scenarios.length} scenarios the same on both, ${repeated} runs repeated: ${states} states of pods, ${events} events, ${runtimeCalls} calls of CRI and the order of API calls the same; ${calls} calls by the program, ${theirCalls} by the kubelet`,
    )
  }
}, 60_000)
