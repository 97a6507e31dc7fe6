import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { forbiddenStatus } from '../auth/authorizer.ts'
import type { Caller } from '../auth/caller.ts'
import { impersonated } from './impersonation.ts'

const caller: Caller = { user: 'boss', groups: ['system:authenticated'], client: 'kubectl' }

/** Who the caller becomes with these headers, and what it has to be allowed for that. */
function become(
  headersDistinct: Readonly<Record<string, string[]>>,
  isAllowed: (resource: string) => boolean = () => true,
) {
  const asked: string[] = []
  const incoming = { headersDistinct } as unknown as IncomingMessage
  const result = impersonated(incoming, caller, (who, attributes) => {
    const { group, resource, subresource, namespace, name } = attributes
    asked.push([group, resource, subresource, namespace, name].join('|'))
    return isAllowed(resource) ? undefined : forbiddenStatus(who, attributes, '')
  })
  return { asked, result }
}

describe('impersonation', () => {
  it('is asked for by a user, its groups, its UID and its extra', () => {
    const { asked, result } = become({
      'impersonate-user': ['jane'],
      'impersonate-group': ['dev', 'ops'],
      'impersonate-uid': ['7'],
      'impersonate-extra-example.com%2fscope': ['a', 'b'],
    })
    expect(asked).toEqual([
      '|users|||jane',
      '|groups|||dev',
      '|groups|||ops',
      'authentication.k8s.io|userextras|example.com/scope||a',
      'authentication.k8s.io|userextras|example.com/scope||b',
      'authentication.k8s.io|uids|||7',
    ])
    expect(result).toEqual({
      ok: true,
      value: {
        user: 'jane',
        groups: ['dev', 'ops', 'system:authenticated'],
        client: 'kubectl',
        uid: '7',
        extra: { 'example.com/scope': ['a', 'b'] },
      },
    })
  })

  it('reads names in UTF-8', () => {
    // As Node.js reads the bytes of a header.
    const read = (text: string): string => Buffer.from(text).toString('latin1')
    const { asked, result } = become({
      'impersonate-user': [read('jürgen')],
      'impersonate-group': [read('Prüfung')],
      'impersonate-extra-a': [read('ß')],
    })
    expect(asked).toEqual([
      '|users|||jürgen',
      '|groups|||Prüfung',
      'authentication.k8s.io|userextras|a||ß',
    ])
    expect(result).toMatchObject({ value: { user: 'jürgen', extra: { a: ['ß'] } } })
  })

  it.each([
    ['system:serviceaccount:a:robot', [], ['system:serviceaccounts', 'system:serviceaccounts:a']],
    ['system:serviceaccount:a:robot', ['dev'], ['dev']],
    ['system:anonymous', [], ['system:unauthenticated']],
    ['jane', ['system:unauthenticated'], ['system:unauthenticated']],
  ])('of %s with the groups %j', (user, given, expected) => {
    const { result } = become({ 'impersonate-user': [user], 'impersonate-group': given })
    const isKnown = expected.some((group) => group.includes('authenticated'))
    const groups = isKnown ? expected : [...expected, 'system:authenticated']
    expect(result).toMatchObject({ ok: true, value: { user, groups } })
  })

  it('is refused for the first thing that the caller may not be', () => {
    const headers = { 'impersonate-user': ['jane'], 'impersonate-group': ['system:masters'] }
    expect(become(headers, (resource) => resource !== 'groups').result).toMatchObject({
      error: {
        code: 403,
        message:
          'groups "system:masters" is forbidden: User "boss" cannot impersonate resource "groups" in API group "" at the cluster scope',
      },
    })
  })

  it('needs a user', () => {
    expect(become({ 'impersonate-group': ['dev'] }).result).toMatchObject({ error: { code: 500 } })
    expect(become({}).result).toEqual({ ok: true, value: caller })
  })
})
