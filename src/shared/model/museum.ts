/** One of the confusions that the museum keeps. Texts are plain English, whole sentences. */
export interface ExhibitView {
  /** `mirror-comes-back`: names it in addresses. */
  readonly id: string
  readonly title: string
  /** What people see and take for something else. */
  readonly confusion: string
  /** What a kubelet does, and so the right end. */
  readonly truth: string
  /** Sections of the semantics: `3.4`. */
  readonly sections: readonly string[]
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
