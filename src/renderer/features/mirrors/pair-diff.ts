import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { YamlLine } from './yaml-lines.ts'
import { yamlLines } from './yaml-lines.ts'

/** Why a line differs; empty where it does not. */
export type Reason =
  | ''
  | 'always'
  | 'mirrorOnly'
  | 'stale'
  | 'kubeletAnnotation'
  | 'seenAgain'
  | 'added'
  | 'absent'
  | 'changed'

interface Match {
  readonly path: string
  /** Undefined: that side has no line. */
  readonly left: string | undefined
  readonly right: string | undefined
}

export interface DiffLine extends Match {
  readonly reason: Reason
}

/** Lengths of the longest common subsequence of paths from each position; rows are the left side's. */
function commonLengths(left: readonly YamlLine[], right: readonly YamlLine[]): Uint16Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--) {
      const here = table[row]
      const below = table[row + 1]
      if (here === undefined || below === undefined) continue
      here[column] =
        left[row]?.path === right[column]?.path
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, here[column + 1] ?? 0)
    }
  return table
}

/**
 * Lines of the same field side by side. Written by hand: a diff of text would pair equal lines of different fields
 * (`name:` of one container with that of another). A pod has some hundred lines at most, for which the plain table of
 * common lengths is fast. Pure.
 */
function align(left: readonly YamlLine[], right: readonly YamlLine[]): readonly Match[] {
  const table = commonLengths(left, right)
  const matches: Match[] = []
  let row = 0
  let column = 0
  for (;;) {
    const a = left[row]
    const b = right[column]
    if (a === undefined && b === undefined) return matches
    if (a !== undefined && a.path === b?.path) {
      matches.push({ path: a.path, left: a.text, right: b.text })
      row++
      column++
      continue
    }
    const skipLeft = table[row + 1]?.[column] ?? 0
    const skipRight = table[row]?.[column + 1] ?? 0
    if (a !== undefined && (b === undefined || skipLeft >= skipRight)) {
      matches.push({ path: a.path, left: a.text, right: undefined })
      row++
    } else if (b !== undefined) {
      matches.push({ path: b.path, left: undefined, right: b.text })
      column++
    }
  }
}

const alwaysDiffer = /^metadata\.(?:uid|creationTimestamp|resourceVersion|generation|selfLink)$/
const mirrorOnly = /^metadata\.(?:ownerReferences\b|annotations\.kubernetes\.io\/config\.mirror$)/
const seen = 'metadata.annotations.kubernetes.io/config.seen'
const source = 'metadata.annotations.kubernetes.io/config.source'
const mirrorHash = 'metadata.annotations.kubernetes.io/config.mirror'

/** What the annotations say about the pair as a whole. */
interface PairFacts {
  readonly isStale: boolean
  /** The kubelet annotates each pod from the API itself: its copy of the mirror does not show what the API has. */
  readonly isKubeletCopy: boolean
}

function reasonOf({ path, left, right }: Match, { isStale, isKubeletCopy }: PairFacts): Reason {
  if (left === right) return ''
  if (isKubeletCopy && (path === seen || path === source)) return 'kubeletAnnotation'
  if (alwaysDiffer.test(path)) return 'always'
  if (isStale && path === mirrorHash) return 'stale'
  if (mirrorOnly.test(path)) return 'mirrorOnly'
  if (isStale) return 'stale'
  if (path === seen) return 'seenAgain'
  if (left === undefined) return 'added'
  return right === undefined ? 'absent' : 'changed'
}

function annotationOf(object: object, key: string): string {
  const metadata = isJsonObject(object) ? objectAt(object, 'metadata') : {}
  return textAt(objectAt(metadata, 'annotations'), key)
}

/** The mirror's config.mirror is the config.hash that it was created for (pod_manager.go IsMirrorPodOf). */
function isOfAnotherVersion(staticPod: object, mirror: object): boolean {
  const made = annotationOf(mirror, 'kubernetes.io/config.mirror')
  return made !== '' && made !== annotationOf(staticPod, 'kubernetes.io/config.hash')
}

/** Without the status: that of the mirror is a copy that the kubelet keeps writing. */
function withoutStatus(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== 'status'))
}

function isTopLevel(path: string): boolean {
  return path === 'apiVersion' || path === 'kind'
}

/** The static pod and its mirror, line by line, each difference with its reason. Pure. */
export function pairDiff(staticPod: object, mirror: object): readonly DiffLine[] {
  const matches = align(yamlLines(withoutStatus(staticPod)), yamlLines(withoutStatus(mirror)))
  const differs = (path: string): boolean => {
    const match = matches.find((candidate) => candidate.path === path)
    return match !== undefined && match.left !== match.right
  }
  const facts = { isStale: isOfAnotherVersion(staticPod, mirror), isKubeletCopy: differs(source) }
  return (
    matches
      .map((match) => ({ ...match, reason: reasonOf(match, facts) }))
      // Items of API lists omit these, so that one side may lack them.
      .filter(({ path, reason }) => !(isTopLevel(path) && reason !== ''))
  )
}
