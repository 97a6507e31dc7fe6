/** Labels and taints of a node as text, one on each line: `key=value`, and `key=value:Effect` as kubectl writes it. */
export interface NodeTexts {
  readonly labels: string
  readonly taints: string
}

export interface NodeEditArgs {
  readonly cluster: string
  readonly node: string
  /** As the dialog read them: what was changed elsewhere since stays. */
  readonly before: NodeTexts
  readonly after: NodeTexts
}

/** A pod that the new taints move. */
export interface MovedPod {
  readonly namespace: string
  readonly name: string
  /** Seconds after which it is evicted: 0 at once. */
  readonly afterSeconds: number
}

/** What an edit would do. Every text is made of whole sentences. */
export interface NodeEditForecast {
  /** `label a=b added`; in the order of the text. */
  readonly changes: readonly string[]
  readonly evicted: readonly MovedPod[]
  /** How many other pods run on the node and stay. */
  readonly stay: number
  readonly notes: readonly string[]
  /** One line for the labels, one for the taints. */
  readonly kubectl: readonly string[]
  readonly isAllowed: boolean
  /** Why it is not allowed; else empty. */
  readonly refusal: string
}
