import { copyFileSync } from 'node:fs'
import { platform } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findParts } from './control-plane.ts'
import { handlesSigterm, specOf } from './integration/containers.ts'
import { startKubeApiserver } from './integration/api-servers.ts'
import { comparableObservations } from './integration/observations.ts'
import { ordinary } from './integration/ordinary.ts'
import { RealKubelet } from './integration/real-kubelet.ts'
import { AgentUnderTest } from './integration/agent.ts'
import type { NodeOptions, NodeUnderTest } from './integration/node-under-test.ts'
import {
  mainNode,
  ClusterUnderTest,
  ScenarioRun,
  type Outcome,
  type Scenario,
} from './integration/scenario-run.ts'
import { staticPods } from './integration/static.ts'

const wanted = (process.env['COMPARE'] ?? '').split(',').filter((key) => key !== '')
const scenarios: readonly Scenario[] = [...ordinary, ...staticPods].filter(
  ({ key, onlyOurs }) => onlyOurs === undefined && (wanted.length === 0 || wanted.includes(key)),
)
const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)

type Result = { readonly outcome: Outcome } | { readonly error: unknown }
const clusters: ClusterUnderTest[] = []
/** By the kubelet's name. */
const addresses = new Map<string, string>()
const results = new Map<string, ReadonlyMap<Scenario, Result>>()

async function runAll(name: string, start: (options: NodeOptions) => Promise<NodeUnderTest>) {
  const server = await startKubeApiserver(process.env, [mainNode])
  const cluster = await ClusterUnderTest.start(server, start)
  clusters.push(cluster)
  await cluster.startKubelet(mainNode)
  await cluster.admin.makeNamespace('first')
  const first = new ScenarioRun(cluster, 'first')
  await first.create('pulls-the-image', specOf(handlesSigterm()))
  await first.untilRunning('pulls-the-image')
  const outcomes = await Promise.all(
    scenarios.map(async (scenario): Promise<readonly [Scenario, Result]> => {
      try {
        return [scenario, { outcome: await cluster.runScenario(scenario) }]
      } catch (error) {
        return [scenario, { error }]
      }
    }),
  )
  results.set(name, new Map(outcomes))
  copyFileSync(server.auditLog ?? '', `/tmp/audit-${name}.log`)
  const [node] = cluster.observer.of('nodes', { name: mainNode }).slice(-1)
  const inside = node?.object.status?.addresses?.find(({ type }) => type === 'InternalIP')
  addresses.set(name, inside?.address ?? 'no address')
}

/** The outcome with the node's address, which each kubelet chooses in its own way, by its name. */
function outcomeOf(name: string, scenario: Scenario): Outcome {
  const result = results.get(name)?.get(scenario)
  if (result === undefined) throw new Error(`${scenario.title} did not run`)
  if ('error' in result) throw result.error
  const text = JSON.stringify(result.outcome)
  return JSON.parse(text.replaceAll(addresses.get(name) ?? '', 'NODE')) as Outcome
}

describe.skipIf('missing' in found || platform !== 'linux')('a real kubelet and ours', () => {
  beforeAll(async () => {
    if ('missing' in found) return
    const file = found.files.get('kubelet') ?? ''
    await Promise.all([
      runAll('ours', AgentUnderTest.start),
      runAll('real', (options) => RealKubelet.start(file, options)),
    ])
  }, 300_000)

  afterAll(async () => {
    for (const cluster of clusters) await cluster.stop()
  }, 60_000)

  it.each([...scenarios])('$title', (scenario) => {
    const { pods: theirPods, ...theirs } = outcomeOf('real', scenario)
    const { pods, ...ours } = outcomeOf('ours', scenario)
    expect.soft(ours).toEqual(theirs)
    expect.soft(Object.keys(pods)).toEqual(Object.keys(theirPods))
    for (const [name, observations] of Object.entries(pods)) {
      const both = comparableObservations(observations, theirPods[name] ?? [])
      expect.soft(both.ours, name).toEqual(both.theirs)
    }
  })
})
