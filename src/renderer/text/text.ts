import { en } from './en/index.ts'

/** What every language has to say. */
export type Catalog = typeof en

/** The page's words. A second language is a folder beside `en` whose index is a `Catalog`. */
export const text: Catalog = en
