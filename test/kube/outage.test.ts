import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportComparison, reportMissing } from './comparison.ts'
import { CutOffNode } from './outage/cut-off-node.ts'
import { HeldNode } from './outage/held-node.ts'
import { scenarios, type Scenario } from './outage/scenarios.ts'
import {
  startKubeApiserver,
  startSandboxServer,
  type OutageServer,
} from './outage/outage-server.ts'
import { isPodOrEvent, writesOf, writtenTwice } from './outage/written-once.ts'
import type { PartName } from './parts.ts'

// A kubelet behind a proxy with faults, in front of the sandbox and, if it is installed, a real kube-apiserver: its pods
// keep running, the API catches up, and nothing is written twice.

const held = {
  title: 'is not taken over while its kubelet runs, but within 40 s after it exits',
  node: 'held',
}
const nodes = [...scenarios, held].map(({ node }) => node)
/** Limited by the processors. */
const concurrency = 4
const totals = { faults: 0, writes: 0, audited: 0 }

let sandbox: OutageServer
let real: OutageServer | { readonly missing: readonly PartName[] }
/** Several run concurrently, because they mostly wait; each test awaits its own. */
const runs = new Map<string, Promise<void>>()

beforeAll(async () => {
  sandbox = await startSandboxServer(nodes)
  real = await startKubeApiserver(nodes, process.env)
  const servers = 'missing' in real ? [sandbox] : [sandbox, real]
  for (const server of servers) begin(server, held.title, onHeldNode(server))
  const lanes = Array.from({ length: concurrency }, () => Promise.resolve())
  const all = servers.flatMap((server) => scenarios.map((scenario) => ({ server, scenario })))
  for (const [index, { server, scenario }] of all.entries()) {
    const run = (lanes[index % concurrency] ?? Promise.resolve()).then(() =>
      onNode(server, scenario),
    )
    begin(server, scenario.title, run)
    lanes[index % concurrency] = run.catch(() => undefined)
  }
}, 120_000)

afterAll(async () => {
  await Promise.allSettled(runs.values())
  await sandbox.stop()
  if ('missing' in real) {
    reportMissing('outages', real.missing)
    return
  }
  await real.stop()
  reportComparison(
    'outages',
    `${totals.faults} requests met a fault, ${totals.writes} writes on two servers, none of them twice; the audit log of kube-apiserver has the same ${totals.audited}`,
  )
}, 120_000)

function begin(server: OutageServer, title: string, running: Promise<void>): void {
  // The test that awaits it reports the error.
  running.catch(() => undefined)
  runs.set(`${server.name} ${title}`, running)
}

/** Runs the scenario, and then checks for duplicate writes. */
async function onNode(server: OutageServer, { node: name, run }: Scenario): Promise<void> {
  const node = await CutOffNode.start(server, name)
  try {
    await run(node)
  } finally {
    await node.stop()
  }
  const { exchanges } = node.proxy
  expect(writtenTwice(exchanges)).toEqual([])
  const writes = writesOf(exchanges).map(({ method, path }) => `${method} ${path}`)
  expect(writes).not.toEqual([])
  totals.writes += writes.length
  totals.faults += exchanges.filter(
    ({ served, responded }) => served === undefined || responded === undefined,
  ).length
  const audited = await server.audited?.(name, writes.length, isPodOrEvent)
  if (audited === undefined) return
  expect(audited.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    writes.toSorted(),
  )
  totals.audited += audited.length
}

async function onHeldNode(server: OutageServer): Promise<void> {
  const node = new HeldNode(server, held.node)
  try {
    const first = await node.start()
    await node.untilConnected(first)
    const second = await node.start()
    expect(await second.refused).toEqual({
      exitCode: 2,
      message: expect.stringMatching(
        /^The node "held" is held by a running kubelet: "held" renewed its lease at \S+, during the check; choose another name with --node, or stop that kubelet\.$/,
      ),
    })
    await first.stop()
    const third = await node.start()
    await node.untilWaiting(third)
    const renewTime = await node.renewTime()
    await node.untilConnected(third)
    await node.untilRenewed(renewTime)
  } finally {
    await node.stop()
  }
}

describe.each(['the sandbox', 'kube-apiserver'])('a node of %s', (server) => {
  it.for([...scenarios, held])('$title', { timeout: 600_000 }, async ({ title }, { skip }) => {
    const run = runs.get(`${server} ${title}`)
    if (run === undefined) skip()
    await run
  })
})
