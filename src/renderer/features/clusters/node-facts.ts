import type { NodeObject } from '../../../shared/model/node/node-object.ts'

type WithConditions = Pick<NodeObject, 'conditions'>

/** The status of a node's condition; empty if the Node has none of this type. Pure. */
export function conditionOf({ conditions }: WithConditions, type: string): string {
  return conditions.find((condition) => condition.type === type)?.status ?? ''
}

export type Pressure =
  | { readonly kind: 'none' | 'unknown' }
  | { readonly kind: 'some'; readonly types: readonly string[] }

/** The conditions, apart from Ready, that say something is wrong. Pure. */
export function pressureOf({ conditions }: WithConditions): Pressure {
  const others = conditions.filter(({ type }) => type !== 'Ready')
  const types = others.filter(({ status }) => status === 'True').map(({ type }) => type)
  if (types.length > 0) return { kind: 'some', types }
  return { kind: others.some(({ status }) => status === 'Unknown') ? 'unknown' : 'none' }
}

function minorOf(version: string): number | undefined {
  const minor = /^v?\d+\.(\d+)/.exec(version)?.[1]
  return minor === undefined ? undefined : Number(minor)
}

/** By how many minor versions a kubelet is older than its API server; 0 if a version is not known. Pure. */
export function minorsBehind(kubelet: string, server: string): number {
  const [older, newer] = [minorOf(kubelet), minorOf(server)]
  return older === undefined || newer === undefined ? 0 : Math.max(0, newer - older)
}
