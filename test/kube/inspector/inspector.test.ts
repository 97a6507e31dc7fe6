import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportComparison, reportImpossible, reportMissing } from '../comparison.ts'
import { findParts } from '../control-plane.ts'
import { canUnshare, cannotUnshare } from '../cri/real-kubelet.ts'
import { agreementOf, explained } from './agreement.ts'
import type { Agreement, Sample } from './agreement.ts'
import { inspectorsOf, type Inspectors } from './inspectors.ts'
import { ownAddress, startInspectedNode, type InspectedNode } from './inspected-node.ts'
import { runSituations } from './situations.ts'
import { loggedStates } from './worker-log.ts'

// What is inferred about a real kubelet's workers from outside, against its own log at -v=4.

const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)
const nodeIp = ownAddress()
const canRun = !('missing' in found) && canUnshare() && nodeIp !== undefined
if ('missing' in found) reportMissing('inferred workers', found.missing)
else if (!canRun)
  reportImpossible(
    'inferred workers',
    nodeIp === undefined ? 'this machine has no address of its own' : cannotUnshare,
  )

const folder = mkdtempSync(join(tmpdir(), 'nodescope-inspector-'))

describe.skipIf(!canRun)(
  'what is inferred about the workers of a real kubelet',
  { timeout: 240_000 },
  () => {
    let node: InspectedNode
    let inspectors: Inspectors
    const samples: Sample[] = []
    let stops: readonly number[] = []

    beforeAll(async () => {
      node = await startInspectedNode(folder, nodeIp ?? '')
      inspectors = await inspectorsOf(node)
      const sampling = inspectors.sample(samples)
      stops = await runSituations(node)
      await sampling.stop()
    }, 240_000)

    afterAll(async () => {
      await inspectors?.close()
      await node?.stop()
      rmSync(folder, { recursive: true, force: true })
    }, 60_000)

    it('agrees with its log', () => {
      const log = readFileSync(node.kubelet.logFile, 'utf8')
      const states = loggedStates(log, new Date().getFullYear(), stops)
      const agreement: Record<string, Agreement> = {}
      for (const way of ['direct', 'proxy', 'none'] as const) {
        agreement[way] = agreementOf(
          samples.filter((sample) => sample.way === way),
          states,
        )
        const text = explained(agreement[way])
        reportComparison(`inferred workers, ${way}`, text)
        if (process.env['NODESCOPE_MISSES'] !== undefined)
          process.stderr.write(`${way}\n${agreement[way].misses.join('\n')}\n`)
      }
      const certain = agreement['direct']?.byCertainty['certain']
      expect(certain?.samples).toBeGreaterThan(1000)
      expect((certain?.agreed ?? 0) / (certain?.samples ?? 1)).toBeGreaterThan(0.99)
    })
  },
)
