import type { IncomingMessage } from 'node:http'
import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { internalError } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { authenticatedGroup, serviceAccountGroups } from '../auth/caller.ts'
import type { Caller } from '../auth/caller.ts'
import type { ResourceAttributes } from '../auth/request-attributes.ts'

/** The answer to what a caller may not do. */
export type Refusal = (caller: Caller, attributes: ResourceAttributes) => KubeStatus | undefined

type Asked = Pick<ResourceAttributes, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>

const unauthenticated = 'system:unauthenticated'
const extraPrefix = 'impersonate-extra-'
const accountName = /^system:serviceaccount:([^:]+):([^:]+)$/

/** A value as Go reads it, in UTF-8; Node.js reads a character for each byte. */
function utf8(value: string): string {
  return Buffer.from(value, 'latin1').toString()
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** The keys and values of `--as-user-extra`. */
function extraOf({
  headersDistinct,
}: IncomingMessage): Readonly<Record<string, readonly string[]>> {
  const entries = Object.entries(headersDistinct)
    .filter(([name]) => name.startsWith(extraPrefix))
    .map(
      ([name, values = []]) =>
        [unescaped(name.slice(extraPrefix.length)), values.map(utf8)] as const,
    )
  return Object.fromEntries(entries)
}

function rights(
  user: string,
  groups: readonly string[],
  extra: Readonly<Record<string, readonly string[]>>,
  uid: string,
): readonly Asked[] {
  const core = { group: '', subresource: '', namespace: '' }
  const ofAuthentication = { ...core, group: 'authentication.k8s.io' }
  const [, namespace = '', account = ''] = accountName.exec(user) ?? []
  const ofUser =
    account === ''
      ? { ...core, resource: 'users', name: user }
      : { ...core, resource: 'serviceaccounts', namespace, name: account }
  return [
    ofUser,
    ...groups.map((name) => ({ ...core, resource: 'groups', name })),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((name) => ({ ...ofAuthentication, resource: 'userextras', subresource, name })),
    ),
    ...(uid === '' ? [] : [{ ...ofAuthentication, resource: 'uids', name: uid }]),
  ]
}

/** The groups of the user that a caller speaks for; those that are given decide. */
function groupsOf(user: string, given: readonly string[]): readonly string[] {
  const [, namespace] = accountName.exec(user) ?? []
  const groups =
    namespace === undefined || given.length > 0 ? given : serviceAccountGroups(namespace)
  if (user === 'system:anonymous')
    return groups.includes(unauthenticated) ? groups : [...groups, unauthenticated]
  const isSaid = groups.includes(authenticatedGroup) || groups.includes(unauthenticated)
  return isSaid ? groups : [...groups, authenticatedGroup]
}

/** The user that `kubectl --as` names. Source: apiserver pkg/endpoints/filters/impersonation.go (v1.34). */
export function impersonated(
  incoming: IncomingMessage,
  caller: Caller,
  refusal: Refusal,
): ApiResult<Caller> {
  const { headersDistinct } = incoming
  const valuesOf = (name: string): readonly string[] => (headersDistinct[name] ?? []).map(utf8)
  const [user = ''] = valuesOf('impersonate-user')
  const groups = valuesOf('impersonate-group')
  const [uid = ''] = valuesOf('impersonate-uid')
  const extra = extraOf(incoming)
  const hasExtra = Object.keys(extra).length > 0
  if (user === '') {
    if (groups.length === 0 && uid === '' && !hasExtra) return ok(caller)
    return err(internalError('groups, extra or a UID are requested without impersonating a user'))
  }
  for (const asked of rights(user, groups, extra, uid)) {
    const attributes = {
      kind: 'resource',
      verb: 'impersonate',
      ...asked,
    } as const
    const refused = refusal(caller, attributes)
    if (refused !== undefined) return err(refused)
  }
  return ok({
    user,
    groups: groupsOf(user, groups),
    client: caller.client,
    ...(uid === '' ? {} : { uid }),
    ...(hasExtra ? { extra } : {}),
  })
}
