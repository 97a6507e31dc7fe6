import { describe, expect, it } from 'vitest'
import { fakeHost } from '../host/fake-host.ts'
import type { RuntimeContainerStatus } from '../ports.ts'
import { messagePathAnnotation, messagePolicyAnnotation } from './container-labels.ts'
import { withTerminationMessage } from './termination-message.ts'

const file = '/tmp/message'
const logPath = '/var/log/pods/c.log'

function ended(policy: string, rest: Partial<RuntimeContainerStatus> = {}): RuntimeContainerStatus {
  return {
    id: 'id',
    podSandboxId: 's',
    name: 'c',
    attempt: 0,
    state: 'exited',
    image: 'i',
    imageRef: 'i',
    createdAt: 0,
    startedAt: 0,
    finishedAt: 0,
    labels: {},
    annotations: { [messagePathAnnotation]: '/dev/log', [messagePolicyAnnotation]: policy },
    exitCode: 1,
    reason: 'Error',
    message: '',
    logPath,
    mounts: [{ containerPath: '/dev/log', hostPath: file }],
    ...rest,
  }
}

async function messageOf(
  status: RuntimeContainerStatus,
  texts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const host = fakeHost()
  for (const [path, text] of Object.entries(texts)) await host.files.write(path, text)
  return (await withTerminationMessage(status, host)).message
}

const logLine = (text: string, tag = 'F'): string =>
  `2026-01-01T00:00:00.000000000Z stdout ${tag} ${text}\n`

describe('the termination message of a container', () => {
  it('is the end of its file, after what the runtime says', async () => {
    expect(await messageOf(ended('File'), { [file]: 'said' })).toBe('said')
    expect(await messageOf(ended('File', { message: 'oom' }), { [file]: 'x' })).toBe('oom: x')
    const long = `${'a'.repeat(5000)}b`
    expect(await messageOf(ended('File'), { [file]: long })).toBe(long.slice(-4096))
  })

  it('is empty without a file, and while the container runs', async () => {
    expect(await messageOf(ended('File'))).toBe('')
    expect(await messageOf(ended('File', { state: 'running' }), { [file]: 'said' })).toBe('')
  })

  it('falls back to the log after an error, if the file is empty', async () => {
    const log = logLine('par', 'P') + logLine('tial') + logLine('last')
    const texts = { [file]: '', [logPath]: log }
    const policy = 'FallbackToLogsOnError'
    expect(await messageOf(ended(policy), texts)).toBe('partial\nlast\n')
    expect(await messageOf(ended(policy), { ...texts, [file]: 'said' })).toBe('said')
    expect(await messageOf(ended(policy, { exitCode: 0 }), texts)).toBe('')
    expect(await messageOf(ended('File'), texts)).toBe('')
  })

  it('has at most 80 lines and 2048 bytes of the log', async () => {
    const policy = 'FallbackToLogsOnError'
    const lines = Array.from({ length: 100 }, (_, index) => logLine(String(index)))
    const message = await messageOf(ended(policy), { [logPath]: lines.join('') })
    expect(message.split('\n').slice(0, 2)).toEqual(['20', '21'])
    const wide = logLine('a'.repeat(3000))
    expect(await messageOf(ended(policy), { [logPath]: wide })).toBe(`${'a'.repeat(2047)}\n`)
  })

  it('tells why the log cannot be read', async () => {
    expect(await messageOf(ended('FallbackToLogsOnError'))).toBe(
      `Error on reading termination message from logs: open ${logPath}: no such file or directory`,
    )
  })
})
