import type { Anchor } from '../handbook/anchors.ts'

/** The groups of the list, in its order. */
export const gotchaCategories = [
  'Mirror pods',
  'Manifests',
  'API server unreachable',
  'How pods end',
  'Restarts',
  'Containers',
] as const

export type GotchaCategory = (typeof gotchaCategories)[number]

/** One common kubelet surprise. Texts are plain English, whole sentences. */
export interface GotchaView {
  /** `mirror-comes-back`: names it in addresses. */
  readonly id: string
  readonly title: string
  readonly category: GotchaCategory
  /** What people see and misread. */
  readonly confusion: string
  /** What the kubelet really does; the page hides it until the user reveals it. */
  readonly truth: string
  /** Sections of the handbook. */
  readonly sections: readonly Anchor[]
}

/** An open gotcha, as part of its cluster's view. */
export interface OpenGotcha extends GotchaView {
  /** What the script did, in order. */
  readonly steps: readonly string[]
  /** What to look at now. */
  readonly lookAt: string
  /** What happens when the clock runs on. */
  readonly next: string
  /** Key of the pod that it is about; null if there is no such pod now. */
  readonly pod: string | null
}
