// Imported into a process that is measured (`node --expose-gc --import`): answers its parent's messages with what a time has
// cost. `begin` starts it, `heap` collects garbage, `end` tells the rest.
import { subscribe } from 'node:diagnostics_channel'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The histogram counts the time between two samples, so this is part of each of its values. */
const sampleMs = 10
const delay = monitorEventLoopDelay({ resolution: sampleMs })
let calls = {}
let startedAt = 0
/** Microseconds of processor time that do not count: before, and of the collections. */
let otherCpu = 0

function cpu() {
  const { user, system } = process.cpuUsage()
  return user + system
}

const answers = {
  begin: () => {
    delay.reset()
    delay.enable()
    calls = {}
    startedAt = performance.now()
    otherCpu = cpu()
    return {}
  },
  /** MB in use. The collection stops everything for some 50 ms, which counts as no delay. */
  heap: () => {
    const before = cpu()
    delay.disable()
    globalThis.gc()
    delay.enable()
    otherCpu += cpu() - before
    return Math.round(process.memoryUsage().heapUsed / 1e5) / 10
  },
  end: () => {
    delay.disable()
    const ms = performance.now() - startedAt
    const part = (value) => Math.max(0, value / 1e6 - sampleMs)
    return {
      seconds: ms / 1000,
      cpuPercent: ((cpu() - otherCpu) / 1000 / ms) * 100,
      delayP50: part(delay.percentile(50)),
      delayP99: part(delay.percentile(99)),
      delayMax: part(delay.max),
      calls,
    }
  },
}

// Not in the threads of the process.
if (process.send !== undefined) {
  subscribe('undici:request:create', ({ request: { method, path } }) => {
    const [bare, query = ''] = path.split('?')
    const name = `${query.includes('watch=true') ? 'WATCH' : method} ${bare}`
    calls[name] = (calls[name] ?? 0) + 1
  })
  process.on('message', (asked) => {
    if (Object.hasOwn(answers, asked)) process.send(answers[asked]())
  })
  process.channel.unref()
}
