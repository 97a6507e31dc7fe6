import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KubeletEndpoint } from '../../../src/shared/model/inspect/kubelet-facts.ts'
import { reportComparison, reportImpossible, reportMissing } from '../comparison.ts'
import { machineAddress } from '../../../src/main/nodes/machine-address.ts'
import { findParts } from '../control-plane.ts'
import { canUnshare, cannotUnshare } from '../cri/real-kubelet.ts'
import { agreementOf, explained, shareOf } from './agreement.ts'
import type { Agreement, Sample } from './agreement.ts'
import { inspectorsOf, narrowRights, type Inspectors } from './inspectors.ts'
import { nodeName, startInspectedNode, type InspectedNode } from './inspected-node.ts'
import { loggedMoves, moveAgreement, shareOfLogged } from './moves.ts'
import { createMany, runSituations } from './situations.ts'
import { loggedStates } from './worker-log.ts'

// What is inferred about a real kubelet's workers from outside, against its own log at -v=4.

const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)
const nodeIp = await machineAddress(nodeName)
const canRun = !('missing' in found) && canUnshare() && nodeIp !== undefined
if ('missing' in found) reportMissing('inferred workers', found.missing)
else if (!canRun)
  reportImpossible(
    'inferred workers',
    nodeIp === undefined ? 'this machine has no address of its own' : cannotUnshare,
  )

const endpoints: readonly KubeletEndpoint[] = [
  '/pods',
  '/runningpods/',
  '/healthz',
  '/healthz/syncloop',
  '/metrics',
  '/configz',
  '/stats/summary',
]

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
      const { certain, likely } = agreement['direct']?.byCertainty ?? {}
      expect(certain?.samples).toBeGreaterThan(1000)
      expect(shareOf(certain)).toBeGreaterThan(0.99)
      expect(shareOf(likely)).toBeGreaterThan(0.9)
    })

    it('moves in Flow as its log says', () => {
      const log = readFileSync(node.kubelet.logFile, 'utf8')
      const logged = loggedMoves(log, new Date().getFullYear())
      const agreement = moveAgreement(inspectors.moves, logged)
      reportComparison('inferred moves', explained(agreement))
      reportComparison(
        'inferred moves of those in the log',
        shareOfLogged(inspectors.moves, logged),
      )
      if (process.env['NODESCOPE_MISSES'] !== undefined)
        process.stderr.write(`${agreement.misses.join('\n')}\n`)
      const { certain, likely } = agreement.byCertainty
      expect(certain?.samples).toBeGreaterThan(20)
      // One of some forty may come later than the window.
      expect(shareOf(certain)).toBeGreaterThan(0.95)
      expect(shareOf(likely)).toBeGreaterThan(0.9)
    })

    it('sends no token to a kubelet whose certificate nobody vouches for, and shows its fingerprint', () => {
      const { kubelet, rows } = inspectors.beforeAccepted
      expect(kubelet).toMatchObject({
        contact: 'not asked',
        problem: {
          kind: 'untrusted',
          message: expect.stringContaining(kubelet.certificate?.fingerprint ?? '-'),
        },
        certificate: { verifiedBy: null },
      })
      expect(rows.every(({ told }) => told === undefined)).toBe(true)
    })

    it('reads each endpoint with the narrow rights straight, and with nodes/proxy through the API server', async () => {
      for (const way of ['direct', 'proxy'] as const) {
        await inspectors[way].read(endpoints)
        const view = inspectors[way].view()
        expect(view.kubelet).toMatchObject({
          contact: 'answers',
          way,
          problem: null,
          missingRights: [],
        })
        expect(view.kubelet.readings.map(({ path, problem }) => ({ path, problem }))).toEqual(
          expect.arrayContaining(endpoints.map((path) => ({ path, problem: null }))),
        )
        expect(view).toMatchObject({
          healthz: expect.stringContaining('[+]syncloop ok'),
          syncLoop: 'ok',
          configuration: { staticPodPath: node.kubelet.manifests, missingFields: [] },
          figures: {
            workers: { sync: expect.any(Number) },
            plegRelist: { p50: expect.any(Number) },
          },
          use: { pods: expect.any(Number) },
        })
        const changed = view.configuration?.differences.map(({ field }) => field)
        expect(changed).toEqual(
          expect.arrayContaining([
            'port',
            'fileCheckFrequency',
            'staticPodPath',
            'maxPods',
            'enforceNodeAllocatable',
          ]),
        )
        expect(changed).not.toContain('syncFrequency')
      }
    })

    it('names each right that is missing, the narrow one', async () => {
      await inspectors.none.read(endpoints)
      const { kubelet } = inspectors.none.view()
      expect(kubelet.contact).toBe('not asked')
      expect(kubelet.missingRights.map(({ resource }) => resource).toSorted()).toEqual(
        narrowRights.toSorted(),
      )
      expect(kubelet.readings.map(({ path, problem }) => `${path} ${problem?.kind}`)).toEqual(
        endpoints.map((path) => `${path} missing-right`),
      )
    })

    it('costs a kubelet little: CPU of each reading by its own process_cpu_seconds_total', async () => {
      const { direct } = inspectors
      // 0 by default; 250 for the number in docs/inspector.md.
      await createMany(node, Number(process.env['NODESCOPE_COST_PODS'] ?? 0))
      const cpuMs = async (): Promise<number> => {
        await direct.read(['/metrics'])
        return 1000 * (direct.view().figures?.cpuSeconds ?? 0)
      }
      const idle = await cpuMs()
      await sleep(5000)
      const idlePerMs = ((await cpuMs()) - idle) / 5000
      const [start, from] = [Date.now(), await cpuMs()]
      for (let round = 0; round < 100; round++) await direct.read(['/pods', '/runningpods/'])
      const cost = ((await cpuMs()) - from - idlePerMs * (Date.now() - start)) / 100
      const count = direct.facts?.pods?.value.length ?? 0
      reportComparison(
        'inspector cost',
        `${cost.toFixed(2)} ms of kubelet CPU for /pods and /runningpods of ${count} pods`,
      )
      // Of 2 s, below 1 % of a core.
      expect(cost).toBeLessThan(20)
    })
  },
)
