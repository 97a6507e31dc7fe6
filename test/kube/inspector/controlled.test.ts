import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { machineAddress } from '../../../src/main/nodes/machine-address.ts'
import { reportComparison, reportImpossible, reportMissing } from '../comparison.ts'
import { findParts } from '../control-plane.ts'
import { canUnshare, cannotUnshare } from '../cri/real-kubelet.ts'
import { agreementOf, explained, shareOf } from './agreement.ts'
import type { Sample } from './agreement.ts'
import { runControlledSituations } from './controlled-situations.ts'
import { inspectorsOf } from './inspectors.ts'
import { nodeName, startInspectedNode } from './inspected-node.ts'
import { loggedStates } from './worker-log.ts'

// What is inferred about a real kubelet's workers while a real kube-controller-manager makes and ends their pods.

const suite = 'inferred workers of owned pods'
const parts = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubelet'] as const
const found = await findParts(parts, process.env)
const nodeIp = await machineAddress(nodeName)
const canRun = !('missing' in found) && canUnshare() && nodeIp !== undefined
if ('missing' in found) reportMissing(suite, found.missing)
else if (!canRun)
  reportImpossible(
    suite,
    nodeIp === undefined ? 'this machine has no address of its own' : cannotUnshare,
  )

const folder = mkdtempSync(join(tmpdir(), 'nodescope-controlled-'))

describe.skipIf(!canRun)('what is inferred about the workers of pods with owners', () => {
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('agrees with the log of the kubelet while controllers replace, evict and collect them', async () => {
    const node = await startInspectedNode(folder, nodeIp ?? '', { controllers: true })
    const samples: Sample[] = []
    try {
      const inspectors = await inspectorsOf(node)
      const sampling = inspectors.sample(samples)
      try {
        await runControlledSituations(node)
      } finally {
        await sampling.stop()
        await inspectors.close()
      }
    } finally {
      await node.stop()
    }
    const log = readFileSync(node.kubelet.logFile, 'utf8')
    const states = loggedStates(log, new Date().getFullYear(), [])
    const shares = (['direct', 'proxy', 'none'] as const).map((way) => {
      const own = samples.filter((sample) => sample.way === way)
      const agreement = agreementOf(own, states)
      reportComparison(`${suite}, ${way}`, explained(agreement))
      if (process.env['NODESCOPE_MISSES'] !== undefined)
        process.stderr.write(`${way}\n${agreement.misses.join('\n')}\n`)
      return agreement.byCertainty
    })
    expect(shares[0]?.certain?.samples).toBeGreaterThan(200)
    // Together: through the proxy there are about 70, of which one that misses is more than one in a hundred.
    const certain = shares.slice(0, 2).flatMap((of) => of.certain ?? [])
    const sum = (field: 'agreed' | 'samples') =>
      certain.reduce((total, count) => total + count[field], 0)
    const both = { agreed: sum('agreed'), samples: sum('samples') }
    expect(shareOf(both)).toBeGreaterThan(0.99)
  }, 240_000)
})
