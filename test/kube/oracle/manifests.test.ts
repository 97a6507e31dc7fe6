import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJsonObject } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { nodeHash } from '../../../src/main/clock/node-hash.ts'
import type { StaticPodOrigin } from '../../../src/main/kubelet/pod/static-pod.ts'
import { parseText } from '../../../src/main/parsing/kubernetes-text.ts'
import { readStaticPods } from '../../../src/main/sources/static-pod-list.ts'
import { readStaticPod } from '../../../src/main/sources/static-pod-manifest.ts'
import {
  explainedManifests,
  unusualManifests,
  sameAmounts,
  uidManifests,
} from './unusual-manifests.ts'
import { oracleParameters } from './driving.ts'
import { Refusal } from './oracle.ts'
import { describeOracle } from './oracle-suite.ts'
import { plain } from './plain.ts'
import { manifestTexts } from './random-manifests.ts'

const numRuns = 300
let taken = 0
let refused = 0

interface Place {
  readonly source: 'file' | 'url'
  readonly node: string
  readonly location: string
}

/** Pods, or the words of the refusal. */
type Decoded = readonly Pod[] | string

function ours(text: string, { source, node, location }: Place): Decoded {
  const origin: StaticPodOrigin = {
    source: source === 'file' ? 'file' : 'http',
    nodeName: node,
    location,
    hash: nodeHash,
  }
  if (source === 'url') {
    const read = readStaticPods(parseText(text), origin)
    return read.ok ? read.value.pods : read.error.message
  }
  const reading = readStaticPod(text, origin)
  return reading.kind === 'pod' ? [reading.pod] : reading.problem.message
}

const generated = /^[0-9a-f]{32}$/

/** Replaces the digits of a hash, which differ from Go's (docs/differences.md), by the pod and the field. */
function withoutHash(pod: Pod): JsonObject {
  // Go's objects do not say what they are; ours say it as the API does.
  const { apiVersion: _version, kind: _kind, ...rest } = pod
  const text = JSON.stringify(plain(rest))
  const { uid } = pod.metadata
  const shown: unknown = JSON.parse(generated.test(uid) ? text.replaceAll(uid, '(hash)') : text)
  if (!isJsonObject(shown)) throw new Error('no pod')
  return shown
}

/**
 * What is wrong with a pod's fields, in Go's words, as far as it is all that the refusal says. Empty: the text is
 * no pod's, which ours says in words of its own, with line and column.
 */
function complaintOf(go: string): string {
  const validation = /^invalid pod: \[(.*)\]$/s.exec(go)?.[1]
  if (validation !== undefined) return asWritten(validation)
  const other =
    /^(?:static pods may not|json: cannot unmarshal .* into Go struct field (?!PodList))/
  return other.test(go) ? go : ''
}

/** Ours complains of the name as it was written, without the node's behind it. */
function asWritten(complaint: string): string {
  return complaint.replaceAll('-node1"', '"')
}

/** Ours puts a sentence around each complaint and names one only once; Go joins its list with commas. */
function isSaid(go: string, own: string): boolean {
  const words = /^(?:Item \d+ of the list: )?The pod is invalid: (.*)\.$/s.exec(own)?.[1]
  if (words === undefined) return own.includes(complaintOf(go))
  const rest = asWritten(words)
    .split('; ')
    .reduce((left, one) => left.replaceAll(one, ''), complaintOf(go))
  return /^[, ]*$/.test(rest)
}

await describeOracle(
  {
    name: 'manifests',
    subject: 'manifests',
    title: 'manifests',
    summary: () =>
      `${taken} decoded and ${refused} refused as the kubelet’s file and URL sources do`,
  },
  (oracle) => {
    async function theirs(text: string, { source, node, location }: Place): Promise<Decoded> {
      try {
        return (await oracle.ask(source, { text, node, location })) as readonly Pod[]
      } catch (error) {
        if (error instanceof Refusal) return error.message
        throw error
      }
    }

    const atHome: Place = { source: 'file', node: 'node1', location: '/manifests/a.yaml' }

    async function both(text: string, place: Place): Promise<void> {
      const [go, own] = [await theirs(text, place), ours(text, place)]
      if (typeof go === 'string' && typeof own === 'string') {
        refused++
        expect({ go, own, isSaid: isSaid(go, own) }).toEqual({ go, own, isSaid: true })
      } else if (typeof go === 'string' || typeof own === 'string') {
        expect(own).toEqual(go)
      } else {
        taken++
        expect(own.map(withoutHash)).toEqual(go.map(withoutHash))
      }
    }

    it.each(unusualManifests)('decodes %s', async (_, text) => {
      await both(text, atHome)
      await both(text, { ...atHome, source: 'url', location: 'http://m/p' })
    })

    it.each(explainedManifests)('handles %s differently, as documented', async (_, text) => {
      const [go, own] = [await theirs(text, atHome), ours(text, atHome)]
      if (typeof own === 'string') throw new Error(own)
      expect(own.map(withoutHash)).not.toEqual(typeof go === 'string' ? go : go.map(withoutHash))
    })

    it('changes the UID exactly if the kubelet does', async () => {
      const places: readonly Place[] = [
        atHome,
        { ...atHome, node: 'node2' },
        { ...atHome, location: '/manifests/b.yaml' },
        { ...atHome, source: 'url' },
      ]
      const asked = uidManifests.flatMap((text) => places.map((place) => ({ text, place })))
      const uidOf = (pods: Decoded): string =>
        typeof pods === 'string' ? pods : (pods[0]?.metadata.uid ?? '')
      const go = await Promise.all(
        asked.map(async ({ text, place }) => uidOf(await theirs(text, place))),
      )
      const own = asked.map(({ text, place }) => uidOf(ours(text, place)))
      const firstOf = (uids: readonly string[]) => uids.map((uid) => uids.indexOf(uid))
      expect(firstOf(own)).toEqual(firstOf(go))
      const [one, other] = await Promise.all(
        sameAmounts.map(async (text) => [
          uidOf(await theirs(text, atHome)),
          uidOf(ours(text, atHome)),
        ]),
      )
      // The one difference: ours does not look at how an amount is spelled.
      expect([one?.[0] === other?.[0], one?.[1] === other?.[1]]).toEqual([false, true])
      // All of one kind would say nothing.
      expect(new Set(go).size).toBeGreaterThan(places.length)
    })

    it('decodes random manifests', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(manifestTexts, { minLength: 5, maxLength: 5 }), async (texts) => {
          await Promise.all(texts.map((text) => both(text, atHome)))
        }),
        oracleParameters(numRuns),
      )
    })
  },
)
