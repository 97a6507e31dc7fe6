import { FakeBridge } from '../../src/renderer/bridge/fake-bridge.ts'
import { fakeRow, fakeNow } from '../../src/renderer/bridge/fake-views.ts'
import type { PodRow } from '../../src/shared/model/pod-row.ts'
import { patchMs, showPage } from './bench-store.tsx'

// The program's page over 10,000 rows in memory. `window.bench` is for bench/measures/renderer.mjs.

const rowCount = 10_000
const statuses = ['Running', 'CrashLoopBackOff', 'Pending', 'Completed'] as const

const rows: PodRow[] = Array.from({ length: rowCount }, (_, index) =>
  fakeRow({
    name: `checkout-7d4b9c6f8-${String(index).padStart(5, '0')}`,
    namespace: `team-${index % 40}`,
    createdAt: fakeNow - index * 1000,
  }),
)
const bridge = new FakeBridge({ rows })
let timer: ReturnType<typeof setInterval> | undefined
let turn = 0
let updates = 0

/** Changes rows spread over the whole table, the shown ones among them. */
function sendPatch(perPatch: number): void {
  const upserts = Array.from({ length: perPatch }, (_, offset) => {
    const index = (turn * 7919 + offset * 313) % rowCount
    const row = rows[index]
    if (row === undefined) throw new Error('no such row')
    const next = {
      ...row,
      status: statuses[turn % statuses.length] ?? 'Running',
      restarts: row.restarts + 1,
    }
    rows[index] = next
    return next
  })
  turn++
  updates += perPatch
  bridge.patch({ upserts })
}

declare global {
  interface Window {
    bench: {
      readonly start: (updatesPerSecond: number) => void
      readonly stop: () => number
    }
  }
}

window.bench = {
  start: (updatesPerSecond) => {
    updates = 0
    timer = setInterval(() => sendPatch(Math.round((updatesPerSecond * patchMs) / 1000)), patchMs)
  },
  stop: () => {
    clearInterval(timer)
    return updates
  },
}

showPage(bridge)
