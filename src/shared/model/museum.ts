import type { Anchor } from '../handbook/anchors.ts'

/** The groups of the list, in its order. */
export const exhibitCategories = [
  'Mirror pods',
  'Manifests',
  'API server unreachable',
  'How pods end',
  'Restarts',
] as const

export type ExhibitCategory = (typeof exhibitCategories)[number]

/** One common kubelet surprise, on the page a gotcha. Texts are plain English, whole sentences. */
export interface ExhibitView {
  /** `mirror-comes-back`: names it in addresses. */
  readonly id: string
  readonly title: string
  readonly category: ExhibitCategory
  /** What people see and take for something else. */
  readonly confusion: string
  /** What the kubelet really does; the page hides it until it is revealed. */
  readonly truth: string
  /** Sections of the handbook. */
  readonly sections: readonly Anchor[]
}

/** An exhibit that stands open, as part of its cluster's view. */
export interface OpenExhibit extends ExhibitView {
  /** What was done until the moment that is shown, in order. */
  readonly steps: readonly string[]
  /** What to look at now. */
  readonly moment: string
  /** What will come when the clock runs on. */
  readonly next: string
  /** Key of the pod that it is about; null where it is about none that is there now. */
  readonly pod: string | null
}
