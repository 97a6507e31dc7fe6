import { describe, expect, it } from 'vitest'
import { routeOf } from './routes.ts'

// As a kubelet v1.34.4 answered each of them.
describe('routeOf', () => {
  it.each([
    ['GET', '/pods', 'pods'],
    ['GET', '/pods/', 'pods'],
    ['GET', '/runningpods/', 'runningPods'],
    ['POST', '/stats/summary', 'stats'],
    ['DELETE', '/configz', 'configz'],
    ['HEAD', '/metrics', 'metrics'],
    ['POST', '/healthz', 'healthz'],
    ['GET', '/logs/', 'logs'],
    ['GET', '/logs/a/b', 'logs'],
    ['GET', '/debug/pprof/heap', 'profiling'],
  ])('leads %s %s to %s', (method, path, endpoint) => {
    expect(routeOf({ method, path })).toMatchObject({ kind: 'endpoint', endpoint })
  })

  it.each([
    ['/containerLogs/default/web/c/', { namespace: 'default', pod: 'web', container: 'c' }],
    ['/exec/default/web/7/c', { namespace: 'default', pod: 'web', uid: '7', container: 'c' }],
    ['/portForward/default/web', { namespace: 'default', pod: 'web' }],
    ['/healthz/syncloop', { check: 'syncloop' }],
  ])('reads %s', (path, parameters) => {
    expect(routeOf({ method: 'GET', path })).toMatchObject({ parameters })
  })

  it.each(['/', '/nope', '/podsx', '/healthz/', '/healthz/x', '/metrics/', '/metrics/x', '/spec/'])(
    'has nothing at %s',
    (path) => {
      expect(routeOf({ method: 'GET', path })).toEqual({ kind: 'unknown' })
    },
  )

  it.each(['/constructor', '/__proto__', '/toString/'])('has nothing at %s', (path) => {
    expect(routeOf({ method: 'GET', path })).toEqual({ kind: 'unknown' })
  })

  it.each(['/pods/x', '/runningpods/x', '/stats/', '/stats/x', '/containerLogs/default/web'])(
    'has an endpoint above %s, but not there',
    (path) => {
      expect(routeOf({ method: 'GET', path })).toEqual({ kind: 'none' })
    },
  )

  it.each([
    ['//pods', '/pods'],
    ['/a/../pods/', '/pods/'],
    ['/./pods', '/pods'],
    ['/runningpods', '/runningpods/'],
    ['/stats', '/stats/'],
    ['/logs', '/logs/'],
  ])('redirects %s to %s', (from, path) => {
    expect(routeOf({ method: 'GET', path: from })).toEqual({ kind: 'redirect', path })
  })

  it.each([
    ['HEAD', '/pods', ['GET']],
    ['PROPFIND', '/pods/', ['GET']],
    ['HEAD', '/stats/summary', ['GET', 'POST']],
    ['GET', '/run/default/web/c', ['POST']],
    ['GET', '/checkpoint/default/web/c', ['POST']],
    ['PATCH', '/exec/default/web/c', ['GET', 'POST']],
  ])('refuses the method of %s %s', (method, path, allowed) => {
    expect(routeOf({ method, path })).toEqual({ kind: 'method', allowed })
  })
})
