import { describe, expect, it } from 'vitest'
import { problemOf } from './kubelet-problem.ts'

// Bodies as a kubelet 1.34 and a kube-apiserver 1.34 write them; the second is a kubelet before 1.33.
const cases: readonly (readonly [string, number, string, string])[] = [
  [
    '/pods',
    403,
    'Forbidden (user=system:serviceaccount:default:x, verb=get, resource=nodes, subresource(s)=[pods proxy])',
    'missing-right nodes/pods narrow',
  ],
  [
    '/pods',
    403,
    'Forbidden (user=system:serviceaccount:default:x, verb=get, resource=nodes, subresource=proxy)',
    'missing-right nodes/proxy broad',
  ],
  [
    '/pods',
    403,
    '{"kind":"Status","message":"nodes \\"a\\" is forbidden: User \\"x\\" cannot get resource \\"nodes/proxy\\" in API group \\"\\" at the cluster scope","code":403}',
    'missing-right nodes/proxy broad',
  ],
  ['/pods', 403, 'a proxy says no', 'missing-right'],
  ['/pods', 401, 'Unauthorized', 'unauthorized'],
  ['/configz', 404, '404 page not found', 'not-served'],
  ['/runningpods/', 405, '', 'not-served'],
  ['/pods', 302, '', 'away'],
  ['/healthz/syncloop', 500, '[-]syncloop failed: reason withheld', 'unhealthy'],
  [
    '/pods',
    503,
    '{"kind":"Status","message":"error trying to reach service: dial tcp 10.0.0.7:10250: connect: connection refused"}',
    'refused',
  ],
  ['/pods', 502, 'Bad Gateway', 'away'],
]

describe('the problem of a kubelet’s answer', () => {
  it.each(cases)('%s %i %s', (path, status, body, expected) => {
    const problem = problemOf(path, { status, body })
    const { right } = problem ?? {}
    const words = right === undefined ? [] : [right.resource, right.isBroad ? 'broad' : 'narrow']
    expect([problem?.kind, ...words].join(' ')).toBe(expected)
    expect(problem?.message).toContain(path)
  })

  it('is none for a success', () => {
    expect(problemOf('/pods', { status: 200, body: '' })).toBeUndefined()
  })
})
