import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { nodeHash } from '../../src/main/clock/node-hash.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import { containerConfig } from '../../src/main/kubelet/kuberuntime/container-config.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { ParserThread } from '../../src/main/parsing/parser-thread.ts'
import { ManifestFolderSource } from '../../src/main/sources/manifest-folder.ts'
import { RandomPicker } from '../random-picker.ts'
import { randomManifest } from './random-manifest.ts'
import { noObjectManagers } from '../../src/main/kubelet/object-managers/fake-object-managers.ts'
import { makeEnvironmentVariables } from '../../src/main/kubelet/environment/environment.ts'

const noSources = {
  ...noObjectManagers,
  serviceLister: { list: () => [], hasSynced: () => true },
  allocatable: () => ({}),
  hostIPs: () => ['192.0.2.1'],
}

export interface ManifestReport {
  readonly written: number
  readonly pods: number
  readonly rejected: number
  readonly slowestMs: number
  readonly findings: readonly string[]
}

// Parsing has 10 s; the machine may be busy with something else.
const readWithinMs = 30_000
const longestMessage = 4_000

/** Writes random manifests into the folder of a source, and checks how it reads each. */
export async function fuzzManifests(options: {
  readonly seed: number
  readonly manifests: number
  readonly parserProgram: URL
}): Promise<ManifestReport> {
  const pick = new RandomPicker(seededRandom(options.seed).fork('manifests'))
  const folder = mkdtempSync(join(tmpdir(), 'nodescope-fuzz-'))
  const log = new FakeLog()
  const clock = new VirtualClock(nodeClockHost, { startAt: Date.UTC(2026, 0, 1) })
  const findings: string[] = []
  let sent = 0
  const source = new ManifestFolderSource({
    path: folder,
    nodeName: 'n1',
    hash: nodeHash,
    parse: new ParserThread(options.parserProgram).parse,
    clock,
    trace: { emit: () => 1 },
    log,
    watchFolder: () => ({ close: () => undefined }),
    onPods: (pods) => {
      sent = pods.length
    },
    onProblems: () => undefined,
  })
  const before = Reflect.ownKeys(Object.prototype).length
  const counts = { pods: 0, rejected: 0 }
  let slowestMs = 0
  try {
    for (let index = 0; index < options.manifests; index++) {
      const name = `manifest-${index}.yaml`
      const path = join(folder, name)
      const bytes = randomManifest(pick)
      writeFileSync(path, bytes)
      const finding = (what: string): void => {
        findings.push(`manifest ${index}: ${what}: ${bytes.subarray(0, 300).toString()}`)
      }
      const startedAt = performance.now()
      await source.readNow([name])
      const ms = performance.now() - startedAt
      slowestMs = Math.max(slowestMs, ms)
      if (ms > readWithinMs) finding(`read for ${Math.round(ms)} ms`)
      const reading = source.snapshot().readings.get(path)
      if (reading === undefined) finding('nothing is said of it')
      else if (reading.kind === 'rejected') {
        counts.rejected++
        const { message } = reading.problem
        if (message === '' || message.length > longestMessage)
          finding(`a message of ${message.length} characters`)
      } else {
        counts.pods++
        for (const container of reading.pod.spec.containers) {
          const starting = { pod: reading.pod, container, podIPs: [] }
          const variables = await makeEnvironmentVariables(starting, noSources)
          const envs = [...(variables.ok ? variables.value : [])].map(([key, value]) => ({
            key,
            value,
          }))
          containerConfig(reading.pod, container, 'i', 0, { envs })
        }
        if (sent === 0) finding('its pod was not handed on')
      }
      // Nothing may hold the clock for longer than the reading takes.
      await clock.advance(1)
    }
    if (Reflect.ownKeys(Object.prototype).length !== before)
      findings.push('a prototype of JavaScript has changed')
    for (const { level, message, fields } of log.lines)
      if (level === 'error') findings.push(`logged: ${message} ${String(fields['error'])}`)
  } finally {
    source.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { written: options.manifests, ...counts, slowestMs, findings }
}

/** One line of totals. */
export function manifestLine(report: ManifestReport, seed: number): string {
  const { written, pods, rejected, slowestMs, findings } = report
  return `fuzz: ${written} manifests, seed ${seed}, ${findings.length} findings; ${pods} pods, ${rejected} rejected; slowest ${Math.round(slowestMs)} ms`
}
