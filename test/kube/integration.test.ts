import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportComparison, reportMissing } from './comparison.ts'
import { findParts } from './control-plane.ts'
import { handlesSigterm, specOf } from './integration/containers.ts'
import { comparableObservations } from './integration/observations.ts'
import { environment } from './integration/environment.ts'
import { nodeScenarios } from './integration/nodes.ts'
import { ordinary } from './integration/ordinary.ts'
import {
  startKubeApiserver,
  startSandboxApiServer,
  type ApiServerUnderTest,
} from './integration/api-servers.ts'
import { staticPods } from './integration/static.ts'
import { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { mainNode, ScenarioRun, type Outcome, type Scenario } from './integration/scenario-run.ts'

// The program as a node of a cluster, observed only through the API: the same scenarios on the sandbox and, if it
// is installed, on a real kube-apiserver, at the same time. The watch events are compared with the scenario, and one
// server's against the other's.

const suites = {
  'ordinary pods': ordinary,
  'static pods and mirrors': staticPods,
  'variables of containers': environment,
  'the node itself': nodeScenarios,
} as const

const scenarios: readonly Scenario[] = Object.values(suites).flat()
const nodes = [mainNode, ...scenarios.flatMap(({ node }) => (node === undefined ? [] : [node]))]

type ScenarioResult = { readonly outcome: Outcome } | { readonly error: unknown }

const totals = { scenarios: 0, compared: 0, observations: 0, missed: 0, events: 0 }
const clusters: ClusterUnderTest[] = []
/** By the server's name, then by the scenario. */
const results = new Map<string, ReadonlyMap<Scenario, ScenarioResult>>()
let missing: readonly string[] = []

async function attempt(cluster: ClusterUnderTest, scenario: Scenario): Promise<ScenarioResult> {
  try {
    return { outcome: await cluster.runScenario(scenario) }
  } catch (error) {
    return { error }
  }
}

/** Runs all scenarios at the same time, because they mostly wait. */
async function runAll(server: ApiServerUnderTest): Promise<void> {
  const cluster = await ClusterUnderTest.start(server)
  clusters.push(cluster)
  await cluster.startKubelet(mainNode)
  await cluster.admin.makeNamespace('first')
  const first = new ScenarioRun(cluster, 'first')
  await first.create('pulls-the-image', specOf(handlesSigterm()))
  await first.untilRunning('pulls-the-image')
  const outcomes = await Promise.all(
    scenarios.map(async (scenario) => [scenario, await attempt(cluster, scenario)] as const),
  )
  results.set(server.name, new Map(outcomes))
}

beforeAll(async () => {
  const found = await findParts(['etcd', 'kube-apiserver'], process.env)
  const servers = [startSandboxApiServer(nodes)]
  if ('missing' in found) missing = found.missing
  else servers.push(startKubeApiserver(process.env, nodes))
  await Promise.all(servers.map(async (server) => runAll(await server)))
}, 240_000)

afterAll(async () => {
  for (const cluster of clusters) await cluster.stop()
  if (missing.length > 0) {
    reportMissing('integration', missing)
    return
  }
  const { scenarios: ran, compared, observations, missed, events } = totals
  reportComparison(
    'integration',
    `${ran} scenarios on the sandbox, ${compared} of them also on kube-apiserver: ${observations} states of pods and ${events} events the same, ${missed} transient states observed on one only`,
  )
}, 60_000)

function outcomeOn(server: string, scenario: Scenario): Outcome {
  const found = results.get(server)?.get(scenario)
  if (found === undefined) throw new Error(`${scenario.title} did not run on ${server}`)
  if ('error' in found) throw found.error
  return found.outcome
}

function expectSame(ours: Outcome, theirs: Outcome): void {
  const { pods, ...rest } = ours
  const { pods: theirPods, ...theirRest } = theirs
  expect.soft(rest).toEqual(theirRest)
  expect.soft(Object.keys(pods)).toEqual(Object.keys(theirPods))
  for (const [name, observations] of Object.entries(pods)) {
    const both = comparableObservations(observations, theirPods[name] ?? [])
    expect.soft(both.ours, name).toEqual(both.theirs)
    totals.observations += both.theirs.length
    totals.missed += both.missed
  }
  totals.compared++
  totals.events += theirs.events.length
}

describe.each(Object.entries(suites))('%s', (_, ofSuite) => {
  it.each([...ofSuite])('$title', (scenario) => {
    const ours = outcomeOn('the sandbox', scenario)
    expect.soft(ours.phases, JSON.stringify(ours.phases)).toEqual(scenario.phases)
    expect.soft(ours.reasons).toEqual(scenario.events)
    totals.scenarios++
    if (missing.length > 0) return
    const theirs = outcomeOn('kube-apiserver', scenario)
    expect.soft(theirs.phases, JSON.stringify(theirs.phases)).toEqual(scenario.phases)
    expectSame(ours, theirs)
  })
})

it('logged no error', () => {
  expect(clusters.flatMap(({ logged }) => logged)).toEqual([])
})
