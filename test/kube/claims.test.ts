import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Act } from '../../src/shared/model/act.ts'
import { nodeActs } from '../../src/shared/model/node-act.ts'
import { forecastClaims, shownActs } from './claims/forecast-claims.ts'
import { containerClaims } from './claims/container-claims.ts'
import { containerFileClaims } from './claims/container-file-claims.ts'
import { containerStartClaims } from './claims/container-start-claims.ts'
import { containerLimitClaims } from './claims/container-limit-claims.ts'
import { gotchaClaims } from './claims/gotcha-claims.ts'
import { cutOffNode, kubeletAwayClaims } from './claims/kubelet-away-claims.ts'
import { Meeting } from './claims/meeting.ts'
import { pressureClaims } from './claims/pressure-claims.ts'
import { Scene, type Claim } from './claims/scene.ts'
import { gotchas } from './claims/shipped-gotchas.ts'
import { unshownActs, unshownGotchas } from './claims/unshown.ts'
import { reportComparison, reportImpossible, reportMissing } from './comparison.ts'
import { findParts } from './control-plane.ts'
import { canUnshare, cannotUnshare } from './cri/real-kubelet.ts'
import { startKubeApiserver } from './integration/api-servers.ts'
import { ClusterUnderTest } from './integration/cluster-under-test.ts'
import { isNodeReady, untilNode } from './integration/node-waits.ts'
import { RealNode } from './integration/real-node.ts'
import { mainNode, ScenarioRun } from './integration/scenario-run.ts'

// What the gotchas and the forecasts claim of a kubelet, seen on a real one: kubelet and kube-apiserver on a simulated
// runtime that records what it is asked to do. Each claim has a scenario, and what has to be seen for it to be true.

const chosen = (process.env['NODESCOPE_CLAIMS'] ?? '').split(',').filter((key) => key !== '')
const claimsOfGotchas = [
  ...containerClaims,
  ...containerFileClaims,
  ...containerLimitClaims,
  ...containerStartClaims,
  ...gotchaClaims,
  ...kubeletAwayClaims,
  ...pressureClaims,
]
const claims: readonly Claim[] = [...claimsOfGotchas, ...forecastClaims]
const selected = claims.filter(({ key }) => chosen.length === 0 || chosen.includes(key))
const nodes = [mainNode, ...new Set(selected.flatMap(({ node }) => node ?? []))]
/** Of a claim that is looked at once more, and of its node. */
const again = (name: string): string => `${name}-again`
/** As a kubelet has it: how often it reads the whole folder of manifests. */
const fileCheckFrequency = '20s'
/** Which of several pods pulled an image would be chance. */
const images = ['registry.k8s.io/pause:3.10', 'busybox:1.36', 'busybox:1.37']

const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)
const canRun = !('missing' in found) && canUnshare()
// Hooks do not run where all tests are skipped.
if ('missing' in found) reportMissing('claims', found.missing)
else if (!canRun) reportImpossible('claims', cannotUnshare)

/** A record, so that none is left out. */
const podActs: Readonly<Record<Act, true>> = {
  kill: true,
  evictByKubelet: true,
  evictThroughApi: true,
  delete: true,
  forceDelete: true,
  deleteMirror: true,
  restartContainer: true,
}

let cluster: ClusterUnderTest
const seen = new Map<Claim, { readonly facts: unknown } | { readonly error: unknown }>()
let shown = 0
let repeated = 0

interface Place {
  readonly namespace: string
  readonly node: string
}

/** Facts of the second attempt as if its namespace were the claim's own. */
function renamed(facts: unknown, namespace: string, { key }: Claim): unknown {
  return JSON.parse(JSON.stringify(facts), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(namespace, key) : value,
  )
}

async function attempt(claim: Claim, { namespace, node }: Place, meeting: Meeting): Promise<void> {
  try {
    await cluster.admin.makeNamespace(namespace)
    const facts = await claim.steps(new Scene(cluster, namespace, node, meeting))
    seen.set(claim, { facts: namespace === claim.key ? facts : renamed(facts, namespace, claim) })
  } catch (error) {
    seen.set(claim, { error })
  } finally {
    meeting.leave()
  }
}

/** Claims of one node at once: they mostly wait, and those of a node that restarts wait for each other. */
async function runClaims(
  own: readonly Claim[],
  options: { readonly node: string; readonly isGated: boolean },
  nameOf: (key: string) => string,
): Promise<void> {
  const { node, isGated } = options
  await cluster.startKubelet(node, { images, isGated, configuration: { fileCheckFrequency } })
  await untilNode(new ScenarioRun(cluster, 'default', node), node, 'is ready', isNodeReady)
  const meeting = new Meeting(own.length)
  await Promise.all(
    own.map((claim) => attempt(claim, { namespace: nameOf(claim.key), node }, meeting)),
  )
}

function isShown(claim: Claim): boolean {
  const result = seen.get(claim)
  return result !== undefined && 'facts' in result && isDeepStrictEqual(result.facts, claim.shows)
}

/** On a busy machine a moment can be missed: what was not seen is looked at once more, on a node of its own. */
async function runNode(node: string): Promise<void> {
  const own = selected.filter((claim) => (claim.node ?? mainNode) === node)
  const isGated = node === cutOffNode
  await runClaims(own, { node, isGated }, (key) => key)
  const missed = own.filter((claim) => !isShown(claim))
  repeated += missed.length
  if (missed.length > 0) await runClaims(missed, { node: again(node), isGated }, again)
}

describe('the claims', () => {
  it('quote their gotchas', () => {
    const quotes = claimsOfGotchas.flatMap(({ key, says }) => {
      const { gotcha, lookAt = '', next = '' } = gotchas.get(key) ?? {}
      return says.filter((quote) => !`${gotcha?.truth}\n${lookAt}\n${next}`.includes(quote))
    })
    expect(quotes).toEqual([])
  })

  it('are of every gotcha and every act, but for those with a reason', () => {
    const keys = new Set(claimsOfGotchas.map(({ key }) => key))
    const missing = [...gotchas.keys()].filter((name) => !keys.has(name))
    expect(missing.toSorted()).toEqual(Object.keys(unshownGotchas).toSorted())
    const others = [...Object.keys(podActs), ...nodeActs].filter((act) => !shownActs.has(act))
    expect(others.toSorted()).toEqual(Object.keys(unshownActs).toSorted())
  })
})

describe.skipIf(!canRun)('a real kubelet', () => {
  beforeAll(async () => {
    if ('missing' in found) return
    const file = found.files.get('kubelet') ?? ''
    const server = await startKubeApiserver(process.env, [...nodes, ...nodes.map(again)])
    cluster = await ClusterUnderTest.start(server, (options) => RealNode.start(file, options))
    await Promise.all(nodes.map(runNode))
  }, 300_000)

  it.for([...selected])('does what $key claims', (claim) => {
    const result = seen.get(claim)
    if (result === undefined) throw new Error(`${claim.key} did not run`)
    if ('error' in result) throw result.error
    expect(result.facts).toEqual(claim.shows)
    shown++
  })

  afterAll(async () => {
    if (cluster !== undefined) await cluster.stop()
    const unshown = Object.keys({ ...unshownGotchas, ...unshownActs }).length
    reportComparison(
      'claims',
      `${shown} of ${selected.length} scenarios show on a real kubelet what the gotchas and the forecasts claim, ${repeated} of them looked at once more; ${unshown} gotchas and acts cannot be shown there`,
    )
  }, 60_000)
})
