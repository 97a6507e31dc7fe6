import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { objectPath, resourceNamed } from '../../nodes/control/wait-condition.ts'
import type { SandboxApiServer } from '../../sandbox/api-server.ts'
import type { ResourceType } from '../../sandbox/registry/resource-type.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { typeOfObject } from './scenario.ts'

/** The sandbox's API, as kubectl. */
export interface Admin extends Pick<OpenSandbox, 'adminTransport'> {
  readonly sandbox: { readonly server: Pick<SandboxApiServer, 'registry'> }
}

/** Its types now: definitions in the sandbox add some. */
function typesOf({ sandbox }: Admin): readonly ResourceType[] {
  return sandbox.server.registry.stored
}

interface Sent {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: unknown
  readonly type?: string
  readonly query?: Readonly<Record<string, string>>
}

/** Returns the server's message if it refuses; else empty. */
async function send({ adminTransport }: Admin, sent: Sent): Promise<string> {
  const { type = 'application/json', ...request } = sent
  const headers = { accept: 'application/json', 'content-type': type, 'user-agent': 'kubectl' }
  const answer = await adminTransport.send({ ...request, headers })
  if (answer.status < 300) return ''
  const answered = answer.kind === 'object' && isJsonObject(answer.body) ? answer.body : {}
  return textAt(answered, 'message') || `code ${answer.status}`
}

/** `kubectl create -f`. Returns why it is refused; else empty. */
export async function createObject(admin: Admin, object: JsonObject): Promise<string> {
  const type = typeOfObject(object, typesOf(admin))
  if (type === undefined) return 'the sandbox has no objects of this kind'
  const namespace = textAt(objectAt(object, 'metadata'), 'namespace') || 'default'
  return send(admin, { method: 'POST', path: objectPath(type, namespace, ''), body: object })
}

/** `kubectl apply --server-side -f`. */
export async function applyObject(admin: Admin, object: JsonObject): Promise<string> {
  const type = typeOfObject(object, typesOf(admin))
  if (type === undefined) return 'the sandbox has no objects of this kind'
  const metadata = objectAt(object, 'metadata')
  const namespace = textAt(metadata, 'namespace') || 'default'
  return send(admin, {
    method: 'PATCH',
    path: objectPath(type, namespace, textAt(metadata, 'name')),
    body: object,
    type: 'application/apply-patch+yaml',
    query: { fieldManager: 'kubectl', force: 'true' },
  })
}

interface Target {
  /** TYPE/NAME. */
  readonly resource: string
  readonly namespace?: string
}

function pathOf(admin: Admin, { resource, namespace = 'default' }: Target): string {
  const [kind = '', name = ''] = resource.split('/')
  const type = resourceNamed(kind, typesOf(admin))
  return type === undefined ? '' : objectPath(type, namespace, name)
}

const patchTypes = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const

/** `kubectl patch`. */
export function patchObject(
  admin: Admin,
  target: Target & {
    readonly subresource?: string
    readonly type?: keyof typeof patchTypes
    readonly patch: unknown
  },
): Promise<string> {
  const { subresource, type = 'strategic', patch } = target
  const path = `${pathOf(admin, target)}${subresource === undefined ? '' : `/${subresource}`}`
  return send(admin, { method: 'PATCH', path, body: patch, type: patchTypes[type] })
}

/** `kubectl delete --wait=false`. */
export function deleteObject(
  admin: Admin,
  target: Target & {
    readonly gracePeriodSeconds?: number
    readonly propagationPolicy?: string
  },
): Promise<string> {
  const { resource: _resource, namespace: _namespace, ...options } = target
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
  return send(admin, { method: 'DELETE', path: pathOf(admin, target), body })
}

/** Patches `clocks` or `faultplans` of nodescope.dev. */
export function setControl(
  admin: Admin,
  plural: 'clocks' | 'faultplans',
  spec: JsonObject,
): Promise<string> {
  const path = `/apis/nodescope.dev/v1alpha1/${plural}/sandbox`
  const type = 'application/merge-patch+json'
  return send(admin, { method: 'PATCH', path, body: { spec }, type })
}
