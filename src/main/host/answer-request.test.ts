import { describe, expect, it } from 'vitest'
import type { SessionConnection } from '../session/session-channel.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { answerRequest } from './answer-request.ts'

function connection(answer: () => Promise<unknown>) {
  const asked: unknown[] = []
  const request = (name: string, args: unknown): Promise<unknown> => {
    asked.push({ name, args })
    return answer()
  }
  // A session that answers anything: what matters here is what reaches it.
  return { asked, connection: { request, close: () => undefined } as SessionConnection }
}

describe('answerRequest', () => {
  it('calls the session with checked arguments and returns its reply', async () => {
    const session = connection(() => Promise.resolve({ made: 'up' }))
    const answer = await answerRequest(
      session.connection,
      'pod.describe',
      { key: 'k' },
      new FakeLog(),
    )
    expect(answer).toEqual({ ok: true, value: { made: 'up' } })
    expect(session.asked).toEqual([{ name: 'pod.describe', args: { key: 'k' } }])
  })

  it('refuses malformed arguments', async () => {
    const session = connection(() => Promise.resolve(null))
    const log = new FakeLog()
    expect(await answerRequest(session.connection, 'pod.kill', { key: 'k' }, log)).toEqual({
      ok: false,
      error: 'The request pod.kill is malformed: args lacks gracePeriodSeconds.',
    })
    expect(session.asked).toEqual([])
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'request refused',
        fields: { reason: 'The request pod.kill is malformed: args lacks gracePeriodSeconds.' },
      },
    ])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
  ])('says so when the session %s, and keeps the reason for the log', async (_how, answer) => {
    const log = new FakeLog()
    const response = answerRequest(connection(answer).connection, 'view.open', {}, log)
    expect(await response).toEqual({
      ok: false,
      error: 'Nodescope failed to answer view.open; its log says why.',
    })
    expect(log.lines).toMatchObject([
      {
        level: 'error',
        message: 'request failed',
        fields: { request: 'view.open', error: 'broken' },
      },
    ])
  })
})
