// A cluster that is opened to look at it, without a page's process: prints the ms from the start of the session to the first
// row and to all rows, and goes on until it is ended. Arguments: a kubeconfig, the number of pods.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Events } from '../../src/shared/ipc/contract.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../src/main/parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../../src/main/session/fake-session-config.ts'
import { startSession } from '../../src/main/session/start-session.ts'
import { report } from './quiet.ts'

const [kubeconfig = '', pods = '0'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'nodescope-bench-seen-'))
const before = performance.now()
const started = await startSession(
  fakeSessionConfig({
    cluster: { kind: 'look', path: kubeconfig, context: null },
    manifestsPath: join(folder, 'manifests'),
    dataFolder: folder,
  }),
  {
    log: new FakeLog(),
    assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
    parsers: parsersInPlace,
    host: 'web',
    printLine: () => undefined,
    environment: { HOME: folder },
  },
)
if (!started.ok) throw new Error(started.error.message)

/** The keys of the rows that the page has, until it has all. */
let keys: Set<string> | undefined = new Set()
let firstRow: number | undefined
function noteRows(rows: readonly { readonly key: string }[], removed: readonly string[]): void {
  if (keys === undefined) return
  for (const { key } of rows) keys.add(key)
  for (const key of removed) keys.delete(key)
  const ms = performance.now() - before
  if (keys.size > 0) firstRow ??= ms
  if (keys.size < Number(pods)) return
  keys = undefined
  report({ firstRow: firstRow ?? ms, allRows: ms })
}

// A page that takes each patch at once.
const page = started.value.channel.connect((name, event) => {
  if (name !== 'view.patched') return
  const { epoch, number, upserts, removed } = event as Events['view.patched']
  noteRows(upserts, removed)
  void page.request('view.acknowledge', { epoch, number })
})
noteRows((await page.request('view.open', {})).rows, [])

process.once('SIGTERM', () => {
  void started.value
    .stop()
    .then(() => rm(folder, { recursive: true, force: true }))
    // A profile is written at the exit.
    .finally(() => process.exit())
})
