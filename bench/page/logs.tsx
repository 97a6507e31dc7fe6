import type { Requests } from '../../src/shared/ipc/contract.ts'
import type { PodLogs } from '../../src/shared/model/pod-logs.ts'
import { FakeBridge } from '../../src/renderer/bridge/fake-bridge.ts'
import { fakeDetail, fakeNow, fakeRow } from '../../src/renderer/bridge/fake-views.ts'
import { patchMs, showPage } from './bench-store.tsx'

// The log of one container in the program's page: lines that are there already, and more while it follows. `window.logs` is
// for bench/measures/log-view.mjs.

const row = fakeRow({ name: 'checkout-7d4b9c6f8-00000' })
/** Of the lines that come one after the other at the beginning, as at each later second. */
const linesPerSecond = 1000

let printed = 0

function lineText(index: number): string {
  const at = new Date(fakeNow + (index * 1000) / linesPerSecond).toISOString()
  return `${at.replace('Z', '000000Z')} 10.244.0.${index % 250} "GET /cart/${index} HTTP/1.1" 200 ${index % 9973} "-" "kube-probe/1.34"\n`
}

/** As main answers: all lines, or those from the last known millisecond on. */
function answer({ after }: Requests['pod.logs']['args']): PodLogs {
  const from = after === null ? 0 : ((after.at - fakeNow) * linesPerSecond) / 1000
  const lines = Array.from({ length: Math.max(0, printed - from) }, (_, offset) =>
    lineText(from + offset),
  )
  return { parts: [{ containerId: 'x://1', text: lines.join('') }], error: '' }
}

const bridge = new FakeBridge({ rows: [row] })
bridge.tell(fakeDetail(row))
bridge.logs = answer
const store = showPage(bridge)
let timer: ReturnType<typeof setInterval> | undefined

declare global {
  interface Window {
    logs: {
      /** Opens the log with so many lines. */
      readonly open: (lines: number) => void
      /** From now on the container prints, and the cluster's clock goes on. */
      readonly follow: () => void
      /** Returns how many lines were printed. */
      readonly stop: () => number
    }
  }
}

window.logs = {
  open: (lines) => {
    printed = lines
    store.state.getState().openDrawer(row.key, 'logs')
  },
  follow: () => {
    const before = printed
    const startedAt = performance.now()
    timer = setInterval(() => {
      const passedMs = performance.now() - startedAt
      printed = before + Math.floor((passedMs * linesPerSecond) / 1000)
      bridge.patch({ now: { [row.cluster]: fakeNow + passedMs } })
    }, patchMs)
  },
  stop: () => {
    clearInterval(timer)
    return printed
  },
}
