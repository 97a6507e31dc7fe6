import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../clock/seeded-random.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { SimulatedRuntime } from '../../runtimes/simulated/simulated-runtime.ts'
import { asOther } from '../fake-other-user.ts'
import { serveCri } from '../serve-cri.ts'
import { CriServer } from '../cri-server.ts'
import { connectRuntime } from './connect-runtime.ts'

let folder: string
let socketPath: string
const ends: (() => unknown)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cri-client-'))
  socketPath = join(folder, 'cri.sock')
})

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  rmSync(folder, { recursive: true, force: true })
})

function listen(server: Server): Promise<void> {
  ends.push(() => server.close())
  return new Promise((resolve) => server.listen(socketPath, resolve))
}

function newRuntime(): SimulatedRuntime {
  return new SimulatedRuntime({
    clock: systemClock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log: new FakeLog(),
  })
}

async function sentence(path = socketPath): Promise<string> {
  const connected = await connectRuntime(path)
  if (!connected.ok) return connected.error
  connected.value.close()
  return 'connected'
}

describe('connectRuntime', () => {
  it('connects to a runtime that serves CRI v1, and is named by it', async () => {
    const served = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
    if (!served.ok) throw new Error(served.error)
    const connected = await connectRuntime(socketPath)
    if (!connected.ok) throw new Error(connected.error)
    ends.push(() => {
      connected.value.close()
      served.value.stop()
    })
    expect([connected.value.name, connected.value.version]).toEqual(['simulated', '0.1.0'])
  })

  it('says that there is no socket', async () => {
    expect(await sentence()).toBe(
      `There is no socket ${socketPath}: start the container runtime, or correct the path.`,
    )
  })

  it('says that a file is not a socket', async () => {
    writeFileSync(socketPath, '')
    expect(await sentence()).toBe(
      `${socketPath} is not a socket: name the container runtime's socket.`,
    )
  })

  it('says that a path is longer than that of a socket can be', async () => {
    // Its server may have used a relative path.
    const path = join(folder, 'x'.repeat(100), 'cri.sock')
    expect(await sentence(path)).toMatch(
      /^The socket path .*cri\.sock is too long: a Unix socket's path has \d+ bytes at most\.$/,
    )
  })

  it('says that the runtime at the socket has ended', async () => {
    // A process that is killed leaves its socket behind.
    const script = `const s = require('net').createServer(); s.listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', script])
    expect(await sentence()).toBe(
      `No program serves the socket ${socketPath}: start the container runtime.`,
    )
  })

  it('says that a program is no container runtime', async () => {
    await listen(
      createServer((socket) => {
        socket.on('error', () => undefined)
        socket.write('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy())
      }),
    )
    expect(await sentence()).toMatch(
      /^The program at .*cri\.sock does not answer as a container runtime: [\w ]+\.$/,
    )
  })

  it('says that a runtime has no CRI v1', async () => {
    const server = new GrpcServer()
    await new Promise((resolve) => {
      server.bindAsync(`unix:${socketPath}`, ServerCredentials.createInsecure(), resolve)
    })
    ends.push(() => {
      server.forceShutdown()
    })
    expect(await sentence()).toMatch(
      /^The program at .*cri\.sock does not serve CRI v1 \(.+\): containerd needs version 1\.6 or newer, with its CRI plugin enabled\.$/,
    )
  })
})

describe.skipIf(process.platform === 'win32')('a user without rights', () => {
  it('is told that the socket is of another user', async () => {
    await listen(createServer())
    chmodSync(folder, 0o755)
    chmodSync(socketPath, 0o600)
    expect(await asOther(() => sentence())).toBe(
      `This user may not use the socket ${socketPath}: run Nodescope as a user who may.`,
    )
  })
})

/** A runtime whose process dies when it is asked for the disk of its images. */
async function diesInTheMiddle(): Promise<void> {
  const runtime = newRuntime()
  const sockets: Socket[] = []
  const relay = createServer((socket) => {
    const onward = connect(`${socketPath}.inner`)
    for (const one of [socket, onward]) {
      sockets.push(one)
      one.on('error', () => undefined)
    }
    socket.pipe(onward).pipe(socket)
  })
  runtime.imageFsInfo = () => {
    relay.close()
    for (const socket of sockets) socket.destroy()
    return new Promise(() => undefined)
  }
  const server = new CriServer({ runtime, log: new FakeLog() })
  await server.listen(`${socketPath}.inner`)
  await new Promise<void>((resolve) => relay.listen(socketPath, resolve))
  ends.push(() => {
    server.stop()
  })
}

describe('a runtime that dies', () => {
  it('during the checks is named', async () => {
    await diesInTheMiddle()
    expect(await sentence()).toBe(
      `The container runtime at ${socketPath} ended while it was asked: start it again.`,
    )
  })

  it('is unavailable at once, and answers again when it is back', async () => {
    const runtime = newRuntime()
    const first = new CriServer({ runtime, log: new FakeLog() })
    await first.listen(socketPath)
    const connected = await connectRuntime(socketPath)
    if (!connected.ok) throw new Error(connected.error)
    const client = connected.value
    const status = await client.status()
    expect(status.ok && status.value.conditions.map(({ type }) => type)).toEqual([
      'RuntimeReady',
      'NetworkReady',
    ])
    first.stop()
    expect(await client.status()).toMatchObject({ ok: false, error: { kind: 'unavailable' } })
    const dialling = `dial unix ${socketPath}: connect: no such file or directory`
    await expect
      .poll(async () => client.status())
      .toEqual({
        ok: false,
        error: {
          kind: 'unavailable',
          message: `rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: ${dialling}"`,
        },
      })
    const second = new CriServer({ runtime, log: new FakeLog() })
    await second.listen(socketPath)
    ends.push(() => {
      client.close()
      second.stop()
    })
    await expect.poll(async () => (await client.status()).ok, { timeout: 10_000 }).toBe(true)
  })
})
