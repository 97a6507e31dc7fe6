import { expect, it } from 'vitest'
import { withRealTimeLimit } from './watch-time-limit.ts'

it.each([
  [{ watch: 'true', timeoutSeconds: '300' }, 300_000],
  [{ watch: '1' }, 3_600_000],
  [{ watch: 'true', timeoutSeconds: '0' }, 3_600_000],
  [{ watch: 'true', timeoutSeconds: '' }, 3_600_000],
])('a watch with %j ends after %i real ms, regardless of the sandbox’s clock', (query, ms) => {
  const request = { method: 'GET', path: '/api/v1/pods', query } as const
  expect(withRealTimeLimit(request)).toEqual({
    request: { ...request, query: { ...query, timeoutSeconds: '1000000000' } },
    limitMs: ms,
  })
})

it.each([
  ['GET', { timeoutSeconds: '5' }],
  ['GET', { watch: 'false', timeoutSeconds: '5' }],
  ['GET', { watch: 'true', timeoutSeconds: 'soon' }],
  ['GET', { watch: 'true', timeoutSeconds: '-1' }],
  ['DELETE', { watch: 'true' }],
] as const)('%s with %j goes on as it is', (method, query) => {
  const request = { method, path: '/api/v1/pods', query }
  expect(withRealTimeLimit(request)).toEqual({ request, limitMs: undefined })
})
