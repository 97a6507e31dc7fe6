import { describe, expect, it } from 'vitest'
import type { Exchange } from '../faulty-proxy.ts'
import { writtenTwice } from './written-once.ts'

const pods = '/api/v1/namespaces/default/pods'
const events = '/api/v1/namespaces/default/events'
const webStatus = `${pods}/web/status`

function write(
  method: string,
  path: string,
  body: unknown,
  part: Partial<Exchange> = {},
): Exchange {
  const answered = { served: 200, responded: 200, ...part }
  return {
    at: 0,
    method,
    path,
    query: new URLSearchParams(),
    body: JSON.stringify(body),
    ...answered,
  }
}

const web = { metadata: { name: 'web' } }
const pulled = { involvedObject: { uid: 'u' }, reason: 'Pulled', message: 'm', type: 'Normal' }
const uid = { preconditions: { uid: 'u' } }

describe('duplicate writes', () => {
  it.each([
    ['a mirror', [write('POST', pods, web), write('POST', pods, web)]],
    [
      'an event under another name',
      [
        write('POST', events, { ...pulled, metadata: { name: 'a' } }),
        write('POST', events, { ...pulled, metadata: { name: 'b' } }),
      ],
    ],
    ['a status', [write('PATCH', webStatus, { a: 1 }), write('PATCH', webStatus, { a: 1 })]],
    [
      'a status whose answer was lost: it is read before it is written again',
      [
        write('PATCH', webStatus, { a: 1 }, { responded: undefined }),
        write('PATCH', webStatus, { a: 1 }),
      ],
    ],
    ['a deletion', [write('DELETE', `${pods}/web`, uid), write('DELETE', `${pods}/web`, uid)]],
  ])('%s', (_, exchanges) => {
    expect(writtenTwice(exchanges)).toHaveLength(1)
  })

  it.each([
    [
      'a mirror again after its deletion',
      [write('POST', pods, web), write('DELETE', `${pods}/web`, uid), write('POST', pods, web)],
    ],
    [
      'what the server refused',
      [write('POST', pods, web), write('POST', pods, web, { served: 409 })],
    ],
    [
      'a count whose answer was lost',
      [
        write('PATCH', `${events}/a`, { count: 2 }, { responded: undefined }),
        write('PATCH', `${events}/a`, { count: 2 }),
      ],
    ],
    ['a status that goes back and forth', [1, 2, 1].map((a) => write('PATCH', webStatus, { a }))],
  ])('not %s', (_, exchanges) => {
    expect(writtenTwice(exchanges)).toEqual([])
  })
})
