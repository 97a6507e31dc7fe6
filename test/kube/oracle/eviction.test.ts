import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import {
  memoryThresholdNotifiers,
  notifiedUsage,
} from '../../../src/main/kubelet/eviction/memory-threshold-notifier.ts'
import { rankPods } from '../../../src/main/kubelet/eviction/rank-pods.ts'
import { signals } from '../../../src/shared/model/pressure/signals.ts'
import { oracleParameters } from './driving.ts'
import type { Statements } from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import { OurManager, onceEach, parsed, thresholdTexts, timed } from './eviction-ours.ts'
import { Refusal } from './oracle.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import type { Asked } from './random-pressure.ts'
import {
  askedStatements,
  knownPods,
  layouts,
  managers,
  nodeFigures,
  rounds,
} from './random-pressure.ts'
import { undated } from './victims.ts'

const counts: string[] = []
const numRuns = Number(process.env['NODESCOPE_EVICTION_RUNS'] ?? 400)
let roundCount = 0
let evictionCount = 0
let reclaimCount = 0

function wordsOf(answer: unknown): unknown {
  return answer instanceof Refusal ? answer.message : answer
}

function parsedTexts(asked: Asked): unknown {
  const thresholds = parsed(asked)
  return thresholds.ok ? thresholdTexts(thresholds.value) : thresholds.error
}

/** The same fields, each in turn the first one. */
function rotations(all: Statements): readonly Statements[] {
  const entries = Object.entries(all)
  if (entries.length === 0) return [all]
  return entries.map((_, index) =>
    Object.fromEntries([...entries.slice(index), ...entries.slice(0, index)]),
  )
}

/** Of several errors Go finds the first in the random order of a map. */
function isPossibleError(error: string, asked: Asked): boolean {
  return rotations(asked.hard).some((hard) =>
    rotations(asked.soft).some((soft) =>
      rotations(asked.grace).some((grace) =>
        rotations(asked.reclaim).some(
          (reclaim) => parsedTexts({ ...asked, hard, soft, grace, reclaim }) === error,
        ),
      ),
    ),
  )
}

await describeOracle(
  {
    name: 'eviction manager',
    subject: 'eviction',
    title: 'eviction manager, compared with the kubelet’s',
    summary: () =>
      `${counts.join(', ')}, ${roundCount.toLocaleString('en')} rounds with ${evictionCount.toLocaleString('en')} evictions and ${reclaimCount.toLocaleString('en')} reclaims`,
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('thresholds of a configuration', {
      ask: 'parse',
      values: askedStatements,
      ours: parsedTexts,
      theirs: (answer, asked) =>
        answer instanceof Refusal && isPossibleError(answer.message, asked)
          ? parsedTexts(asked)
          : wordsOf(answer),
      count: numRuns * 5,
    })

    compares('ranking', {
      ask: 'rank',
      values: fc.record({ signal: fc.constantFrom(...signals), layout: layouts, pods: knownPods }),
      asked: ({ signal, layout, pods }) => ({
        signal,
        ...layout,
        specs: pods.map(({ spec }) => spec),
        pods: pods.flatMap(({ figures }) => (figures ? [figures] : [])),
      }),
      ours: ({ signal, layout, pods }) => {
        const stats = new Map(
          pods.flatMap(({ figures }) => (figures ? [[figures.uid, figures] as const] : [])),
        )
        const specs = pods.map(({ spec }) => spec)
        const disks = {
          hasDedicatedImageFs: layout.imageFs,
          hasDedicatedContainerFs: layout.containerFs,
        }
        return rankPods(specs, stats, signal, disks).map(({ metadata }) => metadata.uid)
      },
      count: numRuns * 5,
    })

    compares('memory threshold notifiers', {
      ask: 'notifiers',
      // What these come to is too large for a number.
      values: fc
        .record({ statements: askedStatements, node: nodeFigures })
        .filter(({ statements }) => !/nan|inf/i.test(JSON.stringify(statements))),
      asked: ({ statements: asked, node }) => ({ statements: asked, node: timed(node, 0) }),
      ours: ({ statements: asked, node }) => {
        const thresholds = parsed(asked)
        if (!thresholds.ok) return thresholds.error
        return thresholds.value
          .flatMap((threshold) => {
            const [notifier] = memoryThresholdNotifiers(
              [threshold],
              () => () => undefined,
              () => undefined,
            )
            if (notifier === undefined) return []
            const usage = notifiedUsage(threshold, node)
            return [`${notifier.description}: ${usage.ok ? usage.value : 'error'}`]
          })
          .toSorted()
      },
      theirs: (answer, { statements }) =>
        answer instanceof Refusal && isPossibleError(answer.message, statements)
          ? parsedTexts(statements)
          : wordsOf(answer),
      count: numRuns * 5,
    })

    it('does in each round what the kubelet does', { timeout: 600_000 }, async () => {
      const sequences = fc.array(rounds, { minLength: 1, maxLength: 12, size: 'max' })
      const both = fc.asyncProperty(managers, sequences, async (asked, given) => {
        const thresholds = parsed(asked.statements)
        if (!thresholds.ok || thresholds.value.length > 5) return
        const { layout, ...config } = asked
        const startAt = Number(await oracle.ask('new', { ...config, ...layout }))
        const clock = new VirtualClock(nodeClockHost, { startAt })
        const ours = new OurManager(asked, thresholds.value, clock)
        // What is set for containerfs counts in a kubelet's first round, or does not, as its slices happen to grow.
        const { hard, soft } = asked.statements
        const isUnsure = Object.keys({ ...hard, ...soft }).some((signal) =>
          signal.startsWith('containerfs.'),
        )
        for (const [index, each] of given.entries()) {
          const round =
            index === 0 && isUnsure ? { ...each, statsError: 'it failed' as const } : each
          const { afterMs, pods, node, reclaimed, ...failures } = round
          await Promise.all([oracle.ask('advance', afterMs), clock.advance(afterMs)])
          const now = clock.now()
          // As overlay/nodescope/oracle/eviction.go answers.
          const theirs = (await oracle.ask('round', {
            ...failures,
            node: timed(node, now),
            reclaimed: reclaimed && timed(reclaimed, now),
            specs: pods.map(({ spec }) => spec),
            pods: pods.flatMap(({ figures }) => (figures ? [figures] : [])),
          })) as {
            readonly order: readonly string[]
            readonly evicted: readonly string[]
            readonly reclaims: readonly string[]
            readonly since: readonly string[]
          }
          expect(undated(await ours.round(round, theirs.order))).toEqual(
            undated({ ...theirs, since: onceEach(theirs.since) }),
          )
          roundCount++
          evictionCount += theirs.evicted.length
          reclaimCount += theirs.reclaims.length
        }
      })
      await fc.assert(both, oracleParameters(numRuns))
    })

    it('included evictions and reclaims', () => {
      expect(evictionCount).toBeGreaterThan(100)
      expect(reclaimCount).toBeGreaterThan(50)
    })
  },
)
