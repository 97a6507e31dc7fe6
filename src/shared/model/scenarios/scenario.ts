import type { GotchaCategory } from './gotcha.ts'

/** An open scenario, as part of its cluster's view. Texts are empty where the file has none. */
export interface OpenScenario {
  readonly name: string
  readonly title: string
  /** What it is about; of a gotcha what people see and misread. */
  readonly sentence: string
  /** Of a gotcha: what really happens. */
  readonly truth: string
  readonly isGotcha: boolean
  /** What its steps say, in order. */
  readonly steps: readonly string[]
  /** What to look at now. */
  readonly lookAt: string
  /** What happens when the clock runs on. */
  readonly next: string
  /** Key of the pod that it is about; null if there is no such pod now. */
  readonly pod: string | null
}

/** A scenario that can be opened. */
export interface ScenarioListing {
  /** Names it in requests. */
  readonly name: string
  readonly title: string
  readonly sentence: string
  /** Null: it is no gotcha. */
  readonly category: GotchaCategory | null
}

/** Those that come with the program, and those that were opened or saved before, newest first. */
export interface ScenarioLists {
  readonly shipped: readonly ScenarioListing[]
  readonly recent: readonly ScenarioListing[]
}

/** `text`: a file of the page's computer, with its name. */
export type ScenarioSource =
  | { readonly kind: 'shipped' | 'recent'; readonly name: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
