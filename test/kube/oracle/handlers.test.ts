import fc from 'fast-check'
import { expect, it } from 'vitest'
import { oracleParameters } from './driving.ts'
import { OurHandlers, ourRegistration, type Call, type Handled } from './handlers-ours.ts'
import { describeOracle } from './oracle-suite.ts'
import { handlings, registerings, type Handling } from './random-handlings.ts'

const counted = { handled: 0, cleanups: 0, calls: 0, registrations: 0, mirrorCalls: 0 }

/** Calls in a row whose order is that of a Go map. */
const unordered = new Set(['create', 'kill', 'deleteMirrorPod'])

function groupOf({ call, updateType = '', runningPod = '' }: Call): string {
  // The runtime's list has an order.
  if (call === 'updatePod') return runningPod === '' ? String(updateType) : ''
  return call
}

/** Housekeeping iterates over maps: the calls of a step have any order, the steps do not. */
function inAnyOrder(calls: readonly Call[]): readonly Call[] {
  const sorted: Call[] = []
  for (let from = 0; from < calls.length;) {
    const [first] = calls.slice(from, from + 1)
    if (first === undefined) break
    const group = groupOf(first)
    let to = from + 1
    while (unordered.has(group) && to < calls.length && isIn(group, calls[to])) to++
    const step = calls.slice(from, to)
    sorted.push(...step.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    from = to
  }
  return sorted
}

function isIn(group: string, call: Call | undefined): boolean {
  return call !== undefined && groupOf(call) === group
}

function keyOf(call: Call): string {
  return JSON.stringify(call, Object.keys(call).toSorted())
}

function comparable(operation: Handling, handled: Handled): Handled {
  const { calls } = handled
  return operation.kind === 'cleanups' ? { ...handled, calls: inAnyOrder(calls) } : handled
}

/** The situations in the sequences, as sentences: all of them must occur. */
function metIn({ kind }: Handling, { calls }: Handled): readonly string[] {
  return calls.map(({ call, updateType = '', runningPod = '', mirrorPod = '', all = '' }) =>
    [
      kind,
      call,
      updateType,
      mirrorPod === '' ? '' : 'with a mirror',
      runningPod === '' ? '' : 'of the runtime',
      all === true ? 'all' : '',
    ]
      .filter((word) => word !== '')
      .join(' '),
  )
}

await describeOracle(
  {
    name: 'handlers',
    subject: 'handlers',
    title: 'the handlers of the sync loop, compared with the kubelet’s',
    summary: () => {
      const { handled, cleanups, calls, registrations, mirrorCalls } = counted
      return (
        `${handled} calls of HandlePodAdditions, Updates, Removes, Reconcile, Syncs and cleanUpContainersInPod and ${cleanups} of HandlePodCleanups, ` +
        `with ${calls} calls of what is around them, and ${registrations} starts of a kubelet with ${mirrorCalls} calls for mirrors, as the kubelet’s`
      )
    },
  },
  (oracle) => {
    it('call the same functions in the same order', async () => {
      const met = new Set<string>()
      await fc.assert(
        fc.asyncProperty(handlings, async (operations) => {
          // What nodescope_handlers.go writes.
          const theirs = (await oracle.ask('handle', operations)) as readonly Handled[]
          const ours = new OurHandlers()
          for (const [at, operation] of operations.entries()) {
            const handled = await ours.take(operation)
            const real = theirs[at]
            if (real === undefined) throw new Error(`no answer about operation ${at}`)
            expect({ at, kind: operation.kind, ...comparable(operation, handled) }).toEqual({
              at,
              kind: operation.kind,
              ...comparable(operation, real),
            })
            for (const words of metIn(operation, real)) met.add(words)
            if (operation.kind === 'cleanups') counted.cleanups++
            else counted.handled++
            counted.calls += real.calls.length
          }
        }),
        oracleParameters(600),
      )
      // Anything else is not asked for by any handler.
      expect([...met].toSorted()).toEqual([
        'additions admit',
        'additions event',
        'additions setPodStatus',
        'additions updatePod create',
        'additions updatePod create with a mirror',
        'additions updatePod update with a mirror',
        'cleanups collectGarbage',
        'cleanups deleteMirrorPod',
        'cleanups removeOrphanedStatuses',
        'cleanups syncKnownPods',
        'cleanups updatePod create',
        'cleanups updatePod create with a mirror',
        'cleanups updatePod kill',
        'cleanups updatePod kill of the runtime',
        'died deleteContainers',
        'died deleteContainers all',
        'reconcile deleteContainers all',
        'reconcile updatePod sync',
        'reconcile updatePod sync with a mirror',
        'removes updatePod kill',
        'removes updatePod update with a mirror',
        'syncs updatePod sync',
        'syncs updatePod sync with a mirror',
        'updates updatePod update',
        'updates updatePod update with a mirror',
      ])
    })

    it('register the mirrors of static pods at the same time after the start', async () => {
      const byName = (calls: readonly Call[]): readonly Call[] =>
        // The static pods come out of a Go map.
        calls.toSorted((a, b) =>
          String(a['fullName']) < String(b['fullName'])
            ? -1
            : Number(a['fullName'] !== b['fullName']),
        )
      await fc.assert(
        fc.asyncProperty(registerings, async (registering) => {
          const [ours, theirs] = await Promise.all([
            ourRegistration(registering),
            oracle.ask('register', registering),
          ])
          // What nodescope_handlers.go writes.
          expect(byName(ours)).toEqual(byName(theirs as readonly Call[]))
          counted.registrations++
          counted.mirrorCalls += ours.length
        }),
        oracleParameters(1000),
      )
      expect(counted.mirrorCalls).toBeGreaterThan(500)
    })
  },
)
