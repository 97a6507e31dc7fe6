import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportComparison, reportMissing } from './comparison.ts'
import { findParts } from './control-plane.ts'
import type { Scene } from './controllers/acts.ts'
import { FakeKubelet } from './controllers/fake-kubelet.ts'
import type { Sequence } from './controllers/basic-sequences.ts'
import { sequences } from './controllers/sequences.ts'
import { startRealSide, startSandboxSide } from './controllers/side.ts'
import type { Side } from './controllers/side.ts'
import { eventsOf, snapshotOf } from './controllers/snapshot.ts'

// The same acts on the sandbox and on a real kube-controller-manager, in a namespace of their own for each sequence; after each
// act, when all controllers have come to rest, the states of all objects. Nothing runs pods except a fake kubelet, the same on
// both sides.

const chosen = (process.env['NODESCOPE_COMPARE'] ?? '').split(',').filter((key) => key !== '')
const selected = sequences.filter(
  ({ name }) => chosen.length === 0 || chosen.some((key) => name.startsWith(key)),
)

/** The state after each act; at last the events. */
type Played = readonly (readonly string[])[]

async function play(side: Side, { name, acts, ...more }: Sequence): Promise<Played> {
  const quietMs = more.quietMs ?? (more.hasClaims === true ? side.quietClaimsMs : side.quietMs)
  const scene: Scene = { side, namespace: name, kubelet: new FakeKubelet(side, name, quietMs) }
  await side.send('POST', '/api/v1/namespaces', { metadata: { name } })
  await scene.kubelet.settle()
  const states: (readonly string[])[] = []
  for (const act of acts) {
    await act.run(scene)
    await scene.kubelet.settle()
    states.push(await snapshotOf(side, name))
  }
  return [...states, await eventsOf(side, name)]
}

/** The lines of one state that the other lacks, each as often as it lacks it. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return lines.filter((line) => {
    const index = left.indexOf(line)
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
}

interface Difference {
  readonly after: string
  readonly onlySandbox: readonly string[]
  readonly onlyReal: readonly string[]
}

function differencesOf(sequence: Sequence, ours: Played, theirs: Played): readonly Difference[] {
  const titles = [...sequence.acts.map(({ title }) => title), 'the events']
  return titles
    .map((after, index): Difference => {
      const [mine = [], other = []] = [ours[index], theirs[index]]
      return { after, onlySandbox: without(mine, other), onlyReal: without(other, mine) }
    })
    .filter(
      ({ onlySandbox, onlyReal }, index) =>
        (sequence.comparesOnlyEnd !== true || index >= titles.length - 2) &&
        onlySandbox.length + onlyReal.length > 0,
    )
}

/** With a sandbox of its own. */
async function playInSandbox(sequence: Sequence): Promise<Played> {
  const side = await startSandboxSide(1)
  try {
    return await play(side, sequence)
  } finally {
    await side.stop()
  }
}

/**
 * In a real cluster of its own: among all the others, on a busy machine, a real controller may rest for so long between two steps
 * that it seems to be done.
 */
async function playAlone(sequence: Sequence): Promise<Played> {
  const side = await startRealSide()
  try {
    return await play(side, sequence)
  } finally {
    await side.stop()
  }
}

const parts = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const
const found = await findParts(parts, process.env)
if ('missing' in found) reportMissing('controllers', found.missing)

describe.skipIf('missing' in found)('the controllers', { timeout: 480_000 }, () => {
  let real: Side | undefined
  const onReal = new Map<string, Promise<Played>>()
  let compared = 0
  let repeated = 0

  beforeAll(async () => {
    const started = await startRealSide()
    real = started
    // All at once: most of the time goes by waiting.
    for (const sequence of selected) {
      const played = play(started, sequence)
      played.catch(() => undefined)
      onReal.set(sequence.name, played)
    }
  }, 120_000)

  afterAll(async () => {
    await real?.stop()
    reportComparison(
      'controllers',
      `${compared} states and events after ${selected.length} sequences are the same, ${repeated} of them played once more`,
    )
  })

  it.each(selected.map((sequence) => [sequence.name, sequence] as const))(
    'do the same in the sequence %s',
    async (name, sequence) => {
      const ours = await playInSandbox(sequence)
      const theirs = await onReal.get(name)
      if (theirs === undefined) throw new Error(`${name} was not played`)
      let differences = differencesOf(sequence, ours, theirs)
      if (differences.length > 0) {
        repeated++
        process.stdout.write(`${name} is played again: ${JSON.stringify(differences)}\n`)
        differences = differencesOf(sequence, ours, await playAlone(sequence))
      }
      expect(differences).toEqual([])
      const states = sequence.comparesOnlyEnd === true ? ours.slice(-2) : ours
      for (const state of states) compared += state.length
    },
  )
})
