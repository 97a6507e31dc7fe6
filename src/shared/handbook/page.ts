/** A run of text within a line. `see` leads to another section of the handbook, `web` to a page outside. */
export type HandbookInline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly parts: readonly HandbookInline[] }
  | { readonly kind: 'see'; readonly anchor: string; readonly parts: readonly HandbookInline[] }
  | { readonly kind: 'web'; readonly href: string; readonly parts: readonly HandbookInline[] }

/** The text of a line without its marks. Pure. */
export function plainText(parts: readonly HandbookInline[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      return part.kind === 'code' ? part.text : plainText(part.parts)
    })
    .join('')
}

export type HandbookCell = readonly HandbookInline[]

/** What a section consists of, in its order. */
export type HandbookBlock =
  | { readonly kind: 'text'; readonly parts: readonly HandbookInline[] }
  | {
      readonly kind: 'heading'
      readonly anchor: string
      /** 3 for the first level within a section. */
      readonly depth: number
      readonly parts: readonly HandbookInline[]
    }
  | {
      readonly kind: 'list'
      readonly isOrdered: boolean
      readonly start: number
      readonly items: readonly (readonly HandbookBlock[])[]
    }
  | {
      readonly kind: 'table'
      readonly head: readonly HandbookCell[]
      readonly rows: readonly (readonly HandbookCell[])[]
    }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly HandbookBlock[] }
  /** `file`: its name in docs/kubelet/pictures. */
  | { readonly kind: 'picture'; readonly file: string; readonly alt: string }

/** What is read at once: the text under a page's title, or under one of its headings of level 2. */
export interface HandbookSection {
  /** `pod-workers` for what is under the title, `pod-workers#worker-loop` for what is under a heading. */
  readonly anchor: string
  readonly title: string
  readonly blocks: readonly HandbookBlock[]
}

/** A file of docs/kubelet. */
export interface HandbookPage {
  /** Its name without `.md`. */
  readonly name: string
  readonly title: string
  /** The first is what is under the title. */
  readonly sections: readonly HandbookSection[]
}
