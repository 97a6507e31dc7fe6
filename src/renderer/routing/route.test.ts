import { describe, expect, it } from 'vitest'
import type { Route } from './route.ts'
import { formatRoute, parseRoute, viewRoute } from './route.ts'

const here = viewRoute('flow')

describe('the address of a place', () => {
  it.each<readonly [string, Route]>([
    ['#/flow', here],
    ['#/start', { ...here, view: 'start' }],
    ['#/pods', { ...here, view: 'pods' }],
    [
      '#/pods?filter=ns%3Ax+%21web&labels=app%3Dweb&fields=status.phase%21%3DRunning&namespace=kube-system&show=attention',
      {
        ...here,
        view: 'pods',
        filter: {
          text: 'ns:x !web',
          selectors: { labels: 'app=web', fields: 'status.phase!=Running' },
          namespace: 'kube-system',
          segment: 'attention',
        },
      },
    ],
    [
      '#/pods/sandbox/scope-node-1/4db90dbb?tab=yaml',
      { ...here, view: 'pods', pod: 'sandbox/scope-node-1/4db90dbb', tab: 'yaml' },
    ],
    [
      '#/pods/arn%3Aaws%3Aeks%2Fa%20b%3F%23/node/u',
      { ...here, view: 'pods', pod: 'arn:aws:eks/a b?#/node/u' },
    ],
    ['#/pods/sandbox//u', { ...here, view: 'pods', pod: 'sandbox//u' }],
    ['#/flow?pod=sandbox%2Fn%2Fu', { ...here, pod: 'sandbox/n/u' }],
    ['#/mirrors/78229608-5a71', { ...here, view: 'mirrors', item: '78229608-5a71' }],
    ['#/manifests/a%20b%2Fc.yaml', { ...here, view: 'manifests', item: 'a b/c.yaml' }],
    ['#/handbook', { ...here, view: 'handbook' }],
    [
      '#/handbook/pod-workers/worker-loop',
      { ...here, view: 'handbook', item: 'pod-workers#worker-loop' },
    ],
    ['#/handbook/images', { ...here, view: 'handbook', item: 'images' }],
    ['#/flow?handbook=contents', { ...here, handbookSection: '' }],
    [
      '#/pods?handbook=images%2Fpulling',
      { ...here, view: 'pods', handbookSection: 'images#pulling' },
    ],
    [
      '#/flow?node=sandbox%2Fscope-node-2',
      { ...here, node: { cluster: 'sandbox', node: 'scope-node-2' } },
    ],
    [
      '#/pods/sandbox/scope-node-2/u?node=arn%253Aaws%252Fa%2Fscope-node-1',
      {
        ...here,
        view: 'pods',
        pod: 'sandbox/scope-node-2/u',
        node: { cluster: 'arn:aws/a', node: 'scope-node-1' },
      },
    ],
  ])('%s is written and read alike', (hash, route) => {
    expect(formatRoute(route)).toBe(hash)
    expect(parseRoute(hash)).toEqual(route)
  })

  it('ignores the token and unknown fragments', () => {
    expect(parseRoute(`#${'x'.repeat(32)}`)).toBeUndefined()
    expect(parseRoute('')).toBeUndefined()
    expect(parseRoute('#/nowhere')).toBeUndefined()
  })

  it('has no panel section in the Handbook view', () => {
    expect(parseRoute('#/handbook?handbook=images')).toEqual({ ...here, view: 'handbook' })
  })

  it('has no node if it cannot be read', () => {
    for (const query of ['node=', 'node=sandbox', 'node=a/b/c', 'node=%25/b'])
      expect(parseRoute(`#/flow?${query}`)).toEqual(here)
  })

  it('opens the view if the pod cannot be read', () => {
    expect(parseRoute('#/pods/sandbox/only-two')).toEqual({ ...here, view: 'pods' })
    expect(parseRoute('#/pods/%/b/c')).toEqual({ ...here, view: 'pods' })
    expect(parseRoute('#/manifests/%')).toEqual({ ...here, view: 'manifests' })
  })
})
