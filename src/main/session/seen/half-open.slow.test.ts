import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Snapshot } from '../../../shared/ipc/contract.ts'
import { startFakeSession, untilSnapshot } from '../fake-running-session.ts'

/** Passes bytes on to a port, or accepts connections and passes nothing, as a stopped server does. */
async function relayTo(port: number) {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const freeze = (frozen: boolean): void => {
    isFrozen = frozen
    for (const socket of sockets) {
      if (frozen) socket.pause()
      else socket.resume()
    }
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('error', () => undefined)
      if (isFrozen) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, freeze, close }
}

it('says within 20 s that a server which accepts connections does not answer, and then that it does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-half-open-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'kubeconfig')
  const sandbox = await startFakeSession(
    { kind: 'sandbox', port: null, kubeconfigPath: path },
    join(folder, 'sandbox'),
  )
  onTestFinished(() => sandbox.stop())
  const text = await readFile(path, 'utf8')
  const relay = await relayTo(Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]))
  onTestFinished(relay.close)
  await writeFile(path, text.replace(/(127\.0\.0\.1):\d+/, `$1:${relay.port}`))
  const looking = await startFakeSession(
    { kind: 'look', path, context: null },
    join(folder, 'looking'),
  )
  onTestFinished(() => looking.stop())
  const page = looking.channel.connect(() => undefined)
  const connectionOf = ({ clusters }: Snapshot) => clusters[0]?.connection
  // Its watches are open.
  await untilSnapshot(
    page,
    'a renewal',
    ({ clusters }) => (clusters[0]?.seen?.nodes[0]?.lease?.renewals.length ?? 0) > 1,
  )

  const frozenAt = Date.now()
  relay.freeze(true)
  const away = connectionOf(
    await untilSnapshot(page, 'away', (now) => connectionOf(now)?.kind === 'away'),
  )
  expect(Date.now() - frozenAt).toBeLessThan(20_000)
  expect(away?.kind === 'away' && away.since).toBeLessThanOrEqual(frozenAt + 100)

  relay.freeze(false)
  await untilSnapshot(page, 'back', (now) => connectionOf(now)?.kind === 'connected')
}, 90_000)
