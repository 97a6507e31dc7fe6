// `npm run compare -- --random`: scripts/compare.mjs runs it.
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { RandomPicker } from '../random-picker.ts'
import { manifestSteps } from '../simulation/manifest-steps.ts'
import { planOf, type PlannedRound, type PlannedStep } from '../simulation/plan.ts'
import { apiSteps } from '../simulation/pod-steps.ts'
import type { ClusterContext, Step } from '../simulation/step-context.ts'
import { startKubeApiserver } from './integration/api-servers.ts'
import { isNodeReady } from './integration/node-waits.ts'
import type { NodeOptions, NodeUnderTest } from './integration/node-under-test.ts'
import { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { realKubeletFile, RealNode, startOverCri } from './integration/real-node.ts'
import { differencesOf, endStateOf, type EndDifference } from './random/end-states.ts'
import { faultSteps } from './random/fault-steps.ts'
import { FaultyTwins } from './random/faulty-twins.ts'
import { TwinContext, type Twin } from './random/twin-context.ts'

export interface RandomOptions {
  readonly minutes: number
  readonly seed: number
  /** Numbers of the only steps to take; absent: all. */
  readonly only?: readonly number[]
}

const nodeName = 'random'
/** The simulation's plan, so many times as fast: a round has 2.8 minutes of steps. */
const haste = 5
/** The ends of pods, retries and periodic syncs take this long after the last fault. */
const calmMs = 20_000
/** A periodic sync, or the back-off of an image that could not be pulled twice. */
const patienceMs = 180_000
const pollMs = 3000

// The scheduler is not there; the namespaces are, and nothing empties one that is deleted.
const { 'create scheduled': _scheduled, ...boundSteps } = apiSteps
// Two files with one pod: a kubelet takes them in the order of a map.
const { 'copy a manifest': _copy, ...fileSteps } = manifestSteps

const clusterSteps: ReadonlyMap<string, Step<ClusterContext>> = new Map(
  Object.entries({ ...boundSteps, ...fileSteps }),
)
const faults: ReadonlyMap<string, Step<FaultyTwins>> = new Map(Object.entries(faultSteps))

async function startTwin(start: (options: NodeOptions) => Promise<NodeUnderTest>): Promise<Twin> {
  const server = await startKubeApiserver(process.env, [nodeName])
  const cluster = await ClusterUnderTest.start(server, start)
  await cluster.admin.makeNamespace('team')
  const node = await cluster.startKubelet(nodeName, { isGated: true })
  const { machine } = node
  if (machine === undefined) throw new Error('a kubelet without a recorded runtime')
  await cluster.observer.until(
    'the node is ready',
    () => {
      const last = cluster.observer.of('nodes', { name: nodeName }).at(-1)
      return (last !== undefined && isNodeReady(last.object)) || undefined
    },
    () => nodeName,
  )
  return { cluster, node, machine, gate: cluster.gate(nodeName) }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One run: what happens to both, and what they come to. */
class RandomRun {
  readonly #options: RandomOptions
  readonly #context: TwinContext
  readonly #faulty: FaultyTwins
  readonly #startedAt = Date.now()
  #steps = 0
  #rounds = 0
  #pods = 0
  #leftOut = 0
  #differences = 0

  constructor(options: RandomOptions, twins: readonly [Twin, Twin]) {
    this.#options = options
    this.#context = new TwinContext(twins, nodeName)
    this.#faulty = new FaultyTwins(this.#context)
  }

  async run(): Promise<boolean> {
    const { minutes, seed } = this.#options
    const kinds = [...clusterSteps, ...faults].map(([kind, { weight }]) => ({ kind, weight }))
    const plan = planOf(seededRandom(seed), { hours: (minutes / 60) * haste, kinds })
    for (const round of plan) {
      await this.#runRound(round)
      if (this.#nowMs > minutes * 60_000) break
    }
    say(
      `seed ${seed}: ${this.#rounds} rounds, ${this.#steps} steps, ${this.#pods} end states of pods compared, ${this.#differences} different, ${this.#leftOut} left out, ${Math.round(this.#nowMs / 60_000)} minutes`,
    )
    return this.#differences === 0
  }

  get #nowMs(): number {
    return Date.now() - this.#startedAt
  }

  async #runRound({ steps }: PlannedRound): Promise<void> {
    const { only, seed } = this.#options
    const began = this.#nowMs
    const [first] = steps
    const taken: string[] = []
    for (const step of steps) {
      if (only !== undefined && !only.includes(step.number)) continue
      const dueMs = began + (step.atMs - (first?.atMs ?? 0)) / haste
      await sleep(Math.max(0, dueMs - this.#nowMs))
      taken.push(
        `${step.number} at ${Math.round(this.#nowMs / 100) / 10} s: ${await this.#take(step)}`,
      )
      this.#steps++
    }
    await this.#faulty.heal()
    this.#rounds++
    const different = await this.#settle()
    const numbers = steps.map(({ number }) => number)
    say(
      `round ${this.#rounds}: ${taken.length} steps, ${different.length === 0 ? 'the same end states' : `${different.length} differences`}`,
    )
    if (different.length === 0) return
    this.#differences += different.length
    for (const { what, ours, real } of different)
      say(`  ${what}\n    ours ${ours}\n    real ${real}`)
    say(`  The steps:\n    ${taken.join('\n    ')}`)
    say(
      `  Again: npm run compare -- --random --minutes ${this.#options.minutes} --seed ${seed} --only ${numbers.join(',')}`,
    )
    const pods = different.map(({ what }) => what.replace(/^runtime /, ''))
    await this.#context.removeBoth(new Set(pods))
  }

  async #take({ number, kind }: PlannedStep): Promise<string> {
    const pick = new RandomPicker(seededRandom(this.#options.seed).fork(`step ${number}`))
    const step = clusterSteps.get(kind)
    if (step !== undefined) return await step.act(this.#context, pick)
    return (await faults.get(kind)?.act(this.#faulty, pick)) ?? ''
  }

  /** Waits until both have come to the same; the differences that stay. */
  async #settle(): Promise<readonly EndDifference[]> {
    await sleep(calmMs)
    const limit = Date.now() + patienceMs
    const { disagreed, defineTwice, twins } = this.#context
    const ignored = new Set([...disagreed, ...defineTwice])
    for (;;) {
      const [ours, real] = await Promise.all(
        twins.map(({ cluster, machine }) => endStateOf(cluster, machine.runtime)),
      )
      if (ours === undefined || real === undefined) return []
      const different = differencesOf(ours, real, ignored)
      if (different.length > 0 && Date.now() < limit) {
        await sleep(pollMs)
        continue
      }
      this.#pods += ours.size
      this.#leftOut += ignored.size
      await this.#context.removeBoth(disagreed)
      disagreed.clear()
      return different
    }
  }
}

/** Random steps on a real kubelet and the program, in real time; false: their end states differ after a calm. */
export async function compareRandomly(options: RandomOptions): Promise<boolean> {
  const file = await realKubeletFile(process.env)
  const [ours, real] = await Promise.all([
    startTwin(startOverCri),
    startTwin((node) => RealNode.start(file, node)),
  ])
  try {
    return await new RandomRun(options, [ours, real]).run()
  } finally {
    await ours.cluster.stop()
    await real.cluster.stop()
  }
}
