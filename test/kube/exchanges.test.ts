import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportComparison, reportMissing } from './comparison.ts'
import { applyExchanges } from './exchanges/apply.ts'
import { certificateExchanges } from './exchanges/certificates.ts'
import { classExchanges } from './exchanges/classes.ts'
import { clientMistakes } from './exchanges/client-mistakes.ts'
import { customResourceExchanges } from './exchanges/custom-resources.ts'
import { deletion } from './exchanges/deletion.ts'
import { endpointExchanges } from './exchanges/endpoints.ts'
import { ephemeralContainers } from './exchanges/ephemeral-containers.ts'
import { evictions } from './exchanges/eviction.ts'
import { nodeGraphExchanges } from './exchanges/node-graph.ts'
import { nodeExchanges } from './exchanges/node.ts'
import { podCreation } from './exchanges/pod-creation.ts'
import { podSecurityExchanges } from './exchanges/pod-security.ts'
import { rbacExchanges } from './exchanges/rbac.ts'
import { quotaExchanges } from './exchanges/quotas.ts'
import { reading } from './exchanges/reading.ts'
import { reviewExchanges } from './exchanges/reviews.ts'
import { secretExchanges } from './exchanges/secret.ts'
import { serviceExchanges } from './exchanges/service.ts'
import { resizes } from './exchanges/resize.ts'
import { podStatus } from './exchanges/status.ts'
import { storageExchanges } from './exchanges/storage.ts'
import { tokenExchanges } from './exchanges/token.ts'
import { warningExchanges } from './exchanges/warnings.ts'
import { eventExchanges } from './exchanges/events.ts'
import { cronJobExchanges, jobExchanges, workloadExchanges } from './exchanges/workloads.ts'
import { valueAt, without } from './normalise.ts'
import { startRealServer, startSandboxServer, type ServerUnderTest } from './servers.ts'
import { transcriptOf, type Answer } from './transcript.ts'

// Requests of a kubelet and kubectl to the sandbox and, if it is installed, to a
// real kube-apiserver in the same run. The responses are compared with the list, and with each other.

const suites = {
  'pods that are created and changed': podCreation,
  'pods that are deleted and evicted': deletion,
  'disruption budgets, and evictions that ask them': evictions,
  'the status of pods': podStatus,
  'pods that are resized': resizes,
  'ephemeral containers of pods': ephemeralContainers,
  'what a node may do': nodeExchanges,
  'what a node may read': nodeGraphExchanges,
  'secrets and service accounts': secretExchanges,
  services: serviceExchanges,
  'claims, volumes and storage classes': storageExchanges,
  'priority classes and runtime classes': classExchanges,
  'tokens of service accounts': tokenExchanges,
  'kinds with pod templates': workloadExchanges,
  jobs: jobExchanges,
  'cron jobs': cronJobExchanges,
  'endpoints and revisions': endpointExchanges,
  'reviews and roles': reviewExchanges,
  'what RBAC allows': rbacExchanges,
  'quotas and limit ranges': quotaExchanges,
  'levels of pod security': podSecurityExchanges,
  'requests for certificates': certificateExchanges,
  events: eventExchanges,
  'server-side apply': applyExchanges,
  warnings: warningExchanges,
  'custom resources': customResourceExchanges,
  'lists, tables and watches': reading,
  'mistakes of clients, and worse': clientMistakes,
} as const

const totals = { exchanges: 0, compared: 0, explained: 0 }
/** Of those that were played before: a test that fails in CI is run once more, in a namespace of its own. */
const attempts = new Set<number>()
let sandbox: ServerUnderTest
let withRbac: ServerUnderTest
let real: Awaited<ReturnType<typeof startRealServer>>

beforeAll(async () => {
  sandbox = await startSandboxServer()
  withRbac = await startSandboxServer({}, true)
  real = await startRealServer(process.env)
}, 90_000)

afterAll(async () => {
  await sandbox.stop()
  await withRbac.stop()
  if ('stop' in real) await real.stop()
  if ('missing' in real) {
    reportMissing('exchanges', real.missing)
    return
  }
  reportComparison(
    'exchanges',
    `${totals.exchanges} on the sandbox, ${totals.compared} of them also on kube-apiserver, ${totals.explained} differences explained`,
  )
})

/** Compares each response with the list. */
function expectAsListed(answers: readonly Answer[]): void {
  for (const { step, title, status, body } of answers) {
    const wanted = step.kind === 'ask' ? step.status : 200
    expect.soft({ title, status, body }).toMatchObject({
      title,
      status: wanted,
      ...(step.holds === undefined ? {} : { body: step.holds }),
    })
  }
}

/** Without the known differences, which must still exist. */
function comparable(answer: Answer, other: Answer): unknown {
  const { title, status, body, warning } = answer
  let rest: unknown = { title, status, body, warning }
  for (const { at, why } of answer.step.differs ?? []) {
    const path = at.split('.')
    expect(valueAt(answer, path), `${title} no longer differs at ${at} (${why})`).not.toEqual(
      valueAt(other, path),
    )
    rest = without(rest, path)
  }
  return rest
}

function expectSame(ours: readonly Answer[], theirs: readonly Answer[]): void {
  expect(ours).toHaveLength(theirs.length)
  for (const [index, own] of ours.entries()) {
    const other = theirs[index]
    if (other === undefined) throw new Error('as many answers on both servers')
    expect.soft(comparable(own, other)).toEqual(comparable(other, own))
    totals.compared++
    totals.explained += own.step.differs?.length ?? 0
  }
}

describe.each(Object.entries(suites))('%s', (_, scenarios) => {
  it.each(scenarios)('$title', { timeout: 120_000 }, async (scenario) => {
    const index = Object.values(suites).flat().indexOf(scenario)
    const namespace = `exchanges-${index}${attempts.has(index) ? '-again' : ''}`
    attempts.add(index)
    const server = 'enforcesRbac' in scenario ? withRbac : sandbox
    const ours = await transcriptOf(scenario, server, namespace)
    expectAsListed(ours)
    totals.exchanges += ours.length
    if ('missing' in real || 'onlySandbox' in scenario) return
    const theirs = await transcriptOf(scenario, real, namespace)
    expectAsListed(theirs)
    expectSame(ours, theirs)
  })
})

it('logged nothing in the sandbox', () => {
  expect([...sandbox.logged, ...withRbac.logged]).toEqual([])
})
