// Heap after garbage collection that the sandbox's store adds for objects of a kept state.
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { SandboxApiServer } from '../../src/main/sandbox/api-server.ts'
import { collectedHeap } from './bench-server.ts'
import { quietLog, report } from './quiet.ts'
import { storedState } from './stored-objects.ts'

const state = storedState()
const { resourceVersion } = state.meta
/** As the database holds them, so that nothing of the file's text is counted or shared. */
const texts = state.objects.map(({ resource, object }) => ({
  resource,
  json: JSON.stringify(object),
}))

function startServer(count: number): SandboxApiServer {
  const objects = texts
    .slice(0, count)
    .map(({ resource, json }) => ({ resource, object: JSON.parse(json) }))
  return new SandboxApiServer({
    clock: systemClock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log: quietLog,
    kept: { objects, resourceVersion, record: () => undefined },
  })
}

const empty = startServer(0)
const before = collectedHeap()
const full = startServer(texts.length)
const bytes = collectedHeap() - before
const json = texts.reduce((sum, text) => sum + text.json.length, 0)
report({ bytesPerObject: bytes / texts.length, jsonPerObject: json / texts.length })
// Both are in use until here.
if (empty === full) throw new Error('one server')
process.exit(0)
