import type { Anchor } from '../../handbook/anchors.ts'

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
