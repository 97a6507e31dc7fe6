import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endProcess } from './end-process.ts'

describe('endProcess', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function end(resources: () => readonly string[]): Promise<readonly string[]> {
    const done: string[] = []
    const ended = endProcess(3, {
      resources,
      exit: (exitCode) => done.push(`exit ${exitCode}`),
      emitExit: (exitCode) => done.push(`emitExit ${exitCode}`),
      kill: () => done.push('kill'),
    })
    await vi.advanceTimersByTimeAsync(5_000)
    await ended
    return done
  }

  it('exits at once if the thread pool is idle', async () => {
    expect(await end(() => ['TTYWrap', 'Timeout', 'FSEventWrap'])).toEqual(['exit 3'])
  })

  it('waits for a call in flight', async () => {
    let looks = 0
    expect(await end(() => (++looks < 5 ? ['FSReqPromise'] : []))).toEqual(['exit 3'])
    expect(looks).toBeGreaterThanOrEqual(5)
  })

  it.each(['FSReqPromise', 'FSReqCallback', 'FileHandleCloseReq', 'GetAddrInfoReqWrap'])(
    'kills the process, after the exit listeners, if a %s does not end',
    async (name) => {
      expect(await end(() => [name])).toEqual(['emitExit 3', 'kill'])
    },
  )
})
