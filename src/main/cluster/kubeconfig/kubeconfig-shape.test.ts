import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parseKubeconfig } from './kubeconfig-file.ts'

// test/kube/your-cluster/kubeconfig-merge.test.ts shows that kubectl refuses the same.

const ofUser = (user: object) => ({ contexts: [], users: [{ name: 'u', user }] })

describe('a kubeconfig that kubectl refuses', () => {
  it.each([
    [
      'a token of digits',
      ofUser({ token: 123 }),
      'users[0].user.token must be a string, not a number: put it in quotes',
    ],
    [
      'a variable without quotes',
      ofUser({ exec: { env: [{ name: 'A', value: true }] } }),
      'users[0].user.exec.env[0].value must be a string, not a boolean: put it in quotes',
    ],
    [
      'a group that is no list',
      ofUser({ 'as-groups': 'g' }),
      'users[0].user.as-groups must be a list, not a string',
    ],
    [
      'extras that are no lists',
      ofUser({ 'as-user-extra': { x: 'text' } }),
      'users[0].user.as-user-extra.x must be a list, not a string',
    ],
    [
      'data that is no base64',
      ofUser({ 'client-key-data': 'not base64!' }),
      'users[0].user.client-key-data is not valid base64',
    ],
    [
      'a switch in quotes',
      { contexts: [], clusters: [{ name: 'c', cluster: { 'insecure-skip-tls-verify': 'true' } }] },
      'clusters[0].cluster.insecure-skip-tls-verify must be true or false, not a string',
    ],
    ['a map of contexts', { contexts: { a: {} } }, 'contexts must be a list, not a map'],
    [
      'a name twice',
      { contexts: [{ name: 'a' }, { name: 'a' }] },
      'contexts has two entries with the name "a"',
    ],
    [
      'another version',
      { apiVersion: 'v2', kind: 'Config', contexts: [] },
      'it is Config of v2, not Config of v1',
    ],
    [
      'another kind',
      { apiVersion: 'v1', kind: 'Pod', contexts: [] },
      'it is Pod of v1, not Config of v1',
    ],
  ])('has %s', (_, config, problem) => {
    expect(parseKubeconfig(stringify(config), 'F')).toEqual({
      ok: false,
      error: { kind: 'broken', message: `The kubeconfig F is not valid: ${problem}.` },
    })
  })

  it('is not one with fields that are not read, or that are null', () => {
    const config = {
      ...ofUser({ token: null, constructor: 1, toString: [], exec: null }),
      clusters: null,
      preferences: 7,
    }
    expect(parseKubeconfig(stringify(config), 'F').ok).toBe(true)
  })
})
