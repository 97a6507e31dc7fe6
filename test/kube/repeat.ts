// `npm run compare -- --repeat N`: scripts/compare.mjs runs it.
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { startKubeApiserver } from './integration/api-servers.ts'
import { podCalls, refusedPodCalls } from './integration/api-calls.ts'
import type { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { inLanes } from './integration/in-lanes.ts'
import { startMainCluster } from './integration/main-cluster.ts'
import type { NodeOptions, NodeUnderTest } from './integration/node-under-test.ts'
import { compareRuns, type Facets } from './integration/outcome-sets.ts'
import { races } from './integration/races.ts'
import { racesPage, repeatedLine, type RepeatedScenario } from './integration/races-page.ts'
import { realKubeletFile, RealNode, startOverCri } from './integration/real-node.ts'
import { podRuntimeCalls } from './integration/runtime-calls.ts'
import { mainNode, type Outcome, type Scenario } from './integration/scenario-run.ts'
import { suites } from './integration/suites.ts'

const page = resolve(import.meta.dirname, '..', '..', 'docs', 'kubelet-comparison-races.md')
/** As many as leave the delays of a scenario as they are on a machine of two cores. */
const lanes = 8

function scenariosNamed(names: readonly string[]): readonly Scenario[] {
  if (names.length === 0) return races
  const all = [...races, ...Object.values(suites).flat()].filter(
    ({ onlyOurs }) => onlyOurs === undefined,
  )
  const unknown = names.filter((name) => !all.some(({ key }) => key === name))
  if (unknown.length > 0)
    throw new Error(
      `No scenario for both kubelets is named ${unknown.join(', ')}; the names are in docs/kubelet-comparison.md and docs/kubelet-comparison-races.md.`,
    )
  return all.filter(({ key }) => names.includes(key))
}

/** A scenario in a namespace, and on a node, of its own. */
function repetitionOf(scenario: Scenario, repetition: number): Scenario {
  const { key, node } = scenario
  return {
    ...scenario,
    key: `${key}-${repetition}`,
    ...(node === undefined ? {} : { node: `${node}-${repetition}` }),
  }
}

function lines(byPod: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(byPod)
    .map(([pod, all]) => `${pod}: ${all.join(', ')}`)
    .join('; ')
}

/** Without the number of the repetition. */
function facetsOf(
  cluster: ClusterUnderTest,
  { key, node = mainNode, sandboxesOverlap }: Scenario,
  repetition: number,
  outcome: Outcome,
  audit: string,
): Facets {
  const calls = podCalls(audit, node, key)
  const recorded = cluster.kubelet(node).machine?.runtime.calls ?? []
  const facets = {
    phases: lines(outcome.phases),
    events: outcome.reasons.join(', '),
    'API calls': lines(
      Object.fromEntries(Object.entries(calls).map(([pod, { kinds }]) => [pod, kinds])),
    ),
    'refused API calls': refusedPodCalls(audit, node, key).join(', '),
    'CRI calls': lines(podRuntimeCalls(recorded, key, sandboxesOverlap)),
    notes: JSON.stringify(outcome.notes),
  }
  return Object.fromEntries(
    Object.entries(facets).map(([facet, text]) => [facet, text.replaceAll(`-${repetition}`, '')]),
  )
}

/** All runs of all scenarios on one of the two: those of a scenario one after the other. */
async function runAll(
  scenarios: readonly Scenario[],
  times: number,
  start: (options: NodeOptions) => Promise<NodeUnderTest>,
): Promise<ReadonlyMap<Scenario, readonly Facets[]>> {
  const turns = Array.from({ length: times }, (_, at) => at)
  const ownNodes = scenarios.flatMap((scenario) =>
    turns.flatMap((turn) => repetitionOf(scenario, turn).node ?? []),
  )
  const server = await startKubeApiserver(process.env, [mainNode, ...ownNodes])
  const { cluster } = await startMainCluster(server, start)
  const facets = new Map<Scenario, Facets[]>()
  try {
    await inLanes(lanes, scenarios, async (scenario) => {
      for (const turn of turns) {
        const one = repetitionOf(scenario, turn)
        const all = facets.get(scenario) ?? []
        facets.set(scenario, all)
        try {
          const outcome = await cluster.runScenario(one, turn)
          const audit = await readFile(server.auditLog ?? '', 'utf8')
          all.push(facetsOf(cluster, one, turn, outcome, audit))
        } catch (error) {
          const [first] = (error instanceof Error ? error.message : String(error)).split('\n')
          all.push({ phases: `failed: ${first}`.replaceAll(`-${turn}`, '') })
        }
        if (one.node !== undefined) await cluster.kubelet(one.node).stop()
      }
    })
  } finally {
    await cluster.stop()
  }
  return facets
}

/** Runs scenarios several times on both; writes docs/kubelet-comparison-races.md where no names are given. */
export async function repeatOnBoth(options: {
  readonly times: number
  readonly names: readonly string[]
  /** When and of which commit, for the page. */
  readonly origin: string
}): Promise<boolean> {
  const { times, names, origin } = options
  const scenarios = scenariosNamed(names)
  const file = await realKubeletFile(process.env)
  const [ours, real] = await Promise.all([
    runAll(scenarios, times, startOverCri),
    runAll(scenarios, times, (node) => RealNode.start(file, node)),
  ])
  const repeated = scenarios.map((scenario): RepeatedScenario => {
    const facets = compareRuns(ours.get(scenario) ?? [], real.get(scenario) ?? [])
    return { scenario, facets }
  })
  const text = racesPage(repeated, { times, origin })
  process.stdout.write(`${repeated.map(repeatedLine).join('\n')}\n`)
  if (names.length === 0) await writeFile(page, text)
  else process.stdout.write(`\n${text.slice(text.indexOf('\n## ') + 1)}`)
  return repeated.every(({ facets }) => facets.every(({ verdict }) => verdict !== 'different'))
}
