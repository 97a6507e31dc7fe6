import fc from 'fast-check'
import type { Ending } from './await-points.ts'

/** One thing that happens to a kubelet's core. `which` chooses among what there is at the time. */
export type Operation =
  /** One of the calls under way ends. */
  | { readonly kind: 'end'; readonly which: number; readonly how: Ending }
  /** So many calls answer, one after the other, each in its turn. */
  | { readonly kind: 'flow'; readonly calls: number }
  /** The worker of one of the calls under way is cancelled. */
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'create'; readonly name: string; readonly grace: number }
  /** `kubectl delete`, of a pod or of a mirror. */
  | { readonly kind: 'delete'; readonly which: number; readonly grace: number }
  | { readonly kind: 'manifest'; readonly slot: string; readonly version: number }
  | { readonly kind: 'noManifest'; readonly slot: string }
  /** The sources say what they have. */
  | { readonly kind: 'deliver' }
  | {
      readonly kind: 'kill'
      readonly which: number
      readonly evict: boolean
      readonly override: number | undefined
    }
  /** Time passes. */
  | { readonly kind: 'pass'; readonly seconds: number }
  | { readonly kind: 'housekeeping' }
  /** The kubelet goes in the midst of it; what is under way ends in one way or the other, and another kubelet starts. */
  | { readonly kind: 'restart'; readonly how: Ending }

const which = fc.nat(30)
const how = fc.constantFrom<Ending[]>(
  ...(['answers', 'answers', 'answers', 'answers', 'fails', 'lost', 'throws'] as const),
)
const slot = fc.constantFrom('web-node', 'db-node')

function of<K extends Operation['kind']>(
  weight: number,
  kind: K,
  fields: {
    readonly [
      Field in Exclude<keyof Extract<Operation, { readonly kind: K }>, 'kind'>
    ]: fc.Arbitrary<Extract<Operation, { readonly kind: K }>[Field]>
  },
): { readonly weight: number; readonly arbitrary: fc.Arbitrary<Operation> } {
  // Drawn with the fields of its kind.
  const arbitrary = fc.record({
    kind: fc.constant(kind),
    ...fields,
  }) as unknown as fc.Arbitrary<Operation>
  return { weight, arbitrary }
}

/** Sequences in which all of it meets. */
export const operations: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.oneof(
    of(40, 'end', { which, how }),
    of(10, 'flow', { calls: fc.integer({ min: 2, max: 8 }) }),
    of(6, 'cancel', { which }),
    of(4, 'create', { name: fc.constantFrom('a', 'b'), grace: fc.constantFrom(0, 5, 30) }),
    of(7, 'delete', { which, grace: fc.constantFrom(0, 1, 30, 30) }),
    of(5, 'manifest', { slot, version: fc.nat(2) }),
    of(2, 'noManifest', { slot }),
    of(12, 'deliver', {}),
    of(3, 'kill', { which, evict: fc.boolean(), override: fc.constantFrom(undefined, 0, 5, 60) }),
    of(10, 'pass', { seconds: fc.constantFrom(1, 2, 11) }),
    of(8, 'housekeeping', {}),
    of(3, 'restart', { how }),
  ),
  { minLength: 20, maxLength: 100, size: 'max' },
)
