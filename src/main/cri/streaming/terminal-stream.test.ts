import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { TerminalEnd } from '../../../shared/model/terminal.ts'
import type { RuntimeError } from '../../kubelet/ports.ts'
import type { OutputStreams } from '../../runtimes/simulated/process/running.ts'
import type { Streaming } from '../../runtimes/simulated/streams.ts'
import { openSpdyTerminal } from './spdy-terminal.ts'
import { StreamUrls } from './stream-urls.ts'
import { StreamingServer } from './streaming-server.ts'
import { streamsInProcess, streamsOverWebSocket } from './terminal-stream.ts'
import type { OpenTerminalStream, TerminalStream } from './terminal-stream.ts'

// The same over WebSocket as in the process; test/kube/containerd.test.ts has a real runtime.

let server: StreamingServer

beforeEach(async () => {
  server = new StreamingServer()
  await server.start()
})

afterEach(() => {
  server.stop()
})

const terminal = { stdin: true, stdout: true, stderr: false, tty: true }

/** A command that a test ends. */
class FakeCommand {
  readonly received: string[] = []
  readonly streams: OutputStreams[] = []
  isKilled = false
  #resolve: (result: Result<number, RuntimeError>) => void = () => undefined
  readonly #ended = new Promise<Result<number, RuntimeError>>((resolve) => {
    this.#resolve = resolve
  })

  readonly run: Parameters<Streaming['command']>[1] = (streams) => {
    this.streams.push(streams)
    return {
      ended: this.#ended,
      kill: () => {
        this.isKilled = true
      },
      input: { receive: (text) => this.received.push(text), end: () => undefined },
    }
  }

  end(result: Result<number, RuntimeError>): void {
    this.#resolve(result)
  }
}

interface Opened {
  readonly stream: TerminalStream
  readonly printed: readonly string[]
  readonly ends: readonly TerminalEnd[]
}

async function opened(open: OpenTerminalStream, url: string): Promise<Opened> {
  const printed: string[] = []
  const ends: TerminalEnd[] = []
  const answer = await open(url, {
    printed: (text) => printed.push(text),
    ended: (end) => ends.push(end),
  })
  if (!answer.ok) throw new Error(answer.error)
  return { stream: answer.value, printed, ends }
}

const urls = new StreamUrls(() => 'stream:')

const overSpdy: OpenTerminalStream = async (url, listener) =>
  openSpdyTerminal({ url, who: 'The runtime' }, listener)

describe.each([
  ['in the process', streamsInProcess(urls), () => urls],
  ['over WebSocket', streamsOverWebSocket, () => server],
  ['over SPDY', overSpdy, () => server],
] as const)('a terminal stream %s', (_, open, streamingOf) => {
  it('passes output and input, and ends with the exit code', async () => {
    const command = new FakeCommand()
    const { stream, printed, ends } = await opened(
      open,
      streamingOf().command(terminal, command.run),
    )
    await expect.poll(() => command.streams).toHaveLength(1)
    command.streams[0]?.stdout?.('grüße\r\n', 0)
    stream.write('ls\r')
    stream.resize({ columns: 80, rows: 24 })
    await expect.poll(() => printed.join('')).toBe('grüße\r\n')
    await expect.poll(() => command.received.join('')).toBe('ls\r')
    command.end(ok(7))
    await expect.poll(() => ends).toEqual([{ exitCode: 7, message: '' }])
    stream.close()
    expect(ends).toHaveLength(1)
  })

  it('says why there is no exit code', async () => {
    const command = new FakeCommand()
    const { ends } = await opened(open, streamingOf().command(terminal, command.run))
    command.end(err({ kind: 'failed', message: 'exec: "nothing": not found' }))
    await expect
      .poll(() => ends)
      .toEqual([{ exitCode: null, message: expect.stringContaining('"nothing": not found') }])
  })

  it('kills the command when it is closed, and then says nothing more', async () => {
    const command = new FakeCommand()
    const { stream, ends } = await opened(open, streamingOf().command(terminal, command.run))
    await expect.poll(() => command.streams).toHaveLength(1)
    stream.close()
    stream.close()
    await expect.poll(() => command.isKilled).toBe(true)
    command.end(ok(0))
    expect(ends).toEqual([])
  })

  it('opens each URL once', async () => {
    const url = streamingOf().command(terminal, new FakeCommand().run)
    const { stream } = await opened(open, url)
    const listener = { printed: () => undefined, ended: () => undefined }
    expect(await open(url, listener)).toMatchObject({ ok: false })
    stream.close()
  })
})

it('says when the runtime is gone', async () => {
  const { ends } = await opened(
    streamsOverWebSocket,
    server.command(terminal, new FakeCommand().run),
  )
  server.stop()
  await expect
    .poll(() => ends)
    .toEqual([{ exitCode: null, message: expect.stringMatching(/^The runtime closed/) }])
})
